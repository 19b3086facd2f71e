// SPDX-License-Identifier: Apache-2.0
// Batches of any commands on the whole machine in timed mode, with the resource streamer ahead on
// the same batch: whatever they ask for, the machine ends, or has reported the error that stopped
// it, or says what it waits for. A batch of good commands without jumps runs to its end.
// A case is a process of its own that runs some batches, for an engine that has stopped stays so.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>
#include <systemc>

#include "packets/commands.h"
#include "tests/fuzz/support/fuzz.h"
#include "tests/litmus/command_litmus.h"
#include "tests/unit/rs/commands.h"

namespace gen9::litmus {
namespace {

using fuzz::Random;

constexpr std::uint32_t kData = 0x9000000, kMarker = 0x9100000, kOddAddress = 0x3FFFFFC0;
constexpr unsigned kBatchesOfCase = 20, kMostDwords = 1900;
constexpr std::uint64_t kCycles = 200'000;

std::uint32_t place(Random& random) {
    return kData + 4 * random.below(1024);
}
/// A register of the streamer, mostly one that does not change how it runs.
std::uint32_t any_register(Random& random) {
    if (random.one_in(8)) return 0x2000 + 4 * random.below(0x200);
    if (random.one_in(16)) return 0x2B00 + 4 * random.below(8);  // performance counters
    if (random.one_in(20)) return static_cast<std::uint32_t>(random.bits()) & 0x7FFFFC;
    return 0x2600 + 4 * random.below(32);
}

/// Commands as software gives them. None of them leaves the batch, stops it or waits for the host.
Words good_commands(Random& random, CommandMachine& machine) {
    using namespace commands;
    const auto value = static_cast<std::uint32_t>(random.bits());
    const std::uint32_t gpr = 0x2600 + 4 * random.below(32);
    // Mostly one of those that are soon done: the first half.
    switch (random.below(random.one_in(5) ? 20 : 11)) {
        case 0:
            return {0x11000001, gpr, value};
        case 1:
            return {0x12000002, gpr, place(random), 0};
        case 2:
            return {0x14800002, gpr, place(random), 0};
        case 3:
            return {0x0D000003, 0x08008000, 0x08008401, 0x10000000, 0x18000831};
        case 4:
            return {0x17800001 | (1 + random.below(15)) << 8, place(random), 0};
        case 5:
            return {0x17000003, place(random), 0, place(random), 0};
        case 6:
            return {0x70040000, 0};
        case 7:
            return {random.one_in(2) ? kSelect3D : kSelectGpgpu};
        case 8:
            return {0x02800000};
        case 9:
            return test::edit(random.below(5), Words(1 + random.below(8), value & 0xFFFFFF));
        case 10:
            return test::pointers(random.below(5), 64 * random.below(200));
        case 11:
            return {0x15800002, place(random), 0, value};
        case 12:
            return {0x03000000 | (value & 1)};
        case 13:
            return pipe_control(kStall | (value & (kFlushData | kInvalidateConstant)));
        case 14:
            return post_sync(value & (kStall | kFlushData), place(random) & ~7u, value);
        case 15:
            return Words{kSelectGpgpu} +
                   machine.walker(random.below(2), {kData, kData + 64, kData}, kData + 4096);
        case 16:
            return Words{kSelectGpgpu} + state_base_address();
        case 17:
            return Words{kSelect3D} + test::table_pool(CommandMachine::kTables, 4) +
                   test::gather_pool(CommandMachine::kGathers, 4);
        case 18:
            return test::gather(random.below(5), 0, 64 * random.below(50), {});
        default:
            return store(place(random), value);
    }
}

/// A command of the table with any fields, of a length that mostly fits.
Words any_command(Random& random) {
    const auto rows = packets::command_rows();
    const packets::CommandRow& row = rows[random.below(rows.size())];
    auto header = row.value | (static_cast<std::uint32_t>(random.bits()) & ~row.mask);
    if (!random.one_in(8)) header = (header & ~0xFFu) | ((row.minimum_dwords - 2) & 0xFF);
    Words words(std::clamp<std::uint32_t>(row.dwords(header), 1, 64));
    for (std::uint32_t& word : words) {
        word = static_cast<std::uint32_t>(random.bits());
        if (random.one_in(3)) word = place(random);
        if (random.one_in(4)) word = any_register(random);
        if (random.one_in(5)) word = random.one_in(2) ? 0 : ~0u;
        if (random.one_in(16)) word = CommandMachine::kBatches + (word & 0xFFFC);
        if (random.one_in(32)) word = kOddAddress;
    }
    words[0] = header;
    return words;
}

void mutate(Random& random, Words& words) {
    for (unsigned n = 1 + random.below(4); n > 0 && words.size() > 8; --n) {
        const std::size_t at = random.below(words.size());
        switch (random.below(4)) {
            case 0:
                words[at] ^= 1u << random.below(32);
                break;
            case 1:
                words[at] = static_cast<std::uint32_t>(random.bits());
                break;
            case 2:
                words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            default:
                words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), words[at]);
        }
    }
}

struct Batch {
    Words words;
    unsigned commands = 0;
    bool good = true;  ///< it must run to its end
};

Batch make_batch(Random& random, CommandMachine& machine) {
    constexpr unsigned kMostCommands[] = {40, 800, 800};
    // One command in so many is any; 0: none. Mostly few, for they are what stops an engine.
    constexpr unsigned kOneOfThemAny[] = {1, 6, 100, 100, 100, 0, 0, 0};
    Batch batch;
    const unsigned one_any = random.of(kOneOfThemAny);
    const unsigned most = 1 + random.below(random.of(kMostCommands));
    while (batch.commands < most && batch.words.size() < kMostDwords) {
        const bool any = one_any != 0 && random.one_in(one_any);
        batch.good &= !any;
        ++batch.commands;
        batch.words = batch.words + (any ? any_command(random) : good_commands(random, machine));
    }
    if (random.one_in(8)) {
        mutate(random, batch.words);
        batch.good = false;
    }
    return batch;
}

/// What cases come to. Their processes share it, so that one that breaks has counted as well.
struct Played {
    std::uint64_t batches, ended, commands;
};

/// In a process of its own. What is broken, or nothing.
std::string run_case(std::uint64_t seed, CommandMachine& machine, Played& played) {
    Random random(seed);
    bool all_good = true;
    for (unsigned n = 0; n < kBatchesOfCase; ++n) {
        const Batch batch = make_batch(random, machine);
        all_good &= batch.good;
        const bool with_streamer = random.one_in(2);
        const std::uint64_t before = machine.parsed();
        // A batch that jumps back need not go round for ever.
        const bool ended = machine.run_alone(batch.words + commands::store(kMarker, n + 1),
                                             with_streamer, kCycles, 4 * batch.words.size() + 100);
        ++played.batches;
        played.ended += ended;
        // Where a batch jumps back, what it asks for counts once.
        played.commands += std::min<std::uint64_t>(machine.parsed() - before, batch.commands);
        if (!ended && machine.stopped() && machine.reporter().guest_errors() == 0)
            return "the engine has stopped and nothing says why";
        if (!ended && machine.waiting().empty())
            return "the engine does not end and does not say what it waits for";
        // What an earlier batch left behind may change what this one does.
        if (all_good && (!ended || machine.read(kMarker) != n + 1))
            return "good commands do not run to their end: " + machine.waiting() + " " +
                   machine.trouble();
        if (!ended) return "";
    }
    return "";
}

void fuzz_case(std::uint64_t seed, CommandMachine& machine, Played& played) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) fuzz::broken(seed, "no further process");
    if (child == 0) {
        std::string text;
        try {
            text = run_case(seed, machine, played);
        } catch (const std::exception& error) {
            text = error.what();
        }
        if (!text.empty()) std::fprintf(stderr, "%s\n", text.c_str());
        std::fflush(nullptr);
        _exit(text.empty() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fuzz::broken(seed, "a batch broke a rule, or the machine");
}

}  // namespace
}  // namespace gen9::litmus

int sc_main(int argc, char** argv) {
    using namespace gen9;
    const auto options = fuzz::options(argc, argv, 60);
    litmus::CommandMachine machine({});
    machine.load(0, litmus::Code().write(0, 1).fence());
    machine.load(1, litmus::Code().read(0).add(1, 1));
    machine.start();
    void* const shared = mmap(nullptr, sizeof(litmus::Played), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) fuzz::broken(options.seed, "no memory to count in");
    auto& played = *new (shared) litmus::Played{};
    const int result = fuzz::run("fuzz_commands", options, [&](std::uint64_t seed) {
        litmus::fuzz_case(seed, machine, played);
    });
    std::printf("%llu commands in %llu batches, of which %llu came to their end\n",
                static_cast<unsigned long long>(played.commands),
                static_cast<unsigned long long>(played.batches),
                static_cast<unsigned long long>(played.ended));
    return result;
}
