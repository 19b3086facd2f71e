// SPDX-License-Identifier: Apache-2.0
// Public: compute-runtime 22.43, shared/source/device_binary_format (ELF sections);
// intel-graphics-compiler, IGC/AdaptorOCL/ocl_igc_shared/executable_format (patch tokens).
#include "platform/host/program/device_binary.h"

#include <algorithm>
#include <string_view>

#include "common/bits.h"
#include "common/check.h"

namespace gen9::platform {
namespace {

constexpr std::uint32_t kElfMagic = 0x464C457F;         // "\x7FELF"
constexpr std::uint32_t kPatchTokenMagic = 0x494E5443;  // "CTNI"
constexpr std::uint32_t kSpirvMagic = 0x07230203;
constexpr std::uint32_t kSectionDeviceBinary = 0xFF000005;
constexpr std::string_view kTextPrefix = ".text.";
constexpr std::string_view kArchiveMagic = "!<arch>\n";

/// Reads parts of a file; a part that is not in it is a user error.
class Reader {
  public:
    Reader(std::span<const std::uint8_t> bytes, const std::string& file)
        : bytes_(bytes), file_(file) {}

    std::span<const std::uint8_t> part(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset)
            throw UserError("'" + file_ + "' is damaged: " + std::to_string(size) +
                            " bytes at offset " + std::to_string(offset) + " are beyond its end");
        return bytes_.subspan(offset, size);
    }
    std::size_t size() const { return bytes_.size(); }
    template <class T>
    T value(std::uint64_t offset) const {
        return load<T>(part(offset, sizeof(T)).data());
    }
    /// Text that ends with a zero byte, or with the bytes.
    std::string text(std::uint64_t offset) const {
        const auto rest = part(offset, offset <= bytes_.size() ? bytes_.size() - offset : 1);
        const auto end = std::find(rest.begin(), rest.end(), 0);
        return {rest.begin(), end};
    }

  private:
    std::span<const std::uint8_t> bytes_;
    const std::string& file_;
};

/// Offsets of the fields of the patch token format; headers are packed.
struct ProgramHeader {
    static constexpr std::uint64_t kKernelCount = 16, kPatchListSize = 24, kBytes = 28;
};
struct KernelHeader {
    static constexpr std::uint64_t kNameSize = 12, kPatchListSize = 16, kKernelHeapSize = 20,
                                   kGeneralStateHeapSize = 24, kDynamicStateHeapSize = 28,
                                   kSurfaceStateHeapSize = 32, kUnpaddedSize = 36, kBytes = 40;
};

/// Adds the kernels of a patch token program that is all of `reader` and lies at `start` of its
/// file.
void add_patch_token_kernels(const Reader& reader, std::uint64_t start,
                             std::vector<KernelText>& kernels) {
    const auto count = reader.value<std::uint32_t>(ProgramHeader::kKernelCount);
    std::uint64_t at =
        ProgramHeader::kBytes + reader.value<std::uint32_t>(ProgramHeader::kPatchListSize);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto field = [&](std::uint64_t offset) {
            return std::uint64_t{reader.value<std::uint32_t>(at + offset)};
        };
        const std::uint64_t name = at + KernelHeader::kBytes;
        const std::uint64_t heap = name + (field(KernelHeader::kNameSize) + 3) / 4 * 4;
        const std::uint64_t heap_size = field(KernelHeader::kKernelHeapSize);
        const auto bytes =
            reader.part(heap, std::min(heap_size, field(KernelHeader::kUnpaddedSize)));
        kernels.push_back({reader.text(name), start + heap, {bytes.begin(), bytes.end()}});
        at = heap + heap_size + field(KernelHeader::kGeneralStateHeapSize) +
             field(KernelHeader::kDynamicStateHeapSize) +
             field(KernelHeader::kSurfaceStateHeapSize) + field(KernelHeader::kPatchListSize);
    }
}

/// Offsets in the headers of a 64-bit ELF file.
struct Elf {
    static constexpr std::uint64_t kClass = 4, kSectionTable = 0x28, kSectionEntryBytes = 0x3A,
                                   kSectionCount = 0x3C, kNameSection = 0x3E;
    static constexpr std::uint64_t kName = 0, kType = 4, kOffset = 0x18,
                                   kSize = 0x20;  // of a section
    static constexpr std::uint8_t kClass64 = 2;
};

std::vector<KernelText> elf_kernels(const Reader& reader, const std::string& file) {
    if (reader.value<std::uint8_t>(Elf::kClass) != Elf::kClass64)
        throw UserError("'" + file + "' is a 32-bit ELF file; device binaries have 64 bits");
    const auto table = reader.value<std::uint64_t>(Elf::kSectionTable);
    const auto entry_bytes = reader.value<std::uint16_t>(Elf::kSectionEntryBytes);
    const auto count = reader.value<std::uint16_t>(Elf::kSectionCount);
    // The whole table is in the file, so that the sums below cannot overflow.
    const auto section = [&, table_bytes = reader.part(table, std::uint64_t{entry_bytes} * count)](
                             std::uint64_t i) { return table + i * entry_bytes; };
    const auto name_section = reader.value<std::uint16_t>(Elf::kNameSection);
    const std::uint64_t names =
        name_section < count ? reader.value<std::uint64_t>(section(name_section) + Elf::kOffset)
                             : 0;

    std::vector<KernelText> kernels;
    std::uint64_t kernel_bytes = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto offset = reader.value<std::uint64_t>(section(i) + Elf::kOffset);
        const auto size = reader.value<std::uint64_t>(section(i) + Elf::kSize);
        const auto type = reader.value<std::uint32_t>(section(i) + Elf::kType);
        const std::uint32_t name_offset = reader.value<std::uint32_t>(section(i) + Elf::kName);
        if (type == kSectionDeviceBinary && size >= 4 &&
            reader.value<std::uint32_t>(offset) == kPatchTokenMagic) {
            if ((kernel_bytes += size) > reader.size())
                throw UserError("'" + file + "' is damaged: its kernels overlap");
            add_patch_token_kernels(Reader(reader.part(offset, size), file), offset, kernels);
        }
        if (i == 0 || name_section >= count || names > UINT32_MAX) continue;
        const auto name = reader.text(names + name_offset);
        if (!name.starts_with(kTextPrefix)) continue;
        const auto bytes = reader.part(offset, size);
        // Sections that lie over each other could make more kernels than there is memory.
        if ((kernel_bytes += size) > reader.size())
            throw UserError("'" + file + "' is damaged: its kernels overlap");
        kernels.push_back(
            {name.substr(kTextPrefix.size()),
             offset,
             {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(kernel_length(bytes))}});
    }
    if (kernels.empty())
        throw UserError("'" + file + "' is an ELF file without kernels of this device");
    return kernels;
}

}  // namespace

std::vector<KernelText> find_kernels(std::span<const std::uint8_t> bytes, const std::string& file) {
    if (bytes.size() < 4) return {};
    const Reader reader(bytes, file);
    switch (reader.value<std::uint32_t>(0)) {
        case kElfMagic:
            return elf_kernels(reader, file);
        case kPatchTokenMagic: {
            std::vector<KernelText> kernels;
            add_patch_token_kernels(reader, 0, kernels);
            return kernels;
        }
        case kSpirvMagic:
            throw UserError("'" + file + "' is SPIR-V: compile it with ocloc first");
        default:
            break;
    }
    if (std::equal(kArchiveMagic.begin(), kArchiveMagic.end(), bytes.begin(),
                   bytes.begin() +
                       static_cast<std::ptrdiff_t>(std::min(bytes.size(), kArchiveMagic.size()))))
        throw UserError("'" + file + "' is an archive of binaries: unpack it with ar x");
    return {};
}

std::size_t kernel_length(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t kNative = 16, kCompacted = 8;
    constexpr std::uint64_t kCompactControl = 1u << 29;
    std::size_t at = 0;
    while (at + kCompacted <= bytes.size()) {
        const auto first = load<std::uint64_t>(bytes.data() + at);
        if (first == 0) return at;
        at += first & kCompactControl ? kCompacted : kNative;
    }
    return std::min(at, bytes.size());
}

}  // namespace gen9::platform
