// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iterator>

namespace gen9::platform {

/// Commands that a driver may carry out by kernels of its own.
enum class DriverCommand : std::uint32_t { Read, Write, Copy, Fill, Map, Unmap };
inline constexpr const char* kDriverCommandWords[] = {"read", "write", "copy",
                                                      "fill", "map",   "unmap"};

/// While a thread is in such a command its submissions have this number and the command's place in
/// the list, as those of launches have the launch's.
inline constexpr std::uint32_t kFirstDriverCommand = 1u << 30;
constexpr std::uint32_t number_of(DriverCommand command) {
    return kFirstDriverCommand + static_cast<std::uint32_t>(command);
}
/// Says what the command of a number does; null: it is none of these.
constexpr const char* driver_command_word(std::uint32_t number) {
    const std::uint32_t place = number - kFirstDriverCommand;
    return place < std::size(kDriverCommandWords) ? kDriverCommandWords[place] : nullptr;
}

}  // namespace gen9::platform
