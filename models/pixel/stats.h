// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "common/cycle_account.h"
#include "common/enum_words.h"
#include "common/signals.h"
#include "interconnect/observe/stage_account.h"

namespace gen9::pixel {

struct DepthStats : StageStats {
    using StageStats::StageStats;
    Counter blocks{*this, "blocks", "blocks", "blocks of 8x4 pixels taken"};
    Counter samples_tested{*this, "samples_tested", "samples",
                           "samples tested for depth or stencil"};
    Counter samples_failed{*this, "samples_failed", "samples", "tested samples that failed"};
    Counter samples_passed{*this, "samples_passed", "samples",
                           "samples that passed all tests, of draws with statistics"};
    Counter invocations{*this, "invocations", "slots",
                        "slots that a shader is for, of draws with statistics"};
    Counter late_tests{*this, "late_tests", "tests", "messages whose samples were tested"};
    Counter subspans_failed_early{*this, "subspans_failed_early", "blocks",
                                  "2x2 pixels of a sample that failed whole before the shader"};
    Counter subspans_failed_late{*this, "subspans_failed_late", "blocks",
                                 "2x2 pixels of a sample that failed whole behind the shader"};
    Counter pixels_cleared{*this, "pixels_cleared", "pixels", "pixels of clears"};
    Counter lines_read{*this, "lines_read", "lines", "lines of depth and stencil read"};
    Counter lines_written{*this, "lines_written", "lines", "lines of depth and stencil written"};
};

struct PixelDispatchStats : StageStats {
    using StageStats::StageStats;
    std::array<Counter, 3> threads{{{*this, "threads_8", "threads", "threads of 8 slots"},
                                    {*this, "threads_16", "threads", "threads of 16 slots"},
                                    {*this, "threads_32", "threads", "threads of 32 slots"}}};
    Counter slots_lit{*this, "slots_lit", "slots", "slots of threads that are drawn"};
    Counter slots_helping{*this, "slots_helping", "slots", "slots that only help others"};
    Counter pixels_without_thread{*this, "pixels_without_thread", "pixels",
                                  "lit pixels whose shader has no effect"};
    Counter dependencies{*this, "dependencies", "threads", "earlier threads that threads wait for"};
    Counter waits_for_pixels{*this, "waits_for_pixels", "attempts",
                             "attempts to send a thread that overlapped more than 8 others"};
    Counter constants_read{*this, "constants_read", "bytes", "push constants read"};
};

enum class TargetActivity : std::uint8_t { Busy, Waiting, Idle };
inline constexpr std::size_t kTargetActivities = static_cast<std::size_t>(TargetActivity::Idle) + 1;
constexpr const char* to_text(TargetActivity activity) {
    switch (activity) {
        case TargetActivity::Busy:
            return "busy";
        case TargetActivity::Waiting:
            return "waiting";
        case TargetActivity::Idle:
            return "idle";
    }
    return nullptr;
}

struct RenderTargetStats : StatSet {
    using StatSet::StatSet;
    Counter messages{*this, "messages", "messages", "messages taken"};
    Counter writes{*this, "writes", "messages", "of which writes"};
    Counter reads{*this, "reads", "messages", "of which reads of a target"};
    Counter pixels{*this, "pixels", "pixels", "pixels, or samples, written"};
    Counter pixels_blended{*this, "pixels_blended", "pixels", "of which the destination was read"};
    Counter subspans{*this, "subspans", "blocks", "2x2 pixels of a sample with a written one"};
    Counter subspans_blended{*this, "subspans_blended", "blocks",
                             "of which the destination was read"};
    Counter subspans_killed{*this, "subspans_killed", "blocks",
                            "2x2 pixels of threads of which the shader left none"};
    Counter subspans_failed{*this, "subspans_failed", "blocks",
                            "2x2 pixels of which the alpha test left none"};
    Counter pixels_outside{*this, "pixels_outside", "pixels", "pixels outside of their target"};
    Counter lines_read{*this, "lines_read", "lines", "lines of targets read"};
    Counter lines_written{*this, "lines_written", "lines", "lines of targets written"};
    Counter state_reads{*this, "state_reads", "states", "states read from memory"};
    Counter elements_filled{*this, "elements_filled", "elements",
                            "clear elements of auxiliary surfaces that were filled"};
    Counter queue_cycles{*this, "queue_cycles", "cycles", "cycles that messages waited to start"};
    std::array<Counter, kTargetActivities> cycles{
        {{*this, "busy_cycles", "cycles", "it started a message or sent a line"},
         {*this, "waiting_cycles", "cycles", "it had messages and waited for memory"},
         {*this, "idle_cycles", "cycles", "it had no message"}}};
};

struct RenderTargetSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal queued{*this, "queued", 8, SignalForm::Decimal, "messages that wait"};
    Signal in_flight{*this, "in_flight", 8, SignalForm::Decimal, "messages started"};
};

}  // namespace gen9::pixel
