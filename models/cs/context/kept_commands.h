// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace gen9::cs {

/// A state command that means nothing here, and that the image keeps as it was given (CS-105).
struct KeptCommand {
    std::uint32_t value, mask;  ///< of its header
    std::uint16_t dword;        ///< of the image
    std::uint16_t count;
};
inline constexpr KeptCommand kKeptCommands[] = {
    {0x06800000, 0xFF800000, 0x140, 1},  // MI_TOPOLOGY_FILTER
    {0x79120000, 0xFFFF0000, 0x157, 2},  // 3DSTATE_PUSH_CONSTANT_ALLOC_VS
    {0x79130000, 0xFFFF0000, 0x159, 2},  // HS
    {0x79140000, 0xFFFF0000, 0x15B, 2},  // DS
    {0x79150000, 0xFFFF0000, 0x15D, 2},  // GS
    {0x79160000, 0xFFFF0000, 0x15F, 2},  // PS
    {0x791B0000, 0xFFFF0000, 0x169, 4},  // 3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC
    {0x04800000, 0xFF800000, 0x16E, 1},  // MI_URB_ATOMIC_ALLOC
};

/// What a context has given of them, by DWord of the image from kFirst on. 0: not given.
struct KeptCommands {
    static constexpr unsigned kFirst = 0x140;
    std::array<std::uint32_t, 0x30> words{};

    void keep(std::span<const std::uint32_t> dwords) {
        const auto found = std::ranges::find_if(kKeptCommands, [&](const KeptCommand& kept) {
            return (dwords[0] & kept.mask) == kept.value;
        });
        if (found == std::end(kKeptCommands) || dwords.size() < found->count) return;
        std::copy_n(dwords.begin(), found->count, words.begin() + (found->dword - kFirst));
    }
    void put(std::span<std::uint32_t> image) const {
        for (const KeptCommand& kept : kKeptCommands)
            std::copy_n(words.begin() + (kept.dword - kFirst), kept.count,
                        image.begin() + kept.dword);
    }
};

}  // namespace gen9::cs
