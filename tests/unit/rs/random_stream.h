// SPDX-License-Identifier: Apache-2.0
// Random streams of the resource streamer, and the memory that they name.
#pragma once
#include <random>
#include <vector>

#include "tests/unit/rs/plain_core.h"

namespace gen9::test::plain {

class RandomStream {
  public:
    explicit RandomStream(unsigned seed) : random_(seed) {
        // At the end of the address space too, where it goes on at 0.
        const bool wraps = any(4) == 0;
        stream_at = wraps ? kAll + 1 - 4096 : 0x6000'0000;
        surfaces_ = 0x5020'0000;
        constants_ = any(4) == 0 ? kAll + 1 - 1024 : 0x5030'0000;
        tables_ = any(4) == 0 ? kAll + 1 - 4096 : 0x5000'0000;
        gathers_ = 0x5010'0000;
        stage_ = any(5);
    }

    std::uint64_t stream_at;
    static constexpr std::uint32_t kPages = 3;  ///< of each place
    static constexpr std::uint64_t kContexts = 0x7000'0000;

    std::uint32_t any(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
    std::uint32_t dword() { return static_cast<std::uint32_t>(random_()); }
    bool once_in(std::uint32_t n) { return any(n) == 0; }

    /// Pages of the places that streams name. Some are missing at times.
    std::vector<std::uint64_t> pages() {
        std::vector<std::uint64_t> out;
        for (const std::uint64_t place : {stream_at, surfaces_, constants_, tables_, gathers_})
            for (std::uint64_t n = 0; n < kPages; ++n)
                if (place == stream_at || !once_in(20))
                    out.push_back(((place & ~0xFFFull) + 4096 * n) & kAll);
        return out;
    }
    /// What lies there, by address: surface states and constants.
    std::vector<std::pair<std::uint64_t, std::uint32_t>> contents() {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> out;
        const auto put = [&](std::uint64_t at, const Words& words) {
            for (std::size_t n = 0; n < words.size(); ++n)
                out.emplace_back((at + 4 * n) & kAll, words[n]);
        };
        for (std::uint64_t n = 0; n < 16; ++n)
            put(surfaces_ + 64 * n, surface());
        for (std::uint64_t n = 0; n < 1024; ++n)
            put(constants_ + 4 * n, {dword()});
        return out;
    }

    /// A command; few of them end a stretch.
    Words command() {
        if (once_in(3)) stage_ = any(5);
        switch (any(24)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return edit_some();
            case 4:
            case 5:
            case 6:
            case 7:
                return pointers(stage_, table_offset());
            case 8:
            case 9:
            case 10:
            case 11:
            case 12:
                return gather_some();
            case 13:
                return table_pool();
            case 14:
                return gather_pool();
            case 15:
                return once_in(2) ? base() : Words{0x7B000005, 0, 0, 0, 0, 0, 0};
            case 16:
            case 17:
                return store();
            case 18:
                return Words(1 + any(20), 0);
            case 19:
                return skipped();
            case 20:
                return Words{0x7B000005, dword(), 0, 0, 0, 0, 0};
            case 21:
                return once_in(2) ? Words{0x78540002, dword(), dword(), dword()}
                                  : Words{0x69040000u | any(4) << 8 | any(4)};
            case 22:
                return once_in(3) ? stopping() : store();
            default:
                return once_in(12) ? unreadable() : gather_some();
        }
    }
    Words stopping() {
        switch (any(8)) {
            case 0:
                return {0x01800000};
            case 1:
                return {0x0E00C002, dword(), dword(), dword()};
            case 2:
                return {0x02800000};
            case 3:
                return {0x03000000 | any(2)};
            case 4:
                return {0x05000000};
            case 5:
                return {0x07800000 | any(2)};
            case 6:
                return {0x18800501, dword(), dword()};
            default:
                return {0x69040300 | (1 + any(2))};
        }
    }
    Words unreadable() {
        switch (any(4)) {
            case 0:
                return {0x0F800000};  // MI_RESERVED
            case 1:
                return {0x79190001, dword(), 0};  // shorter than its fields
            case 2:
                return {0x78340000, dword()};
            default:
                return {0x7B000004, 0, 0, 0, 0, 0};
        }
    }
    Pool some_pool(std::uint64_t base) {
        // Smaller than what is written to it, at times.
        return {!once_in(8), base, once_in(8) ? 0 : 4096ull * (1 + any(kPages)), any(128)};
    }
    Pool some_table_pool() { return some_pool(tables_); }
    Pool some_gather_pool() { return some_pool(once_in(8) ? constants_ & ~0xFFFull : gathers_); }
    std::uint64_t some_base() { return once_in(6) ? gathers_ : surfaces_; }

  private:
    static Words pool_command(std::uint32_t opcode, const Pool& pool) {
        return {opcode << 16 | 2, low(pool.base) | (pool.on ? 0x800u : 0) | pool.mocs,
                high(pool.base), static_cast<std::uint32_t>(pool.bytes)};
    }
    /// Bits 63:48 of an address say nothing.
    std::uint32_t upper(std::uint64_t address) {
        return high(address) | (once_in(2) ? dword() << 16 : 0);
    }
    Words table_pool() {
        Words out = pool_command(0x7919, some_table_pool());
        out[2] |= upper(0);
        return out;
    }
    Words gather_pool() {
        Words out = pool_command(0x791A, some_gather_pool());
        out[2] |= upper(0);
        return out;
    }
    Words base() {
        Words out = surface_base(some_base());
        out[5] = upper(std::uint64_t{out[5]} << 32);
        if (once_in(4)) out[4] &= ~1u;  // it is not modified
        out.resize(once_in(2) ? 16 : 19);
        out[0] = 0x61010000 | static_cast<std::uint32_t>(out.size() - 2);
        return out;
    }
    std::uint32_t table_offset() { return once_in(6) ? any(0x800) * 64 : any(kPages * 64) * 64; }
    Words edit_some() {
        Words entries(once_in(30) ? 200 + any(80) : any(10));
        const bool low_block = once_in(2);
        for (std::uint32_t& each : entries)
            each = (low_block ? any(20) : any(256)) << 16 | (once_in(12) ? dword() >> 16 : any(16));
        // Mostly some block is cleared, and for this core.
        Words out = edit(stage_, entries,
                         once_in(2)   ? 0
                         : once_in(8) ? dword() >> 16
                                      : 1u << any(16),
                         once_in(8) ? 2 : 1 + 2 * any(2));
        for (std::size_t n = 2; n < out.size(); ++n)
            if (once_in(3)) out[n] |= dword() << 24;  // bits without meaning
        return out;
    }
    Words gather_some() {
        Words elements(once_in(40) ? 240 + any(40) : any(12));
        const bool one_buffer = once_in(2);
        const std::uint32_t buffer = any(16);
        for (std::uint32_t& each : elements)
            each = element(one_buffer ? buffer : any(16), once_in(5) ? 0 : any(16),
                           once_in(6) ? any(256) : any(24));
        const std::uint32_t valid = once_in(4) ? dword() & 0xFFFF : 0xFFFF;
        const std::uint32_t block = once_in(2) ? 0 : any(16);
        const std::uint32_t only = once_in(10) ? 2 : once_in(20) ? 1 : 0;
        const std::uint32_t table = once_in(6) ? 8 : 0, dx9 = once_in(20) ? 16 : 0;
        const std::uint32_t offset = once_in(8) ? dword() & 0x7F'FFC0 : any(kPages * 64) * 64;
        return gather(stage_, valid, offset, elements, block << 12 | only, table | dx9);
    }
    Words store() {
        const std::uint64_t at = once_in(20)   ? stream_at + 4 * any(2000)
                                 : once_in(20) ? kContexts + 4 * (0x1690 + any(0x802))
                                 : once_in(3)  ? surfaces_ + 64 * any(16) + 4 * (8 + any(2))
                                 : once_in(2)  ? constants_ + 4 * any(200)
                                               : gathers_ + 4 * any(1024);
        return {0x15800002, low(at & kAll) | any(4), upper(at & kAll),
                once_in(4) ? command()[0] : any(0x5030'0400)};
    }
    Words skipped() {
        Words out = {0x10000000 | (2 + any(60)), dword()};
        if (once_in(2)) out[0] = 0x7A000000 | (4 + any(8));
        out.resize(field(out[0], 7, 0) + 2, dword());
        return out;
    }
    Words surface() {
        const std::uint32_t pitch = once_in(2) ? 1 : 1 + any(16);
        const std::uint32_t count = once_in(8) ? 1 + any(1u << 24) : 1 + any(2000 / pitch);
        std::uint64_t at = constants_ + 4 * any(200) + (once_in(4) ? any(4) : 0);
        if (once_in(8)) at = gathers_ + 4 * any(1000);
        Words out = buffer_surface(at & kAll, count, pitch);
        out[2] |= dword() & 0xC000'3F80;
        out[3] |= dword() & 0x0018'0000;
        out[9] = upper(at & kAll);
        if (once_in(6)) out[0] = (once_in(2) ? 7 : any(8)) << 29;
        return out;
    }

    std::mt19937 random_;
    std::uint64_t surfaces_, constants_, tables_, gathers_;
    std::uint32_t stage_;
};

}  // namespace gen9::test::plain
