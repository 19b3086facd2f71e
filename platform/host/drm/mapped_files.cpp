// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/mapped_files.h"

#include <bit>
#include <csignal>
#include <cstdint>
#include <iterator>
#include <map>

#include "common/bus_errors.h"

namespace gen9::drm {
namespace {

volatile std::sig_atomic_t g_lost = 0;

/// Begin to end. Read by the signal handler: the fault is never in code that changes it.
std::map<std::uintptr_t, std::uintptr_t>& ranges() {
    static auto* const all = new std::map<std::uintptr_t, std::uintptr_t>;
    return *all;
}

bool may_lose(const void* page) {
    const auto at = std::bit_cast<std::uintptr_t>(page);
    const auto next = ranges().upper_bound(at);
    if (next == ranges().begin() || at >= std::prev(next)->second) return false;
    g_lost = 1;
    return true;
}

}  // namespace

void MappedFiles::add(const void* host, std::size_t bytes) {
    const auto at = std::bit_cast<std::uintptr_t>(host);
    ranges()[at] = at + bytes;
    add_page_loser(may_lose);
}

void MappedFiles::remove(const void* host) {
    ranges().erase(std::bit_cast<std::uintptr_t>(host));
}

bool MappedFiles::take_loss() {
    if (g_lost == 0) return false;
    g_lost = 0;
    return true;
}

}  // namespace gen9::drm
