// SPDX-License-Identifier: Apache-2.0
/// Random code, compiled against the general path one instruction after the other: the whole state
/// of the thread is the same, byte by byte, for each instruction set of the host.
///
/// The bits of a NaN may depend on the order of a host instruction's operands (guide 3.1 item 5).
/// An instruction whose ways to be executed give other bits of a NaN is taken out of the code, so
/// that nothing reads them as a number.
///
/// Sequences of messages send to a data port of each side. Their code runs several times, for
/// threads of other binding tables and shared local memory, by the same sites; memory and counters
/// are the same, too. Messages of other sequences only change registers.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "eu/execute/executor.h"
#include "eu/jit/compiled_region.h"
#include "tests/fuzz/eu/port.h"
#include "tests/fuzz/eu/sequence_generator.h"

namespace gen9::eu::test {

/// What two threads have different, or null.
const char* difference(const Thread& a, const Thread& b);

/// Of instructions that were executed and are part of a compiled region.
struct SequenceCounts {
    std::uint64_t sequences = 0, compiled = 0, executed = 0, taken_out = 0;
    std::array<std::uint64_t, static_cast<std::size_t>(isa::Opcode::Count)> opcodes{};
    std::array<std::uint64_t, 14> destinations{}, sources{}, predicates{};
    std::array<std::uint64_t, 10> conditions{};
    std::array<std::uint64_t, 33> exec_sizes{}, channel_offsets{};
    std::uint64_t indirect = 0, several_indices = 0, architecture = 0, accumulators = 0,
                  align16 = 0, saturated = 0, modified = 0, immediates = 0, some_channels = 0,
                  messages = 0, waits = 0, flushes = 0;
    /// Of sequences of messages: those sent; those that were calls or moved by the code, and the plain
    /// ones of these; places that threads have kept.
    std::uint64_t sent = 0, direct = 0, kept = 0;
    Port::PlainCounts plain;
    void add(const Thread& thread, const isa::Instruction& in);
};

class SequenceFuzzer {
  public:
    /// One sequence. Gives what was different and where; empty: nothing.
    std::string run(std::uint64_t seed) { return run(seed, false); }
    /// One of messages.
    std::string run_messages(std::uint64_t seed) { return run(seed, true); }
    const SequenceCounts& counts() const { return counts_; }

  private:
    struct Code {
        std::vector<DecodedInstruction> general, fast;
        const DecodedInstruction* find(const std::vector<DecodedInstruction>& of,
                                       std::uint32_t ip) const;
    };
    /// The data ports of the sides, and of whoever looks for what is to be taken out.
    struct Ports {
        Port compiled, stepped, settling;
    };
    std::string run(std::uint64_t seed, bool messages);
    void set_up_ports();
    void take(const std::vector<isa::Instruction>& all);
    void take_one(std::size_t place, const isa::Instruction& in);
    /// Executes by the general path, up to so many. False: an instruction was taken out.
    bool settle(std::uint64_t count, std::string& found);
    bool settle(std::uint64_t count, unsigned sender, std::string& found);
    bool has_open_nan(const Thread& before, std::size_t place, const Thread& after,
                      std::string& found);
    std::uint64_t run_compiled(const jit::CompiledRegion& region, Thread& thread,
                               std::uint64_t count, std::mt19937_64& random);
    std::string compare(const jit::CompiledRegion& region, jit::Level level, unsigned sender,
                        std::mt19937_64& random, bool counts);
    std::string compare(jit::Level level, std::uint64_t seed);
    std::string compare(const std::vector<jit::Part>& parts, jit::Level level, std::uint64_t seed,
                        bool counts);
    std::string reduced(std::vector<jit::Part> parts, jit::Level level, std::uint64_t seed);

    SequenceCounts counts_;
    Code code_;
    std::uint32_t first_ip_ = 0;
    bool no_code_ = false;        ///< a region did nothing
    bool wrong_message_ = false;  ///< it sent what must wait
    std::unique_ptr<Ports> kept_ports_;
    Ports* ports_ = nullptr;  ///< of a sequence of messages
    PortSetup setup_{};
    std::uint64_t direct_ = 0;  ///< messages of a thread that were calls or moved by the code
    std::unique_ptr<Thread> start_ = std::make_unique<Thread>();
};

}  // namespace gen9::eu::test
