// SPDX-License-Identifier: Apache-2.0
// Any sampler message with any states: nothing crashes; a message that is refused says so once and
// returns zeros; nothing is written back beyond the response; and texels that come line by line, as
// in timed mode, give the same answer as direct access, as in functional mode.
#include <array>

#include "tests/fuzz/sampler/random_message.h"

namespace {

using namespace gen9;
using namespace gen9::sampler;
using namespace gen9::sampler::fuzz_test;

struct Machine {
    Bench bench;
    explicit Machine(bool by_lines) { bench.by_lines = by_lines; }
    void prepare(Random& random) {
        for (std::size_t i = 0; i < 0x8000; ++i)
            bench.memory.at(Bench::kTexels)[i] = static_cast<std::uint8_t>(i * 167 + (i >> 8));
        random_surface(random, bench);
        random_sampler(random, bench);
        bench.write_states();
        random_scaler(random, bench);
        bench.core.invalidate_states();
        bench.core.invalidate_pages();
    }
    /// Its reports.
    std::uint64_t run(Random& random) {
        random_message(random, bench);
        bench.reporter = Reporter();
        bench.reporter.log = [](const std::string&) {};
        bench.run({});
        return bench.reporter.guest_errors() + bench.reporter.not_modelled_uses();
    }
};

void check(std::uint64_t seed, const Machine& machine, std::uint64_t reports) {
    const Message& m = machine.bench.message;
    const Request& q = *machine.bench.request;
    if (m.status == MessageStatus::Pending) fuzz::broken(seed, "a message without a status");
    for (unsigned r = m.response_length; r < Message::kMaxResponse; ++r)
        if (m.response_enable[r]) fuzz::broken(seed, "a write back beyond the response");
    if (q.tap_count > Request::kMaxTaps || q.line_count > q.lines.size())
        fuzz::broken(seed, "more texels than there is room for");
    const bool refused = m.status != MessageStatus::Ok;
    if (reports != refused) fuzz::broken(seed, "not exactly one report: " + to_text(m));
    if (refused && !Core::written(q).empty()) fuzz::broken(seed, "a refused message writes");
    for (unsigned r = 0; refused && r < m.response_length; ++r)
        for (const std::uint8_t byte : m.response[r].bytes)
            if (byte) fuzz::broken(seed, "a refused message returns something");
}

void one_case(std::uint64_t seed) {
    static const auto machines =
        std::array{std::make_unique<Machine>(false), std::make_unique<Machine>(true)};
    for (const auto& machine : machines) {
        Random random(seed);
        machine->prepare(random);
    }
    for (unsigned n = 0; n < 10; ++n) {
        for (const auto& machine : machines) {
            Random random(seed * 31 + n);
            check(seed, *machine, machine->run(random));
        }
        const Message &a = machines[0]->bench.message, &b = machines[1]->bench.message;
        if (a.status != b.status) fuzz::broken(seed, "lines and direct access end differently");
        const auto at_once = Core::written(*machines[0]->bench.request),
                   by_lines = Core::written(*machines[1]->bench.request);
        if (!std::ranges::equal(at_once, by_lines, [](const auto& one, const auto& other) {
                return one.number == other.number && one.enabled == other.enabled &&
                       one.bytes == other.bytes;
            }))
            fuzz::broken(seed, "lines and direct access write differently: " + to_text(a));
        for (unsigned r = 0; r < a.response_length; ++r)
            if (a.response_enable[r] != b.response_enable[r] ||
                std::memcmp(a.response[r].bytes, b.response[r].bytes, kGrfBytes))
                fuzz::broken(seed, "lines and direct access answer differently: " + to_text(a));
    }
}

}  // namespace

int main(int argc, char** argv) {
    return fuzz::run("sampler messages", fuzz::options(argc, argv, 1500), one_case);
}
