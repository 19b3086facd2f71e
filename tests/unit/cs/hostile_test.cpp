// SPDX-License-Identifier: Apache-2.0
// Streams nobody meant: the engine must come to an end or say why not, whatever it reads.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "packets/commands.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/cs/engine.h"

namespace gen9 {
namespace {

using namespace test;

constexpr std::uint64_t kBatch = 0x6000'0000;

/// Ends a run that would go on forever, as the platform's watchdog does from outside.
struct Endless : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct HostileEngine : Engine {
    std::uint64_t steps = 0, limit = 20'000;
    HostileEngine() {
        ppgtt.map(kBatch, 0x4000);
        on_parsed = on_poll = [this] {
            if (++steps > limit) throw Endless(core.describe());
        };
    }
    /// True: it ended or stopped by itself.
    bool run_to_end() {
        try {
            submit();
            core.run();
            EXPECT_TRUE(core.idle() || core.stopped());
            EXPECT_TRUE(!core.stopped() || environment.reporter.guest_errors() > 0);
            return true;
        } catch (const Endless& endless) {
            EXPECT_NE(std::string(endless.what()), "");
            return false;
        }
    }
};

/// Is it a header of a command? By the rows, whichever way the engine looks it up.
bool is_command(std::uint32_t header) {
    return std::ranges::any_of(packets::command_rows(), [&](const packets::CommandRow& row) {
        return (header & row.mask) == row.value;
    });
}

// Nearly all of them are no commands. At such a DWord the engine stops, and has read no further.
TEST(Hostile, RandomDwordsInTheRing) {
    constexpr std::uint32_t kRingHead = 0x2034, kIpehr = 0x2068, kRingBytes = 0x4000;
    std::mt19937 random(1);
    unsigned stopped = 0;
    for (unsigned n = 0; n < gen9::test::rounds(400); ++n) {
        HostileEngine engine;
        const std::uint32_t first = random();
        engine.ggtt.put(kRing, first);
        for (std::uint32_t i = 4; i < kRingBytes; i += 4)
            engine.ggtt.put<std::uint32_t>(kRing + i, random());
        engine.set_tail(8 + random() % (kRingBytes - 8) / 8 * 8);
        const bool ended = engine.run_to_end();
        if (is_command(first)) continue;
        EXPECT_TRUE(ended && engine.core.stopped()) << std::hex << first;
        EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: unknown command"});
        EXPECT_EQ(engine.core.read_register(kRingHead) % kRingBytes, 0u);
        EXPECT_EQ(engine.core.read_register(kIpehr), first);
        EXPECT_EQ(engine.steps, 0u) << "commands before it";
        ++stopped;
    }
    EXPECT_GT(stopped, gen9::test::rounds(300));
}

TEST(Hostile, RandomFieldsOfRealCommands) {
    std::mt19937 random(2);
    const auto rows = packets::command_rows();
    unsigned ended = 0;
    for (unsigned n = 0; n < gen9::test::rounds(400); ++n) {
        HostileEngine engine;
        std::uint64_t at = kBatch;
        while (at < kBatch + 0x3000) {
            const packets::CommandRow& row = rows[random() % rows.size()];
            std::uint32_t header = row.value | (random() & ~row.mask);
            // Mostly a plausible length, so that the next header is one.
            if (random() % 8) header = (header & ~0xFFu) | ((row.minimum_dwords - 2) & 0xFF);
            const std::uint32_t count = std::min<std::uint32_t>(row.dwords(header), 64);
            engine.ppgtt.put(at, header);
            for (std::uint32_t i = 1; i < count; ++i) {
                // Addresses near what is mapped, numbers at the edges, anything.
                std::uint32_t value = random();
                if (random() % 3 == 0)
                    value = static_cast<std::uint32_t>(kBatch) + (random() & 0x3FFC);
                if (random() % 5 == 0) value = random() % 2 ? 0 : 0xFFFFFFFF;
                engine.ppgtt.put(at + 4 * i, value);
            }
            at += 4 * count;
        }
        engine.ggtt.put(kRing, Words{0x18800101, low(kBatch), high(kBatch)});
        engine.set_tail(12);
        ended += engine.run_to_end();
    }
    EXPECT_GT(ended, gen9::test::rounds(300));
}

TEST(Hostile, RandomContextImages) {
    std::mt19937 random(3);
    for (unsigned n = 0; n < gen9::test::rounds(200); ++n) {
        HostileEngine engine;
        // Flip a few DWords of a good image; the offsets of its pairs and its values among them.
        for (unsigned i = 0; i < 1 + n % 40; ++i)
            engine.ggtt.put<std::uint32_t>(kContext + 0x1000 + 4 * (random() % 0x170), random());
        engine.ggtt.put(kRing, Words{0x11000001, 0x2244, 0x00010000, 0});
        engine.run_to_end();
        engine.submit(submission(kContext, random()));
        if (!engine.core.stopped()) engine.run_to_end();
    }
}

TEST(Hostile, RandomSubmissionsAndRegisters) {
    std::mt19937 random(4);
    for (unsigned n = 0; n < gen9::test::rounds(200); ++n) {
        HostileEngine engine;
        for (unsigned i = 0; i < 50; ++i) {
            engine.core.write_register(random() & 0x7FFFFC, random());
            engine.core.write_register(0x2000 + (random() & 0x7FC), random());
            engine.core.read_register(random());
            if (engine.core.pending()) engine.run_to_end();
        }
    }
}

TEST(Hostile, ABatchThatStartsItselfCanBeStoppedFromOutsideAndMakesNoProgress) {
    HostileEngine engine;
    engine.ppgtt.put(kBatch, Words{0x18800101, low(kBatch), high(kBatch)});
    engine.ggtt.put(kRing, Words{0x18800101, low(kBatch), high(kBatch)});
    engine.set_tail(12);
    EXPECT_FALSE(engine.run_to_end());
    EXPECT_LE(engine.core.progress(), 2u);
    EXPECT_NE(engine.core.describe().find("0x60000000"), std::string::npos);
}

// Polling, and in signal mode.
TEST(Hostile, SemaphoreThatNobodySignalsMakesNoProgressAndSaysWhatItWaitsFor) {
    for (const auto& [header, text] :
         {std::pair{0x0E00C002u, "MI_SEMAPHORE_WAIT: waits for its semaphore"},
          {0x0E004002u,
           "MI_SEMAPHORE_WAIT: waits at a semaphore in signal mode, and nobody signalled"}}) {
        HostileEngine engine;
        engine.ggtt.put(kRing, Words{header, 1, low(kBatch), 0});
        engine.set_tail(16);
        EXPECT_FALSE(engine.run_to_end());
        EXPECT_LE(engine.core.progress(), 2u);
        EXPECT_NE(engine.core.describe().find(text), std::string::npos) << engine.core.describe();
    }
}

}  // namespace
}  // namespace gen9
