// SPDX-License-Identifier: Apache-2.0
// Recorded draws (traces/) with damaged states, vertices, surfaces, kernels or commands on the whole
// machine, in both modes: nothing crashes or reads beyond memory, a run ends within its cycles and
// within a bound on the host's time, and an engine that stands still says what it waits for.
// A case is a process of its own, for SystemC elaborates once in each.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <exception>
#include <limits>
#include <systemc>
#include <vector>

#include "common/bits.h"
#include "platform/host/aub/aub_player.h"
#include "platform/run/simulation.h"
#include "tests/fuzz/support/fuzz.h"

namespace gen9::platform {
namespace {

using fuzz::Random;
using Bytes = std::vector<std::uint8_t>;

/// More than the captures take. In functional mode a cycle is an instruction of each EU.
constexpr std::uint64_t kMaxCycles = 100'000, kMaxFunctionalCycles = 10'000;
constexpr std::uint64_t kWatchdogCycles = 100'000;
constexpr rlim_t kProcessorSeconds = 60;
constexpr int kTold = 10;                          // exit status of a case
constexpr std::uint32_t kPrimitive = 0x7B00'0005;  // 3DPRIMITIVE

/// Of a page that a capture writes: the DWords that are not 0, by their place in the capture.
using Page = std::vector<std::size_t>;

struct Capture {
    Bytes bytes;
    std::vector<Page> batches, others;
};

/// The pages that the program filled; page tables and rings are the driver's.
Capture read_capture(const std::string& name) {
    constexpr std::size_t kPage = 4096, kHeader = 20;
    Capture capture;
    const std::string path = std::string(GEN9_TRACES) + "/" + name + "/stream.aub.zst";
    capture.bytes = read_all(path, 1 << 24);
    AubFile file(bytes_of(capture.bytes), path);
    for (aub::Packet packet; file.next(packet);) {
        if (packet.kind() != aub::Kind::MemoryWrite || packet.bytes.size() != kPage + kHeader)
            continue;
        Page page;
        bool draws = false;
        for (std::size_t at = kHeader; at < packet.bytes.size(); at += 4) {
            const auto dword = load<std::uint32_t>(&packet.bytes[at]);
            // What lies behind one is of the page as well.
            if (dword != 0 && at + 4 < packet.bytes.size()) page.push_back(packet.offset + at);
            draws |= dword == kPrimitive;
        }
        if (!page.empty()) (draws ? capture.batches : capture.others).push_back(page);
    }
    return capture;
}

std::uint32_t damaged(Random& random, std::uint32_t old, std::uint32_t other) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kFloats[] = {std::numeric_limits<float>::quiet_NaN(),
                                 kInfinity,
                                 -kInfinity,
                                 -0.0f,
                                 std::numeric_limits<float>::max(),
                                 -1e9f,
                                 1e-40f,
                                 16384.0f,
                                 -0.5f};
    constexpr std::uint32_t kWords[] = {0,           1,      ~0u,      0x7FFF'FFFF,
                                        0x8000'0000, 0xFFFF, 0x1'0000, 0xFFF'FFFF};
    switch (random.below(8)) {
        case 0:
            return std::bit_cast<std::uint32_t>(random.of(kFloats));
        case 1:
            return random.of(kWords);
        case 2:
            return static_cast<std::uint32_t>(random.bits());
        case 3:
            return other;
        case 4:
            return old + (random.one_in(2) ? 1 : -1);
        default:
            return old ^ 1u << random.below(32);
    }
}

Bytes damage(Random& random, const Capture& capture) {
    Bytes bytes = capture.bytes;
    for (unsigned n = 1 + random.below(5); n > 0; --n) {
        const auto& pages = random.one_in(2) ? capture.batches : capture.others;
        const Page& page = pages[random.below(pages.size())];
        // Zeros beside what is there are fields as well.
        const std::size_t at = page[random.below(page.size())] + (random.one_in(4) ? 4 : 0);
        const auto old = load<std::uint32_t>(&bytes[at]);
        store(&bytes[at],
              damaged(random, old, load<std::uint32_t>(&bytes[page[random.below(page.size())]])));
    }
    return bytes;
}

/// In a process of its own. What is broken, or nothing; `told`: the machine has reported something.
std::string play(Bytes bytes, Timing timing, bool& told) {
    RunOptions options;
    options.timing = timing;
    options.max_cycles = timing == Timing::Timed ? kMaxCycles : kMaxFunctionalCycles;
    options.config.set_text("gpu.watchdog_cycles=" + std::to_string(kWatchdogCycles), "fuzz_draws");
    Simulation simulation(std::move(options));
    simulation.reporter().log = [](const std::string&) {};
    AubPlayer player(simulation, [](const std::string&) {});
    AubFile file(bytes_of(std::move(bytes)), "damaged.aub");
    player.play(file);
    const bool stands = simulation.stop() == Stop::Hang;
    if (stands && simulation.reporter().hangs() == 0) return "a hang is not reported";
    if (stands && simulation.describe_waiting().empty())
        return "the engine stands still and does not say what it waits for";
    simulation.finish();
    told = simulation.reporter().failed() || simulation.stop() != Stop::No;
    return "";
}

/// Has the machine reported something?
bool fuzz_case(std::uint64_t seed, const std::vector<Capture>& captures) {
    Random random(seed);
    const Capture& capture = captures[random.below(captures.size())];
    const Timing timing = random.one_in(2) ? Timing::Timed : Timing::Functional;
    const Bytes bytes = damage(random, capture);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) fuzz::broken(seed, "no further process");
    if (child == 0) {
        const rlimit limit{kProcessorSeconds, kProcessorSeconds};
        setrlimit(RLIMIT_CPU, &limit);
        std::string text;
        bool told = false;
        try {
            text = play(bytes, timing, told);
        } catch (const std::exception& error) {
            text = error.what();
        }
        if (!text.empty()) std::fprintf(stderr, "%s\n", text.c_str());
        std::fflush(nullptr);
        _exit(!text.empty() ? 1 : told ? kTold : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        fuzz::broken(seed, "a draw has no end, in " +
                               std::string(timing == Timing::Timed ? "timed" : "functional") +
                               " mode");
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != kTold))
        fuzz::broken(seed, "a draw broke a rule, or the machine");
    return WEXITSTATUS(status) == kTold;
}

}  // namespace
}  // namespace gen9::platform

int sc_main(int argc, char** argv) {
    using namespace gen9;
    std::vector<platform::Capture> captures;
    for (const char* const name : {"triangle", "added", "textured_cube", "summed_strips"})
        captures.push_back(platform::read_capture(name));
    unsigned told = 0;
    const int result =
        fuzz::run("damaged draws", fuzz::options(argc, argv, 20),
                  [&](std::uint64_t seed) { told += platform::fuzz_case(seed, captures); });
    std::printf("%u of them were reported or stopped\n", told);
    return result;
}
