// SPDX-License-Identifier: Apache-2.0
// What the resource streamer's commands do (docs/blocks/rs.md), written down a second time from the
// bits of their DWords: a byte, an entry or a channel at a time.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "packets/commands.h"
#include "packets/resource_streamer.h"
#include "tests/unit/rs/commands.h"

namespace gen9::test::plain {

constexpr std::uint64_t kAll = 0xFFFF'FFFF'FFFF;  ///< an address has 48 bits

/// Of the commands that streams of these tests are made of. Of other headers, which are there when a
/// stream is changed, the table of all commands tells.
enum class Kind { None, Skip, Stop, Block, Base, Fence, Table, Edit, Gather, Pool, Store, Nothing };

constexpr std::uint32_t field(std::uint32_t dword, unsigned high_bit, unsigned low_bit) {
    return static_cast<std::uint32_t>((std::uint64_t{dword} >> low_bit) &
                                      ((2ull << (high_bit - low_bit)) - 1));
}

struct Header {
    Kind kind = Kind::None;
    std::uint32_t dwords = 1, least = 1;
    unsigned stage = 0;  ///< of VS, GS, HS, DS, PS
    bool readable() const { return kind != Kind::None && dwords >= least; }
};

inline Header read_other(std::uint32_t dword) {
    const packets::CommandRow* const row = packets::find_command(dword);
    if (row == nullptr) return {};
    Kind kind = Kind::Skip;
    if (row->resource == packets::ResourceAction::Stop) kind = Kind::Stop;
    if (row->resource == packets::ResourceAction::Constants) kind = Kind::Nothing;
    return {kind, row->dwords(dword), row->minimum_dwords};
}

/// 003:2647-2804 with the corrections of RS-07 and RS-10.
inline Header read_header(std::uint32_t dword) {
    Header header;
    const auto is = [&](Kind kind, std::uint32_t least, unsigned length_bits) {
        header.kind = kind;
        header.least = least;
        if (length_bits) header.dwords = field(dword, length_bits - 1, 0) + 2;
    };
    if (field(dword, 31, 29) == 0) {
        switch (field(dword, 28, 23)) {
            case 0x00:
                is(Kind::Skip, 1, 0);
                break;  // MI_NOOP
            case 0x03:
                is(Kind::Block, 1, 0);
                break;  // MI_WAIT_FOR_EVENT
            case 0x05:  // MI_ARB_CHECK
            case 0x06:  // MI_RS_CONTROL
            case 0x0A:  // MI_BATCH_BUFFER_END
            case 0x0F:
                is(Kind::Stop, 1, 0);
                break;  // MI_RS_CONTEXT
            case 0x1C:
                is(Kind::Block, 4, 8);
                break;  // MI_SEMAPHORE_WAIT
            case 0x20:
                is(Kind::Skip, 4, 10);
                break;  // MI_STORE_DATA_IMM
            case 0x2B:
                is(Kind::Store, 4, 8);
                break;  // MI_RS_STORE_DATA_IMM
            case 0x31:
                is(Kind::Stop, 3, 8);
                break;  // MI_BATCH_BUFFER_START
            default:
                return read_other(dword);
        }
        return header;
    }
    const std::uint32_t opcode = field(dword, 31, 16);
    const auto from = [&](std::uint32_t first) { return opcode >= first && opcode < first + 5; };
    if (opcode == 0x6101) is(Kind::Base, 16, 8);
    if (opcode == 0x6904)  // PIPELINE_SELECT: with both mask bits, of what is no 3D
        is(field(dword, 9, 8) == 3 && field(dword, 1, 0) != 0 ? Kind::Stop : Kind::Skip, 1, 0);
    if (opcode == 0x7919 || opcode == 0x791A) is(Kind::Pool, 4, 8);
    if (opcode == 0x7A00) is(Kind::Skip, 6, 8);     // PIPE_CONTROL
    if (opcode == 0x7B00) is(Kind::Fence, 7, 8);    // 3DPRIMITIVE
    if (opcode == 0x7854) is(Kind::Nothing, 4, 8);  // 3DSTATE_RS_CONSTANT_POINTER
    if (from(0x7826)) {
        is(Kind::Table, 2, 8);
        header.stage = std::array{kVs, kHs, kDs, kGs, kPs}[opcode - 0x7826];
    }
    if (from(0x7834)) {
        is(Kind::Gather, 3, 8);
        header.stage = opcode - 0x7834;
    }
    if (from(0x7843)) {
        is(Kind::Edit, 2, 9);
        header.stage = opcode - 0x7843;
    }
    return header.kind == Kind::None ? read_other(dword) : header;
}

/// Memory: several reads, or writes, go out together.
struct Bus {
    using Bytes = std::vector<std::uint8_t>;
    std::function<std::vector<Bytes>(const std::vector<std::uint64_t>& lines)> read;
    std::function<void(const std::vector<std::pair<std::uint64_t, Bytes>>&)> write;
};

struct Pool {
    bool on = false;
    std::uint64_t base = 0, bytes = 0;
    std::uint32_t mocs = 0;
    bool operator==(const Pool&) const = default;
};

class Core {
  public:
    std::uint64_t base = 0;
    Pool tables, gathers;
    std::vector<std::string> errors;  ///< their kinds
    std::uint64_t edits = 0, tables_made = 0, gathers_made = 0, packed = 0, stores = 0, fences = 0;

    void begin_batch() { worked_ = false; }
    std::uint16_t entry(unsigned stage, unsigned n) const { return tables_[stage][n]; }

    static bool makes(const Words& words, bool with_tables, bool with_gathers) {
        const Kind kind = read_header(words[0]).kind;
        if (kind == Kind::Table) return with_tables;
        if (kind != Kind::Gather || !with_tables || !with_gathers) return false;
        const bool table_only = field(words[1], 1, 1), dx9 = field(words[2], 4, 4),
                   registers = field(words[1], 0, 0);
        return !table_only && !dx9 && !registers;
    }
    bool makes(const Words& words) const { return makes(words, tables.on, gathers.on); }

    bool execute(const Words& words, Bus& bus) {
        const Header header = read_header(words[0]);
        const bool product = makes(words);
        switch (header.kind) {
            case Kind::Base:
                change_base(words);
                break;
            case Kind::Fence:
                ++fences;
                break;
            case Kind::Edit:
                edit(header.stage, words);
                break;
            case Kind::Pool:
                (field(words[0], 23, 16) == 0x19 ? tables : gathers) = pool(words);
                break;
            case Kind::Store:
                store(words, bus);
                break;
            case Kind::Table:
                if (product) write_table(header.stage, words, bus);
                break;
            case Kind::Gather:
                load(header.stage, words);
                if (product) gather(header.stage, words, bus);
                break;
            default:
                break;
        }
        return product;
    }

    /// 003:2321-2346: DWord 0x1690 of a context and those behind it.
    Words image() const {
        Words out(0x1E92 - 0x1690, 0);
        const auto put = [&](std::uint32_t at, const Words& words) {
            std::copy(words.begin(), words.end(), out.begin() + (at - 0x1690));
        };
        put(0x1699, pool_words(0x791A, gathers));
        put(0x1962, pool_words(0x7919, tables));
        for (std::uint32_t stage = 0; stage < 5; ++stage) {
            Words loads = {(0x7834 + stage) << 16 | 129, 2, 0},
                  entries = {(0x7843 + stage) << 16 | 256, 3};
            for (unsigned n = 0; n < 256; n += 2)
                loads.push_back(gathers_[stage][n] | std::uint32_t{gathers_[stage][n + 1]} << 16);
            for (std::uint32_t n = 0; n < 256; ++n)
                entries.push_back(n << 16 | tables_[stage][n]);
            put(0x169D + 144 * stage, loads);
            put(0x1966 + 264 * stage, entries);
        }
        put(0x1E8C, {0x05000000});
        return out;
    }
    /// False: something does not belong there, or there is no end.
    bool restore(const Words& image) {
        Bus nowhere;
        for (std::size_t at = 0; at < image.size();) {
            const Header header = read_header(image[at]);
            if (image[at] >> 23 == 0x0A) return true;
            if (!header.readable() || at + header.dwords > image.size()) return false;
            const Words words(image.begin() + at, image.begin() + at + header.dwords);
            if (header.kind == Kind::Gather)
                load(header.stage, words);
            else if (header.kind == Kind::Edit || header.kind == Kind::Pool)
                execute(words, nowhere);
            else if (words[0] >> 23 != 0)  // MI_NOOP
                return false;
            at += header.dwords;
        }
        return false;
    }

  private:
    static std::uint64_t address(std::uint32_t low_dword, std::uint32_t high_dword) {
        return (std::uint64_t{high_dword} << 32 | low_dword) & kAll;
    }
    static Pool pool(const Words& words) {
        return {field(words[1], 11, 11) != 0, address(words[1] & ~0xFFFu, words[2]),
                std::uint64_t{field(words[3], 31, 12)} * 4096, field(words[1], 6, 0)};
    }
    static Words pool_words(std::uint32_t opcode, const Pool& pool) {
        return {opcode << 16 | 2, low(pool.base) | (pool.on ? 0x800u : 0) | pool.mocs,
                high(pool.base), static_cast<std::uint32_t>(pool.bytes / 4096) << 12};
    }
    void change_base(const Words& words) {
        if (!field(words[4], 0, 0)) return;
        const std::uint64_t next = address(words[4] & ~0xFFFu, words[5]);
        if (worked_ && next != base) errors.emplace_back("surface state base");
        base = next;
    }
    void edit(unsigned stage, const Words& words) {
        if (!field(words[1], 0, 0)) return;  // of another core
        for (unsigned n = 0; n < 256; ++n)
            if (field(words[1], 16 + n / 16, 16 + n / 16)) tables_[stage][n] = 0;
        for (std::size_t i = 2; i < words.size(); ++i, ++edits)
            tables_[stage][field(words[i], 23, 16)] =
                static_cast<std::uint16_t>(field(words[i], 15, 0));
    }
    void load(unsigned stage, const Words& words) {
        if (field(words[2], 3, 3)) return;  // reads the table there is
        gathers_[stage].fill(0);
        for (std::size_t n = 0; n < 2 * (words.size() - 3); ++n) {
            if (n == 256) {
                errors.emplace_back("gather table");
                return;
            }
            gathers_[stage][n] = static_cast<std::uint16_t>(words[3 + n / 2] >> 16 * (n % 2));
        }
    }
    void store(const Words& words, Bus& bus) {
        ++stores;
        Bus::Bytes bytes;
        for (unsigned n = 0; n < 4; ++n)
            bytes.push_back(static_cast<std::uint8_t>(words[3] >> 8 * n));
        bus.write({{address(words[1] & ~3u, words[2]), bytes}});
    }
    /// What lies within the pool, a line at a time.
    void write(const Pool& pool, std::uint64_t offset, const Bus::Bytes& bytes, Bus& bus) {
        std::vector<std::pair<std::uint64_t, Bus::Bytes>> lines;
        bool beyond = false;
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            const std::uint64_t at = (pool.base + offset + n) & kAll;
            if (offset + n >= pool.bytes) {
                beyond = true;
                continue;
            }
            if (n == 0 || at % 64 == 0) lines.push_back({at, {}});
            lines.back().second.push_back(bytes[n]);
        }
        if (beyond) errors.emplace_back("pool");
        bus.write(lines);
    }
    void write_table(unsigned stage, const Words& words, Bus& bus) {
        Bus::Bytes bytes;
        for (unsigned line = 0; line < 8; ++line) {
            bool used = line == 0;  // this line or one behind it has an entry
            for (unsigned n = 32 * line; n < 256; ++n)
                used |= tables_[stage][n] != 0;
            for (unsigned n = 32 * line; used && n < 32 * line + 32; ++n) {
                bytes.push_back(static_cast<std::uint8_t>(tables_[stage][n]));
                bytes.push_back(static_cast<std::uint8_t>(tables_[stage][n] >> 8));
            }
        }
        write(tables, std::uint64_t{field(words[1], 15, 5)} * 64, bytes, bus);
        ++tables_made;
        worked_ = true;
    }

    /// A constant buffer; without bytes: it reads zero.
    struct Buffer {
        std::uint64_t base = 0, bytes = 0;
    };
    void gather(unsigned stage, const Words& words, Bus& bus) {
        std::vector<std::uint32_t> elements;
        std::set<unsigned> used;
        bool invalid = false;
        for (const std::uint32_t each : gathers_[stage]) {
            if (field(each, 7, 4) == 0) continue;
            elements.push_back(each);
            if (words[1] >> (16 + field(each, 3, 0)) & 1)
                used.insert(field(each, 3, 0));
            else
                invalid = true;
        }
        if (invalid) errors.emplace_back("gather");
        std::vector<std::uint64_t> at;
        for (const unsigned n : used)
            at.push_back((base + 64ull * tables_[stage][16 * field(words[1], 15, 12) + n]) & kAll);
        const auto states = bus.read(at);
        std::array<Buffer, 16> buffers;
        for (unsigned i = 0; const unsigned n : used)
            buffers[n] = buffer(states[i++]);
        // Each line that holds a byte of an element and of its buffer, once.
        std::set<std::uint64_t> lines;
        for (const std::uint32_t each : elements)
            for (std::uint64_t n = 16 * field(each, 15, 8), end = n + 16; n < end; ++n)
                if (const Buffer& from = buffers[field(each, 3, 0)]; n < from.bytes)
                    lines.insert((from.base + n) & kAll & ~63ull);
        const std::vector<std::uint64_t> order(lines.begin(), lines.end());
        const auto data = bus.read(order);
        Bus::Bytes bytes;
        for (const std::uint32_t each : elements)
            for (unsigned channel = 0; channel < 4; ++channel) {
                if (!(each >> (4 + channel) & 1)) continue;
                const Buffer& from = buffers[field(each, 3, 0)];
                const std::uint64_t offset = 16 * field(each, 15, 8) + 4 * channel;
                for (unsigned n = 0; n < 4; ++n) {
                    std::uint8_t byte = 0;  // so is what lies beyond the buffer's end
                    if (offset + 4 <= from.bytes) {
                        const std::uint64_t place = (from.base + offset + n) & kAll;
                        const auto line = std::ranges::find(order, place & ~63ull) - order.begin();
                        byte = data[static_cast<std::size_t>(line)][place % 64];
                    }
                    bytes.push_back(byte);
                }
            }
        write(gathers, words[2] & 0x7F'FFC0, bytes, bus);
        ++gathers_made;
        packed += bytes.size() / 4;
        worked_ = true;
    }
    Buffer buffer(const Bus::Bytes& state) {
        const auto dword = [&](unsigned n) {
            return static_cast<std::uint32_t>(state[4 * n] | state[4 * n + 1] << 8 |
                                              state[4 * n + 2] << 16) |
                   std::uint32_t{state[4 * n + 3]} << 24;
        };
        const std::uint32_t type = field(dword(0), 31, 29);
        if (type == 7) return {};  // a null surface
        if (type != 4) {
            errors.emplace_back("gather");
            return {};
        }
        // One less than the count: 7 bits, 14 bits, the rest.
        const std::uint64_t last = field(dword(2), 6, 0) + 128ull * field(dword(2), 29, 16) +
                                   128ull * 16384 * field(dword(3), 31, 21);
        return {address(dword(8) & ~3u, dword(9)), (last + 1) * (field(dword(3), 17, 0) + 1)};
    }

    std::array<std::array<std::uint16_t, 256>, 5> tables_{}, gathers_{};
    bool worked_ = false;  ///< in this batch, with the surface state base
};

}  // namespace gen9::test::plain
