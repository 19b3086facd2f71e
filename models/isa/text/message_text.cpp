// SPDX-License-Identifier: Apache-2.0
#include "isa/text/message_text.h"

#include <array>
#include <span>
#include <string_view>

#include "common/bits.h"
#include "isa/types.h"

namespace gen9::isa {
namespace {

/// A field of the descriptor.
struct DescriptorField {
    std::uint8_t high, low;
    constexpr unsigned of(std::uint32_t descriptor) const {
        return bits<std::uint32_t>(descriptor, high, low);
    }
};
constexpr DescriptorField kMessageLength{28, 25}, kResponseLength{24, 20}, kHeader{19, 19};
constexpr DescriptorField kHdcType{18, 14}, kBti{7, 0};
constexpr DescriptorField kBlockSize{10, 8}, kScratchSize{13, 12}, kChannelMask{11, 8},
    kAtomicOp{11, 8};
constexpr DescriptorField kElementSize{11, 10}, kSlotGroup{13, 12}, kSimd4x2Group{12, 12},
    kReturn{13, 13};
constexpr DescriptorField kA64Kind{9, 8}, kA64BlockKind{12, 11}, kFloatOp{10, 8},
    kMediaStride{10, 8};
constexpr DescriptorField kFenceCommit{13, 13}, kFenceL1{8, 8}, kFenceL3{12, 9};
constexpr DescriptorField kSamplerType{16, 12}, kSamplerSimd{18, 17}, kSamplerIndex{11, 8};
constexpr DescriptorField kSimdHigh{29, 29}, kHalfReturn{30, 30};
constexpr DescriptorField kGatewayOp{2, 0}, kSpawnerOp{2, 0};
constexpr unsigned kSlmSurface = 254;

/// This follows the name of a data port message.
enum class Detail : std::uint8_t {
    None,
    Blocks,
    Scratch,
    DwordCount,
    ByteSize,
    Channels,
    TypedChannels,
    TypedStatus,
    Atomic,
    TypedAtomic,
    TypedAtomic16,
    A64Atomic,
    A64Scatter,
    A64Block,
    FloatAtomic,
    Media,
    Fence,
};
struct HdcRow {
    std::uint8_t first, last;  ///< message types
    std::string_view text;
    Detail detail;
};

constexpr HdcRow kDc0[] = {
    {0x00, 0x00, "oword block read", Detail::Blocks},
    {0x01, 0x01, "oword aligned block read", Detail::Blocks},
    {0x02, 0x02, "oword dual block read", Detail::None},
    {0x03, 0x03, "dword gathering read", Detail::DwordCount},
    {0x04, 0x04, "byte gathering read", Detail::ByteSize},
    {0x05, 0x05, "qword gathering read", Detail::None},
    {0x07, 0x07, "", Detail::Fence},
    {0x08, 0x08, "oword block write", Detail::Blocks},
    {0x09, 0x09, "hword aligned block write", Detail::Blocks},
    {0x0A, 0x0A, "oword dual block write", Detail::None},
    {0x0B, 0x0B, "dword scattering write", Detail::DwordCount},
    {0x0C, 0x0C, "byte scattering write", Detail::ByteSize},
    {0x0D, 0x0D, "qword gathering read", Detail::None},
    {0x10, 0x17, "hword scratch block read", Detail::Scratch},
    {0x18, 0x1F, "hword scratch block write", Detail::Scratch},
};
constexpr HdcRow kDc1[] = {
    {0x01, 0x01, "untyped surface read", Detail::Channels},
    {0x02, 0x02, "untyped atomic int32", Detail::Atomic},
    {0x04, 0x04, "media block read", Detail::Media},
    {0x05, 0x05, "typed surface read", Detail::TypedChannels},
    {0x06, 0x06, "atomic 32-bit integer", Detail::TypedAtomic},
    {0x07, 0x07, "atomic 16-bit integer", Detail::TypedAtomic16},
    {0x09, 0x09, "untyped surface write", Detail::Channels},
    {0x0A, 0x0A, "media block write", Detail::Media},
    {0x0D, 0x0D, "typed surface write", Detail::TypedChannels},
    {0x0E, 0x0E, "typed surface read", Detail::TypedStatus},
    {0x10, 0x10, "gathering read", Detail::A64Scatter},
    {0x11, 0x11, "a64 untyped surface read", Detail::Channels},
    {0x12, 0x12, "untyped a64 atomic", Detail::A64Atomic},
    {0x14, 0x14, "read", Detail::A64Block},
    {0x15, 0x15, "write", Detail::A64Block},
    {0x19, 0x19, "a64 untyped surface write", Detail::Channels},
    {0x1A, 0x1A, "scattering write", Detail::A64Scatter},
    {0x1B, 0x1B, "float atomic", Detail::FloatAtomic},
    {0x1D, 0x1D, "a64 float atomic", Detail::FloatAtomic},
};
constexpr HdcRow kDcro[] = {
    {0x00, 0x00, "constant oword block read", Detail::Blocks},
    {0x01, 0x01, "constant aligned oword block read", Detail::Blocks},
    {0x03, 0x03, "constant dword gathering read", Detail::None},
};

constexpr std::array<std::string_view, 16> kFunctions{
    "null", "?",        "sampler", "gateway", "hdc.dc2", "hdc.rc", "hdc.urb", "spawner",
    "vme",  "hdc.dcro", "hdc.dc0", "pi",      "hdc.dc1", "cre",    "?",       "?"};
constexpr std::array<std::string_view, 16> kAtomics{
    "64b integer compare and swap",
    "logical AND",
    "logical OR",
    "logical XOR",
    "store",
    "integer increment",
    "integer decrement",
    "integer add",
    "integer subtract",
    "commuted integer subtract",
    "signed-integer max",
    "signed-integer min",
    "unsigned-integer max",
    "unsigned-integer min",
    "integer compare and swap",
    "integer pre-decrement (returns pre-decrement value)"};
constexpr std::array<std::string_view, 8> kFloatAtomics{
    "",          "max (32b)",      "min (32b)",     "fp-compare and swap (32b)",
    "add (32b)", "subtract (32b)", "64b add (64b)", "64b subtract (64b)"};
constexpr std::array<std::string_view, 8> kBlocks{"x1", "x1H", "x2", "x4", "x8", "x16", "x0", "x0"};
constexpr std::array<std::string_view, 8> kHwordBlocks{"x1",  "x2",  "x4",  "x8",
                                                       "x16", "x32", "x64", "x128"};
constexpr std::array<std::string_view, 4> kScratchBlocks{" x1", " x2", " x4", " x8"};
constexpr std::array<std::string_view, 4> kDwordCounts{"", " x2", " x4", " x8"};
constexpr std::array<std::string_view, 4> kByteSizes{" 8b", " 16b", " 32b", ""};
constexpr std::array<std::string_view, 4> kA64Kinds{"byte", "dword", "qword", "byte"};
constexpr std::array<std::string_view, 8> kMediaStrides{
    "",
    " with vertical line stride and skip",
    " with vertical line stride override and offset",
    " with vertical line stride override,skip, and offset",
    " with vertical line stride",
    " with vertical line stride and skip",
    " with vertical line stride override and offset",
    " with vertical line stride override,skip, and offset"};

constexpr std::array<std::string_view, 32> kSamples{"sample",
                                                    "sample+LOD bias",
                                                    "sample override LOD",
                                                    "sample compare",
                                                    "sample gradient",
                                                    "sample compare+LOD bias",
                                                    "sample compare+override LOD",
                                                    "sample load",
                                                    "sample gather4",
                                                    "sample override lod",
                                                    "sample res info",
                                                    "sample info",
                                                    "sample+killpix",
                                                    "?",
                                                    "?",
                                                    "?",
                                                    "sample gather4+compare",
                                                    "sample gather4+pixel offset",
                                                    "sample gather4 pixel offset+compare",
                                                    "?",
                                                    "sample derivatives+compare",
                                                    "?",
                                                    "sample min",
                                                    "sample max",
                                                    "sample with lod forced to 0",
                                                    "sample compare+with lod forced to 0",
                                                    "sample load with lod forced to 0",
                                                    "?",
                                                    "sample ld2 multi-sample wide",
                                                    "sample load mcs auxiliary data",
                                                    "sample load multi-sample",
                                                    "sample multi-sample without mcs"};
constexpr std::array<std::string_view, 8> kGatewayOps{"end of thread",  "signal event",
                                                      "monitor event",  "unmonitor event",
                                                      "signal barrier", "?",
                                                      "wait for event", "?"};

template <class... Parts>
std::string joined(const Parts&... parts) {
    std::string text;
    (text.append(std::string_view(parts)), ...);
    return text;
}

/// Channels a surface message moves: a bit of the mask switches one off.
std::string channels(std::uint32_t descriptor) {
    std::string text = " ";
    for (unsigned i = 0; i < 4; ++i) {
        if ((kChannelMask.of(descriptor) >> i & 1) == 0) text += "xyzw"[i];
    }
    return text;
}

/// Address parameters of a typed message, told from the length of its first payload.
std::string_view typed_address(std::uint32_t descriptor) {
    constexpr std::array<std::string_view, 5> parameters{"", "; u", "; u,v", "; u,v,r",
                                                         "; u,v,r,lod"};
    const unsigned length = kMessageLength.of(descriptor);
    return length < parameters.size() ? parameters[length] : "";
}

std::string fence_text(std::uint32_t descriptor) {
    std::string text = kFenceCommit.of(descriptor) != 0 ? "synchronized " : "";
    if (kBti.of(descriptor) == kSlmSurface) return text + "SLM fence";
    if (kBti.of(descriptor) != 0) return text.empty() ? "?" : "synchronized";
    text += "global fence flushing";
    if (kFenceL1.of(descriptor) != 0) text += " L1";
    const unsigned l3 = kFenceL3.of(descriptor);
    if (l3 == 0) return text;
    if (l3 == 0xF) return text + " all L3 data";
    constexpr unsigned kReadWrite = 8;
    text += " L3";
    if ((l3 & kReadWrite) != 0) text += " r/w data";
    const char* separator = " ";
    constexpr std::array<std::string_view, 3> kinds{"instruction data", "texture data",
                                                    "constant data"};
    for (unsigned i = 3; i-- > 0;) {
        if ((l3 >> i & 1) == 0) continue;
        text += joined(separator, kinds[i]);
        separator = ", ";
    }
    return text;
}

std::string a64_block_text(std::uint32_t descriptor, std::string_view direction) {
    constexpr unsigned kAligned = 1, kHword = 3;
    const unsigned kind = kA64BlockKind.of(descriptor);
    const unsigned size = kBlockSize.of(descriptor);
    const std::string_view alignment = kind == kAligned ? "aligned " : "unaligned ";
    const std::string_view unit = kind == kHword ? "hword" : "oword";
    return joined("a64 ", alignment, unit, " block ", direction, " ",
                  kind == kHword ? kHwordBlocks[size] : kBlocks[size]);
}

std::string hdc_text(std::span<const HdcRow> rows, std::uint32_t descriptor) {
    const unsigned type = kHdcType.of(descriptor);
    const HdcRow* row = nullptr;
    for (const HdcRow& candidate : rows) {
        if (type >= candidate.first && type <= candidate.last) row = &candidate;
    }
    if (row == nullptr) return "?";
    const std::string_view text = row->text;
    const std::string_view atomic = kAtomics[kAtomicOp.of(descriptor)];
    const bool high_slots = kSlotGroup.of(descriptor) == 2;
    const std::string_view slots = high_slots ? " (high slot group)" : "";
    const bool upper = kSimd4x2Group.of(descriptor) != 0;
    switch (row->detail) {
        case Detail::None:
            return std::string(text);
        case Detail::Blocks:
            return joined(text, " ", kBlocks[kBlockSize.of(descriptor)]);
        case Detail::Scratch:
            return joined(text, kScratchBlocks[kScratchSize.of(descriptor)]);
        case Detail::DwordCount:
            return joined(text, kDwordCounts[kElementSize.of(descriptor)]);
        case Detail::ByteSize:
            return joined(text, kByteSizes[kElementSize.of(descriptor)]);
        case Detail::Channels:
            return joined(text, " with", channels(descriptor));
        case Detail::TypedChannels:
            return joined(text, slots, " with", channels(descriptor), typed_address(descriptor));
        case Detail::TypedStatus:
            return joined(text, slots, " returning status with", channels(descriptor),
                          typed_address(descriptor));
        case Detail::Atomic:
            return joined(text, " ", atomic);
        case Detail::TypedAtomic:
        case Detail::TypedAtomic16:
            return joined(upper ? "typed_sgh " : "typed ", text,
                          upper ? " (slot group high) " : " ", atomic,
                          row->detail == Detail::TypedAtomic16 ? typed_address(descriptor) : "");
        case Detail::A64Atomic:
            return joined(text, upper ? " int64 " : " int32 ", atomic);
        case Detail::A64Scatter: {
            const unsigned kind = kA64Kind.of(descriptor);
            const bool bytes = kind == 0 || kind == 3;
            return joined("a64 ", kA64Kinds[kind], " ", text,
                          bytes ? kByteSizes[kElementSize.of(descriptor)] : "");
        }
        case Detail::A64Block:
            return a64_block_text(descriptor, text);
        case Detail::FloatAtomic:
            if (kFloatOp.of(descriptor) == 0) return "?";
            return joined(text, " ", kFloatAtomics[kFloatOp.of(descriptor)],
                          kReturn.of(descriptor) != 0 ? " with return" : "");
        case Detail::Media:
            return joined(text, kMediaStrides[kMediaStride.of(descriptor)]);
        case Detail::Fence:
            return fence_text(descriptor);
    }
    return "?";
}

std::string_view wide_sample(unsigned type) {
    switch (type) {
        case 0x00:
            return "sample unorm";
        case 0x02:
            return "sample unorm+killpix";
        case 0x08:
            return "sample deinterlace";
        case 0x0A:
            return "sample unorm+killpix for media";
        case 0x0B:
            return "sample 8x8";
        case 0x0C:
            return "sample unorm for media";
        case 0x1F:
            return "sampler cache flush";
        default:
            return "?";
    }
}

std::string sampler_text(std::uint32_t descriptor) {
    constexpr unsigned kWide = 3;
    constexpr std::array<std::string_view, 4> modes{"unknown simd mode", "simd8", "simd16",
                                                    "simd32/64"};
    const unsigned mode = kSamplerSimd.of(descriptor), type = kSamplerType.of(descriptor);
    return joined(modes[mode], kSimdHigh.of(descriptor) != 0 ? " high" : "",
                  kHalfReturn.of(descriptor) != 0 ? " 16b" : "", " ",
                  mode == kWide ? wide_sample(type) : kSamples[type], " using sampler index ",
                  std::to_string(kSamplerIndex.of(descriptor)));
}

std::string operation_text(unsigned sfid, std::uint32_t descriptor) {
    switch (sfid) {
        case 2:
            return sampler_text(descriptor);
        case 3:
            return std::string(kGatewayOps[kGatewayOp.of(descriptor)]);
        case 7:
            return kSpawnerOp.of(descriptor) == 0 ? "end of thread" : "?";
        case 9:
            return hdc_text(kDcro, descriptor);
        case 10:
            return hdc_text(kDc0, descriptor);
        case 12:
            return hdc_text(kDc1, descriptor);
        default:
            return "?";
    }
}

}  // namespace

std::string message_text(const Instruction& send) {
    const std::uint32_t descriptor = send.descriptor;
    const std::string from = joined("a0.", std::to_string(send.extended_a0_subreg));

    std::string text = "wr:";
    if (send.descriptor_from_a0) {
        text += "a0.0[28:25]";
    } else {
        text += joined(std::to_string(kMessageLength.of(descriptor)),
                       kHeader.of(descriptor) != 0 ? "h" : "");
    }
    const unsigned second = send.extended_descriptor >> kExtendedLengthShift & 0xF;
    // Without a second payload its length is 0 whatever the register says.
    const bool length_from_a0 = send.extended_from_a0 && !send.src[1].is_null();
    text += joined("+", length_from_a0 ? joined(from, "[10:6]") : std::to_string(second), ", rd:");
    text +=
        send.descriptor_from_a0 ? "a0.0[24:20]" : std::to_string(kResponseLength.of(descriptor));
    text += "; ";
    text += send.extended_from_a0 ? joined("sfid ", from, "[3:0]")
                                  : std::string(kFunctions[send.sfid & 0xF]);
    if (send.descriptor_from_a0) return text;
    text += joined("; ", send.extended_from_a0 ? "?" : operation_text(send.sfid, descriptor));
    if (text.back() == ' ') text.pop_back();  // a surface message that moves no channel
    return text;
}

}  // namespace gen9::isa
