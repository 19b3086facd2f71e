// SPDX-License-Identifier: Apache-2.0
#include "cs/no_effect.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace gen9::cs {
namespace {

constexpr const char* kInterrupt =
    "interrupts are counted; only in a virtual platform does a host take them";
constexpr const char* kDisplay = "there is no display";
constexpr const char* kDisplayWait = "there is no display; the wait is passed";
constexpr const char* kAlwaysOn = "power and clocks are not modelled: every unit is always on";
constexpr const char* kLlc =
    "host and engine both see memory through the last level cache; nothing reads past it";
constexpr const char* kDraws = "only a draw would use it, and none looks at it";
constexpr const char* kFineFilter =
    "EUs and kinds of instructions are not told apart; such a counter stands still";
constexpr const char* kEvents = "the B and C counters stand at 0, and no event asks for a report";
constexpr const char* kWaits = "all earlier work is waited for, whatever part of it the bit names";

// clang-format off
constexpr NoEffect kCommandRows[] = {
    {"MI_USER_INTERRUPT", "", 0x01000000, 0, 31, 0, 0, "", kInterrupt},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane1AScanLineWaitEnable", 0x01800000, 0, 0, 0, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane1FlipPendingWaitEnable", 0x01800000, 0, 1, 1, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane4FlipPendingWaitEnable", 0x01800000, 0, 2, 2, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane1AVerticalBlankWaitEnable", 0x01800000, 0, 3, 3, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane7FlipPendingWaitEnable", 0x01800000, 0, 6, 6, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane8FlipPendingWaitEnable", 0x01800000, 0, 7, 7, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane1BScanLineWaitEnable", 0x01800000, 0, 8, 8, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane2FlipPendingWaitEnable", 0x01800000, 0, 9, 9, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane5FlipPendingWaitEnable", 0x01800000, 0, 10, 10, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane1BVerticalBlankWaitEnable", 0x01800000, 0, 11, 11, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane1CScanLineWaitEnable", 0x01800000, 0, 14, 14, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane3FlipPendingWaitEnable", 0x01800000, 0, 15, 15, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane9FlipPendingWaitEnable", 0x01800000, 0, 16, 16, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane10FlipPendingWaitEnable", 0x01800000, 0, 17, 17, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane11FlipPendingWaitEnable", 0x01800000, 0, 18, 18, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane12FlipPendingWaitEnable", 0x01800000, 0, 19, 19, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane6FlipPendingWaitEnable", 0x01800000, 0, 20, 20, 0, "CS-130", kDisplayWait},
    {"MI_WAIT_FOR_EVENT", "DisplayPlane1CVerticalBlankWaitEnable", 0x01800000, 0, 21, 21, 0, "CS-130", kDisplayWait},
    {"MI_URB_ATOMIC_ALLOC", "", 0x04800000, 0, 31, 0, 0, "", "only a draw's threads would use that part of the URB, and none does"},
    {"MI_SUSPEND_FLUSH", "", 0x05800000, 0, 31, 0, 0, "", "it holds back flushes for VT-d and by registers, and there are none"},
    {"MI_LOAD_SCAN_LINES_INCL", "", 0x09000000, 0, 31, 0, 0, "", kDisplay},
    {"MI_LOAD_SCAN_LINES_EXCL", "", 0x09800000, 0, 31, 0, 0, "", kDisplay},
    {"MI_DISPLAY_FLIP", "", 0x0A000000, 0, 31, 0, 0, "CS-148", "there is no display; nothing is shown"},
    {"MI_SEMAPHORE_SIGNAL", "TargetEngineSelect", 0x0D800000, 0, 17, 15, 0, "CS-148", "other engines are not modelled"},
    {"MI_SEMAPHORE_SIGNAL", "TargetContextID", 0x0D800000, 1, 31, 0, 0, "", "no other context is on this engine; one that waits reads its semaphore when it comes back"},
    {"MI_FORCE_WAKEUP", "", 0x0E800000, 0, 31, 0, 0, "", kAlwaysOn},
    {"MI_STORE_DATA_IMM", "CoreModeEnable", 0x10000000, 1, 0, 0, 0, "", "it offsets the address by the core's number, and this engine is core 0"},
    {"MI_LOAD_REGISTER_IMM", "ForcePosted", 0x11000000, 0, 12, 12, 0, "", "a write acts before the next command, as a posted one may"},
    {"MI_FLUSH_DW", "VideoPipelineCacheInvalidate", 0x13000000, 0, 7, 7, 0, "", "the render engine has no video pipe"},
    {"MI_FLUSH_DW", "NotifyEnable", 0x13000000, 0, 8, 8, 0, "", kInterrupt},
    {"MI_FLUSH_DW", "FlushLLC", 0x13000000, 0, 9, 9, 0, "", kLlc},
    {"MI_CLFLUSH", "", 0x13800000, 0, 31, 0, 0, "", kLlc},
    {"MI_REPORT_PERF_COUNT", "CoreModeEnable", 0x14000000, 1, 4, 4, 0, "", "it offsets the address by the core's number, and this engine is core 0"},
    {"MI_LOAD_REGISTER_MEM", "AsyncModeEnable", 0x14800000, 0, 21, 21, 0, "", "the load acts before the next command, as an asynchronous one may"},
    {"MI_ATOMIC", "CSSTALL", 0x17800000, 0, 17, 17, 0, "", "the streamer waits for every atomic operation"},
    {"STATE_PREFETCH", "", 0x60030000, 0, 31, 0, 0, "", "it is a hint (CS-46)"},
    {"PIPELINE_SELECT", "SliceCommonPowerGateEnable", 0x69040000, 0, 2, 2, 0, "", kAlwaysOn},
    {"PIPELINE_SELECT", "SamplerPowerGateEnable", 0x69040000, 0, 3, 3, 0, "", kAlwaysOn},
    {"PIPELINE_SELECT", "MediaSamplerDOPClockGateEnable", 0x69040000, 0, 4, 4, 0, "", kAlwaysOn},
    {"PIPELINE_SELECT", "ForceMediaAwake", 0x69040000, 0, 5, 5, 0, "", kAlwaysOn},
    {"PIPE_CONTROL", "StallAtPixelScoreboard", 0x7A000000, 1, 1, 1, 0, "", kWaits},
    {"PIPE_CONTROL", "ProtectedMemoryApplicationID", 0x7A000000, 1, 6, 6, 0, "", "there are no protected sessions"},
    {"PIPE_CONTROL", "NotifyEnable", 0x7A000000, 1, 8, 8, 0, "", kInterrupt},
    {"PIPE_CONTROL", "DepthStallEnable", 0x7A000000, 1, 13, 13, 0, "", kWaits},
    {"PIPE_CONTROL", "SynchronizeGFDTSurface", 0x7A000000, 1, 17, 17, 0, "", "the bit is reserved on Gen9 (CS-81)"},
    {"PIPE_CONTROL", "GlobalSnapshotCountReset", 0x7A000000, 1, 19, 19, 0, "", "it must not be used (CS-77); nothing is reset"},
    {"PIPE_CONTROL", "FlushLLC", 0x7A000000, 1, 26, 26, 0, "", kLlc},
    {"PIPE_CONTROL", "ProtectedMemoryDisable", 0x7A000000, 1, 27, 27, 0, "", "there are no protected sessions"},
};
constexpr NoEffect kRegisterRows[] = {
    {"EXCC", "all", 0x2028, 0, 31, 0, 0, "", "no command of Gen9 waits for its condition codes"},
    {"INSTPM", "instruction disables", 0x20C0, 0, 3, 1, 0, "CS-13", "commands are executed; the disables of CS_DEBUG_MODE2 are modelled"},
    {"INSTPM", "CONSTANT_BUFFER Address Offset Disable", 0x20C0, 0, 6, 6, 0, "", kDraws},
    {"R_PWR_CLK_STATE", "EU Minimum", 0x20C8, 0, 3, 0, 0, "", "as many EUs as the maximum asks for are on"},
    {"GFX_MODE", "PPGTT Enable", 0x229C, 0, 9, 9, 1, "", "the context descriptor says which tables there are"},
    {"GFX_MODE", "Replay Mode", 0x229C, 0, 11, 11, 0, "", "it says where a draw may be preempted; draws are not"},
    {"GFX_MODE", "Flush TLB invalidation Mode", 0x229C, 0, 13, 13, 0, "", "translations are dropped when a context is loaded and when a command says so"},
    {"CS_CHICKEN1", "Replay Mode", 0x2580, 0, 0, 0, 0, "", "it says where a draw may be preempted; draws are not"},
    {"OASTARTTRIG", "all", 0x2710, 0, 31, 0, 0, "", kEvents},
    {"OAREPORTTRIG", "all", 0x2740, 0, 31, 0, 0, "", kEvents},
    {"OACEC", "all", 0x2770, 0, 31, 0, 0, "", kEvents},
    {"CACHE_MODE_0", "all", 0x7000, 0, 15, 0, 0, "", kDraws},
    {"CACHE_MODE_1", "all", 0x7004, 0, 15, 0, 0, "", kDraws},
    {"GT_MODE", "all", 0x7008, 0, 15, 0, 0, "", kDraws},
    {"NOA_WRITE", "all", 0x9888, 0, 31, 0, 0, "", kEvents},
    {"TD_CTL", "all", 0xE400, 0, 15, 0, 0, "CS-110", "exceptions that a debugger forces on all threads"},
    {"EU_PERF_CNT_CTL0", "fine filter of A7", 0xE458, 0, 11, 8, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL0", "fine filter of A8", 0xE458, 0, 23, 20, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL4", "fine filter of A15", 0xE45C, 0, 11, 8, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL4", "fine filter of A16", 0xE45C, 0, 23, 20, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL1", "fine filter of A9", 0xE558, 0, 11, 8, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL1", "fine filter of A10", 0xE558, 0, 23, 20, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL5", "fine filter of A17", 0xE55C, 0, 11, 8, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL5", "fine filter of A18", 0xE55C, 0, 23, 20, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL2", "fine filter of A11", 0xE658, 0, 11, 8, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL2", "fine filter of A12", 0xE658, 0, 23, 20, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL6", "fine filter of A19", 0xE65C, 0, 11, 8, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL6", "fine filter of A20", 0xE65C, 0, 23, 20, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL3", "fine filter of A13", 0xE758, 0, 11, 8, 0, "", kFineFilter},
    {"EU_PERF_CNT_CTL3", "fine filter of A14", 0xE758, 0, 23, 20, 0, "", kFineFilter},
};
// clang-format on

constexpr bool by_place(const NoEffect& a, const NoEffect& b) {
    return a.place < b.place;
}
static_assert(std::ranges::is_sorted(kCommandRows, by_place));
static_assert(std::ranges::is_sorted(kRegisterRows, by_place));

constexpr auto kEveryRow = [] {
    std::array<NoEffect, std::size(kCommandRows) + std::size(kRegisterRows)> all{};
    std::ranges::copy(kRegisterRows, std::ranges::copy(kCommandRows, all.begin()).out);
    return all;
}();
constexpr std::span<const NoEffect> kCommands(kEveryRow.data(), std::size(kCommandRows));
constexpr std::span<const NoEffect> kRegisters(kEveryRow.data() + std::size(kCommandRows),
                                               std::size(kRegisterRows));

std::span<const NoEffect> at(std::span<const NoEffect> rows, std::uint32_t place) {
    return {std::ranges::lower_bound(rows, place, {}, &NoEffect::place),
            std::ranges::upper_bound(rows, place, {}, &NoEffect::place)};
}

}  // namespace

std::span<const NoEffect> no_effects() {
    return kEveryRow;
}

std::span<const NoEffect> no_effects_of(const packets::CommandRow& row) {
    static const auto of_command = [] {
        std::vector<std::span<const NoEffect>> all;
        for (const packets::CommandRow& command : packets::command_rows())
            all.push_back(at(kCommands, command.value));
        return all;
    }();
    return of_command[static_cast<std::size_t>(&row - packets::command_rows().data())];
}

std::span<const NoEffect> no_effects_of(const RegisterRow& row) {
    static const auto of_register = [] {
        std::vector<std::span<const NoEffect>> all;
        for (const RegisterRow& each : register_rows())
            all.push_back(at(kRegisters, each.offset));
        return all;
    }();
    return of_register[static_cast<std::size_t>(&row - register_rows().data())];
}

void NoEffectLog::note(const NoEffect& use) {
    const auto index = static_cast<std::size_t>(&use - no_effects().data());
    if (!*use.ledger && noted_[index]) return;
    noted_[index] = true;
    std::string what = use.name;
    if (*use.field) what += std::string(" ") + use.field;
    if (*use.ledger)
        reporter_.not_modelled(use.ledger, what + ": " + use.reason);
    else
        reporter_.no_effect(what, use.reason);
}

}  // namespace gen9::cs
