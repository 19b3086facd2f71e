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

/// Where the parts of a kernel are in its patch token program.
struct KernelParts {
    std::string name;
    std::uint64_t code, code_size;
    std::uint64_t surface_states, surface_states_size;
    std::uint64_t patches, patches_size;
};

/// The kernels of a patch token program that is all of `reader`.
std::vector<KernelParts> parts_of_kernels(const Reader& reader) {
    std::vector<KernelParts> kernels;
    const auto count = reader.value<std::uint32_t>(ProgramHeader::kKernelCount);
    std::uint64_t at =
        ProgramHeader::kBytes + reader.value<std::uint32_t>(ProgramHeader::kPatchListSize);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto field = [&](std::uint64_t offset) {
            return std::uint64_t{reader.value<std::uint32_t>(at + offset)};
        };
        KernelParts kernel;
        const std::uint64_t name = at + KernelHeader::kBytes;
        kernel.name = reader.text(name);
        kernel.code = name + (field(KernelHeader::kNameSize) + 3) / 4 * 4;
        const std::uint64_t heap_size = field(KernelHeader::kKernelHeapSize);
        kernel.code_size = std::min(heap_size, field(KernelHeader::kUnpaddedSize));
        kernel.surface_states = kernel.code + heap_size +
                                field(KernelHeader::kGeneralStateHeapSize) +
                                field(KernelHeader::kDynamicStateHeapSize);
        kernel.surface_states_size = field(KernelHeader::kSurfaceStateHeapSize);
        kernel.patches = kernel.surface_states + kernel.surface_states_size;
        kernel.patches_size = field(KernelHeader::kPatchListSize);
        at = kernel.patches + kernel.patches_size;
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

/// Adds the kernels of a patch token program that is all of `reader` and lies at `start` of its
/// file.
void add_patch_token_kernels(const Reader& reader, std::uint64_t start,
                             std::vector<KernelText>& kernels) {
    for (const KernelParts& kernel : parts_of_kernels(reader)) {
        const auto bytes = reader.part(kernel.code, kernel.code_size);
        kernels.push_back({kernel.name, start + kernel.code, {bytes.begin(), bytes.end()}});
    }
}

/// Patch tokens: each is its number, its bytes in all, and fields of 4 bytes.
struct PatchToken {
    static constexpr std::uint32_t kBindingTable = 8, kBuffer = 11, kImage = 12, kNames = 26,
                                   kStatelessBuffer = 30, kStatelessConstant = 31;
    std::uint32_t number, bytes;
    std::uint64_t fields;  ///< where they begin
};

std::vector<PatchToken> patches_of(const Reader& reader, const KernelParts& kernel) {
    constexpr std::uint64_t kHeader = 8;
    std::vector<PatchToken> tokens;
    for (std::uint64_t at = 0; at + kHeader <= kernel.patches_size;) {
        const std::uint64_t place = kernel.patches + at;
        const PatchToken token{reader.value<std::uint32_t>(place),
                               reader.value<std::uint32_t>(place + 4), place + kHeader};
        if (token.bytes < kHeader) break;
        tokens.push_back(token);
        at += token.bytes;
    }
    return tokens;
}

std::vector<KernelArgument> arguments_of(const Reader& reader, const KernelParts& kernel) {
    const std::vector<PatchToken> tokens = patches_of(reader, kernel);
    const auto field = [&](const PatchToken& token, unsigned n) {
        return reader.value<std::uint32_t>(token.fields + 4 * n);
    };
    // Offsets of surface states, as they follow each other in the binding table.
    std::vector<std::uint32_t> table;
    for (const PatchToken& token : tokens)
        if (token.number == PatchToken::kBindingTable)
            for (std::uint32_t n = 0; n < std::min(field(token, 1), 256u); ++n)
                table.push_back(
                    reader.value<std::uint32_t>(kernel.surface_states + field(token, 0) + 4 * n));
    std::map<std::uint32_t, KernelArgument> arguments;
    const auto argument = [&](std::uint32_t number) -> KernelArgument& {
        KernelArgument& found = arguments[number];
        found.number = number;
        return found;
    };
    for (const PatchToken& token : tokens) {
        const bool image = token.number == PatchToken::kImage;
        if (token.number == PatchToken::kNames) {
            // Behind the sizes of five texts stand these, that of the name third.
            constexpr unsigned kBegin = 24;
            argument(field(token, 0)).name =
                reader.text(token.fields + kBegin + field(token, 1) + field(token, 2));
        } else if (image || token.number == PatchToken::kBuffer ||
                   token.number == PatchToken::kStatelessBuffer ||
                   token.number == PatchToken::kStatelessConstant) {
            const auto found = std::find(table.begin(), table.end(), field(token, image ? 2 : 1));
            if (found != table.end())
                argument(field(token, 0)).surface =
                    static_cast<std::uint8_t>(found - table.begin());
        }
    }
    std::vector<KernelArgument> in_order;
    for (auto& [number, found] : arguments)
        in_order.push_back(std::move(found));
    return in_order;
}

/// Offsets in the headers of a 64-bit ELF file.
struct Elf {
    static constexpr std::uint64_t kClass = 4, kSectionTable = 0x28, kSectionEntryBytes = 0x3A,
                                   kSectionCount = 0x3C, kNameSection = 0x3E;
    static constexpr std::uint64_t kName = 0, kType = 4, kOffset = 0x18,
                                   kSize = 0x20;  // of a section
    static constexpr std::uint8_t kClass64 = 2;
};

struct Section {
    std::uint64_t number, offset, size;
    std::uint32_t type, name;
};

std::vector<Section> sections_of(const Reader& reader, const std::string& file) {
    if (reader.value<std::uint8_t>(Elf::kClass) != Elf::kClass64)
        throw UserError("'" + file + "' is a 32-bit ELF file; device binaries have 64 bits");
    const auto table = reader.value<std::uint64_t>(Elf::kSectionTable);
    const auto entry_bytes = reader.value<std::uint16_t>(Elf::kSectionEntryBytes);
    const auto count = reader.value<std::uint16_t>(Elf::kSectionCount);
    // The whole table is in the file, so that the sums below cannot overflow.
    reader.part(table, std::uint64_t{entry_bytes} * count);
    std::vector<Section> sections;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t at = table + i * entry_bytes;
        sections.push_back({i, reader.value<std::uint64_t>(at + Elf::kOffset),
                            reader.value<std::uint64_t>(at + Elf::kSize),
                            reader.value<std::uint32_t>(at + Elf::kType),
                            reader.value<std::uint32_t>(at + Elf::kName)});
    }
    return sections;
}

bool has_patch_tokens(const Reader& reader, const Section& section) {
    return section.type == kSectionDeviceBinary && section.size >= 4 &&
           reader.value<std::uint32_t>(section.offset) == kPatchTokenMagic;
}

std::vector<KernelText> elf_kernels(const Reader& reader, const std::string& file) {
    const std::vector<Section> sections = sections_of(reader, file);
    const auto name_section = reader.value<std::uint16_t>(Elf::kNameSection);
    const std::uint64_t names = name_section < sections.size() ? sections[name_section].offset : 0;

    std::vector<KernelText> kernels;
    std::uint64_t kernel_bytes = 0;
    for (const auto& [number, offset, size, type, name_offset] : sections) {
        if (has_patch_tokens(reader, sections[number])) {
            if ((kernel_bytes += size) > reader.size())
                throw UserError("'" + file + "' is damaged: its kernels overlap");
            add_patch_token_kernels(Reader(reader.part(offset, size), file), offset, kernels);
        }
        if (number == 0 || name_section >= sections.size() || names > UINT32_MAX) continue;
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

std::map<std::string, std::vector<KernelArgument>> find_arguments(
    std::span<const std::uint8_t> bytes, const std::string& file) {
    std::map<std::string, std::vector<KernelArgument>> found;
    const auto add = [&](const Reader& program) {
        for (const KernelParts& kernel : parts_of_kernels(program))
            found.insert_or_assign(kernel.name, arguments_of(program, kernel));
    };
    if (bytes.size() < 4) return found;
    const Reader reader(bytes, file);
    const auto magic = reader.value<std::uint32_t>(0);
    if (magic == kPatchTokenMagic) add(reader);
    if (magic != kElfMagic) return found;
    for (const Section& section : sections_of(reader, file))
        if (has_patch_tokens(reader, section))
            add(Reader(reader.part(section.offset, section.size), file));
    return found;
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
