// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "packets/commands.h"

namespace gen9::cs {

/// A state command that means nothing here, and that the image keeps as it was given (CS-105).
struct KeptCommand {
    const char* name;     ///< of its row in packets/commands.cpp
    std::uint16_t dword;  ///< of the image
};
inline constexpr KeptCommand kKeptCommands[] = {
    {"MI_TOPOLOGY_FILTER", 0x140},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_VS", 0x157},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_HS", 0x159},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_DS", 0x15B},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_GS", 0x15D},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_PS", 0x15F},
    {"3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC", 0x169},
    {"MI_URB_ATOMIC_ALLOC", 0x16E},
};

/// What a context has given of them, by DWord of the image from kFirst on. 0: not given.
struct KeptCommands {
    static constexpr unsigned kFirst = 0x140;
    std::array<std::uint32_t, 0x30> words{};

    void keep(const packets::CommandRow& row, std::span<const std::uint32_t> dwords);
    void put(std::span<std::uint32_t> image) const;
};

}  // namespace gen9::cs
