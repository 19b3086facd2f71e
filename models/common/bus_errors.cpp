// SPDX-License-Identifier: Apache-2.0
#include "common/bus_errors.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstdint>

#include "common/check.h"

namespace gen9 {
namespace {

std::array<MayLosePage, 4> g_losers{};
std::size_t g_count = 0;

void at_bus_error(int signal, siginfo_t* info, void*) {
    const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* const page = std::bit_cast<void*>(std::bit_cast<std::uintptr_t>(info->si_addr) /
                                            page_bytes * page_bytes);
    const auto end = g_losers.begin() + static_cast<std::ptrdiff_t>(g_count);
    const bool may_be_lost =
        std::any_of(g_losers.begin(), end, [&](auto may) { return may(page); });
    if (!may_be_lost || mmap(page, page_bytes, PROT_READ | PROT_WRITE,
                             MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != page)
        std::signal(signal, SIG_DFL);  // another's fault, which now comes again
}

}  // namespace

void add_page_loser(MayLosePage may_lose) {
    const auto end = g_losers.begin() + static_cast<std::ptrdiff_t>(g_count);
    if (std::find(g_losers.begin(), end, may_lose) != end) return;
    GEN9_CHECK(g_count < g_losers.size(), "too many kinds of mapped files");
    g_losers[g_count++] = may_lose;
    struct sigaction action {};
    action.sa_sigaction = at_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, nullptr);
}

}  // namespace gen9
