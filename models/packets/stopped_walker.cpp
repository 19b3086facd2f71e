// SPDX-License-Identifier: Apache-2.0
#include "packets/stopped_walker.h"

#include <algorithm>

#include "packets/media.h"

namespace gen9 {
namespace {

namespace walker = packets::GPGPU_WALKER;
using packets::Field;
using packets::Kind;

constexpr const char* kAssumed = "Assumed: reserved in GPGPU_WALKER";
constexpr Field kModified{"Modified", 0, 9, 9, Kind::Bool, kAssumed};
constexpr Field kResumeX{"ResumeX", 6, 31, 0, Kind::Uint, kAssumed};
constexpr Field kResumeY{"ResumeY", 9, 31, 0, Kind::Uint, kAssumed};
constexpr Field kResumeThread{"ResumeThread", 1, 15, 8, Kind::Uint, kAssumed};

constexpr const Field* kDimensions[] = {&walker::ThreadGroupIDXDimension,
                                        &walker::ThreadGroupIDYDimension,
                                        &walker::ThreadGroupIDZDimension};
constexpr const Field* kGroup[] = {&kResumeX, &kResumeY, &walker::ThreadGroupIDStartingResumeZ};

}  // namespace

StoppedWalker pack(std::span<const std::uint32_t> command, const WalkerRest& rest) {
    StoppedWalker stopped{};
    const std::size_t dwords = command_of(stopped).size();
    std::copy_n(command.begin(), std::min(command.size(), dwords), stopped.begin());
    std::ranges::copy(rest.saved_threads, stopped.begin() + static_cast<std::ptrdiff_t>(dwords));
    kModified.set(stopped, 1);
    // The registers and the predicate may differ by the time it goes on.
    walker::IndirectParameterEnable.set(stopped, 0);
    walker::PredicateEnable.set(stopped, 0);
    kResumeThread.set(stopped, rest.thread);
    for (unsigned i = 0; i < 3; ++i) {
        kDimensions[i]->set(stopped, rest.dimensions[i]);
        kGroup[i]->set(stopped, rest.group[i]);
    }
    return stopped;
}

WalkerRest unpack(const StoppedWalker& stopped) {
    WalkerRest rest;
    for (unsigned i = 0; i < 3; ++i) {
        rest.dimensions[i] = static_cast<std::uint32_t>(kDimensions[i]->get(stopped));
        rest.group[i] = static_cast<std::uint32_t>(kGroup[i]->get(stopped));
    }
    rest.thread = static_cast<std::uint8_t>(kResumeThread.get(stopped));
    std::copy_n(stopped.end() - WalkerRest::kThreadDwords, WalkerRest::kThreadDwords,
                rest.saved_threads.begin());
    return rest;
}

}  // namespace gen9
