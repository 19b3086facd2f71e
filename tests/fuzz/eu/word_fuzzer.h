// SPDX-License-Identifier: Apache-2.0
/// Any bytes as code: decoded, printed, encoded and executed on random threads, by the general and
/// the specialised path; whole kernels with damage run on the functional data port. Wrong is what
/// leaves its place (the sanitizers and the checks here tell), what differs between the paths, and
/// what does not come to an end.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "eu/execute/executor.h"
#include "isa/format/decode.h"
#include "tests/unit/hdc/bench.h"
#include "tests/unit/isa/random_instructions.h"

namespace gen9::eu::test {

struct FuzzCounts {
    std::uint64_t words = 0, decoded = 0, specialised = 0;
    std::array<std::uint64_t, 6> outcomes{};  ///< by Outcome
    std::map<std::string, std::uint64_t> refusals;
    std::uint64_t kernels = 0, instructions = 0, messages = 0, data_port_messages = 0;
    std::array<std::uint64_t, 6> endings{};  ///< of kernels, by Outcome; Next: ran to the limit
    std::uint64_t failures = 0;
    std::vector<std::string> first_failures;
    std::string text() const;
};

/// What an instruction changed of a thread although it does not name it, or null. What runs over
/// the end of one array of the thread into the next shows here.
const char* touched(const Thread& before, const Thread& after, const isa::Instruction& in);
/// What two executions of an instruction left differently, or null. NaN of any payload and sign are
/// one (guide 3.1 item 5).
const char* differs(const Thread& a, const Thread& b, const isa::Instruction& in);

class WordFuzzer {
  public:
    explicit WordFuzzer(std::uint64_t seed);

    using Word = std::array<std::uint8_t, 16>;

    /// One random word.
    void word() { word(draw()); }
    /// A given one.
    void word(const Word& bytes);
    /// A kernel with a few bytes, words or instructions replaced, run as one thread until it ends
    /// or `limit` instructions have run.
    void kernel(std::span<const std::uint8_t> original, unsigned limit);
    /// A kernel of random instructions.
    std::vector<std::uint8_t> random_kernel();
    /// The bytes with a few bits, bytes or instructions replaced, or the end missing.
    void damage(std::vector<std::uint8_t>& kernel);

    const FuzzCounts& counts() const { return counts_; }

  private:
    Word draw();
    isa::Instruction legal();
    void randomise(Thread& thread);
    void check_text(const isa::DecodeResult& result);
    void execute_both(const Word& word, const isa::DecodeResult& decoded);
    void check_message(const Message& message);
    /// Sends the message of a kernel's thread where it goes.
    void deliver(Thread& thread, const DecodedInstruction& instruction);
    void fail(const std::string& what);

    std::mt19937_64 random_;
    isa::test::Generator generate_;
    FuzzCounts counts_;
    std::vector<std::unique_ptr<Thread>> pool_;
    std::unique_ptr<Thread> general_ = std::make_unique<Thread>(),
                            fast_ = std::make_unique<Thread>();
    std::unique_ptr<Message> message_ = std::make_unique<Message>();
    std::unique_ptr<hdc::test::Bench> port_ = std::make_unique<hdc::test::Bench>();
    Word current_{};
};

}  // namespace gen9::eu::test
