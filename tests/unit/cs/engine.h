// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cs/core.h"
#include "tests/support/environment.h"
#include "tests/unit/cs/driver.h"

namespace gen9::test {

/// A streamer's core that the driver has set up, with a ring, a context and a tag page.
struct Engine : FakeBus {
    TestEnvironment environment;
    cs::CsStats stats{"cs"};
    cs::CsCore core;

    explicit Engine(const cs::InterpreterSettings& settings = {})
        : core(*this, environment.reporter, stats, settings) {
        for (const auto& [offset, value] : driver_registers())
            core.write_register(offset, value);
        ggtt.map(kStatusPage, 0x1000);
        ggtt.map(kRing, 0x4000);
        write_context(ggtt);
        ppgtt.put<std::uint32_t>(kTag, 0);
    }
    void submit(const Words& port = submission()) {
        for (const std::uint32_t value : port)
            core.write_register(0x2230, value);
    }
    void set_tail(std::uint32_t tail, std::uint32_t context = kContext) {
        ggtt.put<std::uint32_t>(context + 0x101C, tail);
    }
    std::uint32_t image(std::uint32_t dword, std::uint32_t context = kContext) {
        return ggtt.get<std::uint32_t>(context + 0x1000 + 4 * dword);
    }
    /// The report entries' kinds, in order of first appearance.
    std::vector<std::string> kinds() const {
        std::vector<std::string> out;
        for (const auto& entry : environment.reporter.entries())
            out.push_back(entry.kind);
        return out;
    }
    std::uint64_t gpr(unsigned n) {
        return std::uint64_t{core.read_register(0x2604 + 8 * n)} << 32 |
               core.read_register(0x2600 + 8 * n);
    }
    /// Puts commands at the ring's start and runs them.
    void run_ring(const Words& words) {
        ggtt.put(kRing, words);
        set_tail(static_cast<std::uint32_t>(4 * words.size()));
        submit();
        core.run();
    }
};

}  // namespace gen9::test
