// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/source_lines.h"

#include <iterator>

#include "common/bits.h"

namespace gen9::platform {
namespace {

/// Reads bytes one after the other; beyond their end there are zeroes, and `good` is false.
class Cursor {
  public:
    explicit Cursor(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    bool good() const { return good_; }
    bool at_end() const { return at_ == bytes_.size(); }

    template <class T>
    T take() {
        const auto bytes = part(sizeof(T));
        return good_ ? load<T>(bytes.data()) : T{};
    }
    std::span<const std::uint8_t> part(std::uint64_t size) {
        good_ = good_ && size <= bytes_.size() - at_;
        if (!good_) return {};
        at_ += size;
        return bytes_.subspan(at_ - size, size);
    }
    std::uint64_t unsigned_number() {  ///< LEB128
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = take<std::uint8_t>();
            number |= std::uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) return number;
        }
        good_ = false;
        return 0;
    }
    std::int64_t signed_number() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = take<std::uint8_t>();
            number |= std::uint64_t{byte & 0x7Fu} << shift;
            if (byte >= 0x80) continue;
            if (byte & 0x40 && shift + 7 < 64) number |= ~std::uint64_t{0} << (shift + 7);
            return static_cast<std::int64_t>(number);
        }
        good_ = false;
        return 0;
    }
    std::string text() {  ///< that ends with a zero byte
        std::string text;
        for (char c = take<char>(); c != 0 && good_; c = take<char>())
            text += c;
        return text;
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    bool good_ = true;
};

/// The contents of a section of a 64-bit ELF file; empty if there is none.
std::span<const std::uint8_t> section(std::span<const std::uint8_t> elf, const std::string& name) {
    constexpr std::size_t kSectionTable = 0x28, kSectionEntryBytes = 0x3A, kHeaderBytes = 0x40;
    constexpr std::size_t kOffset = 0x18, kEntryBytes = 0x40;
    if (elf.size() < kHeaderBytes || load<std::uint32_t>(elf.data()) != 0x464C457F) return {};
    const auto within = [&](std::uint64_t offset, std::uint64_t size) {
        return offset <= elf.size() && size <= elf.size() - offset
                   ? elf.subspan(offset, size)
                   : std::span<const std::uint8_t>{};
    };
    const auto table = load<std::uint64_t>(elf.data() + kSectionTable);
    Cursor header(elf.subspan(kSectionEntryBytes));
    const auto entry_bytes = header.take<std::uint16_t>(), count = header.take<std::uint16_t>(),
               names_index = header.take<std::uint16_t>();
    const auto entries = within(table, std::uint64_t{entry_bytes} * count);
    if (entries.empty() || entry_bytes < kEntryBytes || names_index >= count) return {};
    const auto contents = [&](std::size_t index) {
        const std::uint8_t* const entry = entries.data() + index * entry_bytes + kOffset;
        return within(load<std::uint64_t>(entry), load<std::uint64_t>(entry + 8));
    };
    const auto names = contents(names_index);
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = load<std::uint32_t>(entries.data() + i * entry_bytes);
        if (at <= names.size() && Cursor(names.subspan(at)).text() == name) return contents(i);
    }
    return {};
}

/// A driver that was given text calls its file so.
bool has_name(const std::string& file) {
    return !file.empty() && file != "1" && !file.starts_with("<");
}

// DWARF 4, 6.2: the line number program.
SourceLines run_line_program(std::span<const std::uint8_t> bytes) {
    enum Standard {
        kCopy = 1,
        kAdvancePc,
        kAdvanceLine,
        kSetFile,
        kConstAddPc = 8,
        kFixedAdvancePc
    };
    enum Extended { kEndSequence = 1, kSetAddress };
    SourceLines lines;
    Cursor unit(bytes);
    const auto length = unit.take<std::uint32_t>();
    Cursor program(unit.part(length));
    const auto version = program.take<std::uint16_t>();
    Cursor header(program.part(program.take<std::uint32_t>()));
    if (version < 2 || version > 4 || !program.good()) return lines;
    const auto least_bytes = header.take<std::uint8_t>();
    if (version == 4) header.take<std::uint8_t>();  // operations of an instruction
    header.take<std::uint8_t>();                    // is a row a statement?
    const auto line_base = header.take<std::int8_t>();
    const auto line_range = header.take<std::uint8_t>(),
               first_special = header.take<std::uint8_t>();
    std::vector<std::uint8_t> operands{0};
    while (header.good() && operands.size() < first_special)
        operands.push_back(header.take<std::uint8_t>());
    while (header.good() && !header.text().empty()) {
    }
    std::vector<std::string> files{""};
    for (std::string name = header.text(); header.good() && !name.empty(); name = header.text()) {
        files.push_back(has_name(name) ? name : "");
        for (unsigned i = 0; i < 3; ++i)
            header.unsigned_number();  // folder, time, length
    }
    if (!header.good() || line_range == 0 || first_special == 0) return lines;

    std::uint64_t address = 0, file = 1;
    std::int64_t line = 1;
    const auto add_row = [&] {
        lines[address] = {
            line > 0 ? static_cast<unsigned>(line) : 0, file < files.size() ? files[file] : "", {}};
    };
    const auto advance = [&](std::uint64_t by) { address += by * least_bytes; };
    while (!program.at_end() && program.good()) {
        const auto opcode = program.take<std::uint8_t>();
        if (opcode >= first_special) {
            const unsigned special = opcode - first_special;
            advance(special / line_range);
            line += line_base + static_cast<int>(special % line_range);
            add_row();
        } else if (opcode == 0) {
            Cursor extended(program.part(program.unsigned_number()));
            const auto what = extended.take<std::uint8_t>();
            if (what == kSetAddress) address = extended.take<std::uint64_t>();
            if (what == kEndSequence) {
                lines[address] = {};
                address = 0;
                file = 1;
                line = 1;
            }
        } else if (opcode == kCopy) {
            add_row();
        } else if (opcode == kAdvancePc) {
            advance(program.unsigned_number());
        } else if (opcode == kAdvanceLine) {
            line += program.signed_number();
        } else if (opcode == kSetFile) {
            file = program.unsigned_number();
        } else if (opcode == kConstAddPc) {
            advance((255u - first_special) / line_range);
        } else if (opcode == kFixedAdvancePc) {
            address += program.take<std::uint16_t>();
        } else {
            for (unsigned i = 0; i < operands[opcode]; ++i)
                program.unsigned_number();
        }
    }
    return lines;
}

}  // namespace

SourcePlace place_at(const SourceLines& lines, std::uint64_t offset) {
    const auto after = lines.upper_bound(offset);
    return after == lines.begin() ? SourcePlace{} : std::prev(after)->second;
}

std::map<std::string, SourceLines> find_source_lines(std::span<const std::uint8_t> debug_data) {
    constexpr std::uint32_t kMagic = 0x494E5443;
    std::map<std::string, SourceLines> kernels;
    Cursor data(debug_data);
    if (data.take<std::uint32_t>() != kMagic) return kernels;
    data.part(5 * sizeof(std::uint32_t));  // version, checksum, device, stepping, pointer size
    const auto count = data.take<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && data.good(); ++i) {
        const auto name_bytes = data.take<std::uint32_t>(),
                   debug_bytes = data.take<std::uint32_t>(),
                   more_bytes = data.take<std::uint32_t>();
        const auto name = data.part(name_bytes);
        const auto elf = data.part(debug_bytes);
        data.part(more_bytes);
        if (!data.good()) break;
        kernels[Cursor(name).text()] = run_line_program(section(elf, ".debug_line"));
    }
    return kernels;
}

}  // namespace gen9::platform
