// SPDX-License-Identifier: Apache-2.0
// Random commands of the media pipe, bit by bit: most are legal, some at a limit, some beyond it.
#pragma once
#include <random>

#include "tests/unit/media/walk/plain_front_end.h"

namespace gen9::media::test {

class RandomCommands {
  public:
    RandomCommands(unsigned seed, const PlainMachine& machine) : random_(seed), machine_(machine) {}

    std::uint32_t any() { return static_cast<std::uint32_t>(random_()); }
    unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
    bool one_in(unsigned n) { return below(n) == 0; }
    /// Mostly below `usual`, sometimes below `most`.
    unsigned size(unsigned usual, unsigned most) { return below(one_in(12) ? most : usual); }

    PipelineCommand vfe(const PipelineStatePtr& state) {
        auto c = make_command(0x70000007, 9, state);
        const unsigned scratch = size(12, 16), stack = size(12, 16);
        c.dwords[1] = below(1 << 20) << 10 | stack << 4 | scratch;
        c.dwords[2] = size(3, 1 << 16);
        const unsigned entries = one_in(12) ? 124 + below(8) : below(6);
        const unsigned most =
            machine_.slices * machine_.subslices * machine_.eus * machine_.threads;
        const unsigned threads = one_in(5) ? below(1 << 16) : 1 + below(most);
        c.dwords[3] = threads << 16 | entries << 8;
        c.dwords[4] = one_in(3) ? below(4) : 0;
        unsigned curbe_rows = below(90), entry_rows = one_in(2) ? below(20) : below(140);
        if (one_in(8) && entries != 0) {  // about what there is
            entry_rows = (machine_.urb_rows - 64 - curbe_rows) / entries;
            curbe_rows = machine_.urb_rows - 64 - entry_rows * entries + below(3) - 1;
        }
        c.dwords[5] = entry_rows << 16 | (curbe_rows & 0xFFFF);
        c.dwords[6] = std::uint32_t(one_in(2)) << 31 | std::uint32_t(one_in(2)) << 30 | below(256);
        if (one_in(2))
            c.power_request = std::uint32_t(!one_in(4)) << 31 | std::uint32_t(one_in(2)) << 18 |
                              below(4) << 15 | std::uint32_t(one_in(2)) << 11 | below(5) << 8 |
                              size(10, 16) << 4 | below(16);
        return c;
    }
    /// Reserved bits and hints are anything. `kernel`: ~0 for one that lies nowhere.
    std::array<std::uint32_t, 8> descriptor(std::uint32_t kernel) {
        std::array<std::uint32_t, 8> d;
        for (auto& word : d)
            word = any();
        d[0] |= 1u << 31;
        if (kernel != ~0u) {
            d[0] = kernel;
            d[1] &= ~0xFFFFu;
        }
        const unsigned own = one_in(2) ? 0 : size(4, 140), cross = one_in(2) ? 0 : size(5, 140);
        d[5] = own << 16 | size(8, 100);
        const unsigned slm = one_in(2) ? size(8, 12) : 0;
        const bool barrier = one_in(2), global = barrier && one_in(3);
        const unsigned threads = one_in(3) ? below(1024) : below(80);
        d[6] = (d[6] & 0xFFC07C00) | slm << 16 | std::uint32_t(barrier) << 21 |
               std::uint32_t(global) << 15 | threads;
        d[7] = (d[7] & ~0xFFu) | cross;
        return d;
    }
    PipelineCommand command(PlainKind kind, const PipelineStatePtr& state) {
        constexpr std::uint32_t kHeaders[] = {0x7105000D, 0x71000000, 0x71060000, 0x7102000E,
                                              0x71030000};
        PipelineCommand c = make_command(kHeaders[unsigned(kind)], 6, state);
        for (unsigned i = 1; i < 20; ++i)
            c.dwords[i] = any();
        c.dwords[1] = size(16, 20);
        switch (kind) {
            case PlainKind::Gpgpu:
                gpgpu(c);
                break;
            case PlainKind::Object:
            case PlainKind::Grpid:
                c.dwords[2] = (one_in(3) ? size(300, 1 << 14) : 0) | below(4) << 17 |
                              std::uint32_t(one_in(2)) << 21 | std::uint32_t(one_in(3)) << 22 |
                              std::uint32_t(one_in(2)) << 23 | std::uint32_t(one_in(3)) << 24 |
                              std::uint32_t(one_in(3)) << 31;
                if (one_in(4)) c.dwords[2] |= below(4) << 19;
                if (one_in(9)) c.dwords[2] |= below(4) << 25;
                c.dwords[3] =
                    one_in(8) ? 0x3000 - (c.dwords[2] & 0x1FFFF) + below(3) - 1 : below(0x2000);
                c.length_dwords = kind == PlainKind::Object ? 6 : 7;
                add_inline(c);
                break;
            case PlainKind::Prt:
                c.dwords[2] = below(4) << 22 | std::uint32_t(one_in(2)) << 31;
                c.length_dwords = 16;
                break;
            case PlainKind::Walker:
                loops(c);
                add_inline(c);
                break;
        }
        return c;
    }

  private:
    void add_inline(PipelineCommand& c) {
        const unsigned more = one_in(2) ? 0 : one_in(10) ? below(1000) : below(30);
        for (unsigned i = 0; i < more; ++i)
            c.dwords.at(c.length_dwords++) = any();
    }
    void gpgpu(PipelineCommand& c) {
        c.length_dwords = 15;
        c.dwords[0] |= std::uint32_t(one_in(3)) << 10;
        c.dwords[2] = one_in(2) ? size(600, 1 << 14) : 0;
        c.dwords[3] = one_in(8) ? 0x3000 - (c.dwords[2] & 0x1FFFF) + 64 * below(2) : below(0x2000);
        const unsigned widest = one_in(6) ? 64 : 4;
        c.dwords[4] = below(widest) | below(3) << 8 | below(2) << 16 | size(3, 4) << 30;
        constexpr unsigned kStart[] = {5, 8, 11}, kEnd[] = {7, 10, 12};
        for (unsigned i = 0; i < 3; ++i) {
            c.dwords[kStart[i]] = one_in(4) ? below(2000) : 0;
            c.dwords[kEnd[i]] = c.dwords[kStart[i]] + below(one_in(20) ? 1 : 3) + !one_in(20);
            c.indirect_dimensions[i] = c.dwords[kEnd[i]];
            if (c.dwords[0] >> 10 & 1) c.dwords[kEnd[i]] = any();
        }
        if (machine_.ids_return_to_zero)
            for (unsigned i = 0; i < 3; ++i)
                if (c.dwords[kStart[i]] > 5) {
                    c.indirect_dimensions[i] -= c.dwords[kStart[i]] - 2;
                    c.dwords[kEnd[i]] -= c.dwords[kStart[i]] - 2;
                    c.dwords[kStart[i]] = 2;
                }
    }
    void loops(PipelineCommand& c) {
        const auto pair = [&](int low, int high) {
            const auto part = [&] {
                return static_cast<std::uint32_t>(low + int(below(unsigned(high - low + 1)))) &
                       0xFFF;
            };
            const std::uint32_t x = part(), y = part();
            return y << 16 | x;
        };
        const unsigned masked = one_in(4) ? below(4) : 0;
        c.dwords[2] = (one_in(20) ? below(64) : 0) | masked << 22 | std::uint32_t(one_in(2)) << 21 |
                      std::uint32_t(one_in(3)) << 24;
        c.dwords[5] = (one_in(2) ? size(6, 8) : 0) << 8 | below(256);
        c.dwords[6] = below(4) << 8 | below(4) << 12 | below(3) << 16 | size(2, 4) << 24;
        c.dwords[7] = below(6) | below(3) << 16;
        c.dwords[8] = pair(0, 9);
        c.dwords[9] = pair(0, 2);
        c.dwords[11] = pair(-2, 2);
        c.dwords[12] = pair(-2, 2);
        c.dwords[13] = masked && one_in(3) ? pair(0, 140) : pair(0, 20);
        c.dwords[14] = pair(-6, 12);
        c.dwords[15] = pair(-8, 8);
        c.dwords[16] = pair(-8, 8);
        c.length_dwords = 17;
    }

    std::mt19937 random_;
    PlainMachine machine_;
};

}  // namespace gen9::media::test
