// SPDX-License-Identifier: Apache-2.0
#include "cs/registers/privilege.h"

#include <algorithm>

namespace gen9::cs {
namespace {

constexpr const char* kParser = "Public: Linux i915 command parser";
constexpr const char* kMesa = "Public: Mesa writes it from its batches";
constexpr const char* kNeo = "Public: Intel's compute runtime writes it from its batches";
/// Linux names it in RCS_FORCE_TO_NONPRIV; the simulator's driver, without a kernel, relies on it.
constexpr const char* kLinux = "Public: Linux i915 opens it to user mode";
constexpr const char* kCounter = "003:1238 (CS-15)";

constexpr UserRegisters kUser[] = {
    {0x2094, 1, kLinux},   {0x20D8, 1, kNeo},     {BB_OFFSET, 1, "Assumed: of a batch's own use"},
    {0x2248, 1, kLinux},   {0x2290, 2, kParser},  {0x22C8, 2, kCounter},
    {0x22D8, 2, kCounter}, {0x22F0, 2, kCounter}, {0x22F8, 2, kCounter},
    {0x2300, 22, kParser}, {0x23BC, 1, kMesa},    {0x2400, 8, kParser},
    {0x2420, 1, kParser},  {0x2430, 5, kParser},  {0x2448, 4, kCounter},
    {0x2500, 3, kParser},  {0x2580, 1, kLinux},   {0x2600, 32, kParser},
    {0x5200, 8, kParser},  {0x5240, 8, kParser},  {0x5280, 4, kParser},
    {0x7000, 1, kMesa},    {0x7004, 1, kMesa},    {0x7008, 1, kMesa},
    {0x7034, 1, kNeo},     {0x7304, 1, kLinux},   {0xB118, 1, kLinux},
    {0xE400, 2, kNeo},
};

constexpr bool in_order() {
    std::uint32_t next = 0;
    for (const UserRegisters& run : kUser) {
        if (run.offset < next) return false;
        next = run.offset + 4u * run.count;
    }
    return true;
}
static_assert(in_order());

constexpr std::uint32_t kForceToNonPrivileged = 0x24D0;
constexpr unsigned kForced = 12;
constexpr std::uint32_t kOffsetBits = 0x3FFFFFC;

}  // namespace

std::span<const UserRegisters> user_registers() {
    return kUser;
}

bool user_may_write(const RegisterFile& file, std::uint32_t offset) {
    const auto next = std::ranges::upper_bound(kUser, offset, {}, &UserRegisters::offset);
    if (next != std::begin(kUser) && offset < std::prev(next)->offset + 4u * std::prev(next)->count)
        return true;
    for (unsigned i = 0; i < kForced; ++i)
        if ((file.read(kForceToNonPrivileged + 4 * i) & kOffsetBits) == offset) return true;
    return false;
}

}  // namespace gen9::cs
