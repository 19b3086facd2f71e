// SPDX-License-Identifier: Apache-2.0
// Host time of commands on the whole machine:
//   command_bench [functional|timed]
// A stream of 100,000 MI commands (MI_LOAD_REGISTER_IMM, MI_MATH, MI_STORE_REGISTER_MEM,
// MI_STORE_DATA_IMM), then 10,000 walkers of one thread that only ends.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <systemc>

#include "tests/litmus/command_machine.h"

namespace gen9::litmus {
namespace {

constexpr std::uint32_t kStream = 0x9000000, kData = 0xA000000;
constexpr unsigned kCommands = 100'000, kWalkers = 10'000;
constexpr std::uint64_t kLongTime = 1'000'000'000;  ///< cycles

/// A batch at kStream that has `words` so many times, and then `last`.
void put_stream(CommandMachine& machine, const Words& words, unsigned times,
                const Words& last = {}) {
    std::uint32_t at = kStream;
    const auto put = [&](const Words& some) {
        for (const std::uint32_t word : some) {
            machine.write(at, word);
            at += 4;
        }
    };
    for (unsigned n = 0; n < times; ++n)
        put(words);
    put(last);
    machine.write(at, 0x05000000u);
}

/// Runs it as a second-level batch. Seconds of processor time.
double run_stream(CommandMachine& machine) {
    const std::clock_t begin = std::clock();
    if (!machine.run_alone({0x18C00101, kStream, 0}, false, kLongTime)) {
        std::fprintf(stderr, "command_bench: the stream does not end: %s\n",
                     machine.waiting().c_str());
        std::exit(1);
    }
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void measure(Timing timing) {
    CommandMachine machine({"machine.gpu.cs.ahead_cycles=256", "machine.gpu.subslices=3",
                            "machine.gpu.eus=8", "machine.gpu.l3_banks=4"},
                           timing);
    machine.load(0, Code());
    machine.start();

    const Words commands{0x11000001, 0x2600,     7,                          // R0
                         0x0D000003, 0x08008000, 0x08008401, 0x10000000,     // R2 = R0 + R1
                         0x18000831, 0x12000002, 0x2610,     kData,      0,  // R2 to memory
                         0x10000002, kData + 64, 0,          1};
    put_stream(machine, commands, kCommands / 4);
    std::printf("MI commands: %.2f million a second\n", kCommands / run_stream(machine) / 1e6);

    const Words wait_and_store_count{0x7A000004, 0x00100000, 0,           0, 0, 0,  // CS stall
                                     0x12000002, 0x2290,     kData + 128, 0};
    put_stream(machine, machine.walker(0, {kData, kData, kData}, kData) + Words{0x70040000, 0},
               kWalkers, wait_and_store_count);
    const double seconds = run_stream(machine);
    // GPGPU_THREADS_DISPATCHED counts channels.
    const std::uint32_t channels = machine.read(kData + 128);
    if (channels != 8 * kWalkers) {
        std::fprintf(stderr, "command_bench: %u channels ran, not %u\n", channels, 8 * kWalkers);
        std::exit(1);
    }
    std::printf("empty walkers: %.0f a second\n", kWalkers / seconds);
    if (!machine.trouble().empty()) std::printf("%s\n", machine.trouble().c_str());
}

}  // namespace
}  // namespace gen9::litmus

int sc_main(int argc, char** argv) {
    const bool timed = argc > 1 && !std::strcmp(argv[1], "timed");
    gen9::litmus::measure(timed ? gen9::Timing::Timed : gen9::Timing::Functional);
    return 0;
}
