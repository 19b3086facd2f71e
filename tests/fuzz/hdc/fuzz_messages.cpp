// SPDX-License-Identifier: Apache-2.0
// Any message on any surface: nothing crashes or leaves the memory of the test; a message that is
// refused says so once, changes nothing and returns zeros; nothing is written back beyond the
// response; and what goes over the bus does what direct access does.
#include <array>
#include <memory>

#include "hdc/access/requests.h"
#include "tests/fuzz/hdc/random_message.h"

namespace {

using namespace gen9;
using namespace gen9::hdc;
using namespace gen9::hdc::fuzz_test;

/// One machine, used for all cases: what a case may see of it is set anew.
struct Machine {
    Bench bench;
    RequestList requests;
    Machine() {
        bench.reporter.log = [](const std::string&) {};
    }
    void prepare(Random& random, bool direct) {
        bench.memory.grant = direct;
        for (std::size_t i = 0; i < 0x8000; ++i)
            bench.memory.bytes[Bench::kData - gen9::hdc::test::FlatMemory::kBase + i] =
                static_cast<std::uint8_t>(i * 167 + (i >> 8));
        std::fill(bench.memory.slm_bytes.begin(), bench.memory.slm_bytes.end(), 0x5A);
        for (unsigned index = 0; index < 4; ++index)
            bench.bind(index, random_surface(random));
        bench.state->bindless_surface_base = GpuAddr(Bench::kSurfaceBase);
        bench.state->bindless_surface_count = random.below(16);
        bench.state->general_state_size = random.one_in(4) ? random.bits() : 0x40000;
        bench.sender.slm_base = random.below(64) * 1024;
        bench.sender.slm_size = random.one_in(8) ? 0 : 65536;
        bench.core.set_slm_enabled(!random.one_in(16));
        bench.driver.invalidate();
        bench.kept.clear();
        bench.reporter = Reporter();
        bench.reporter.log = [](const std::string&) {};
    }
};

void check(std::uint64_t seed, Machine& machine, const Send& sent, const Send& done) {
    const Message& m = done.message;
    if (m.status == MessageStatus::Pending) fuzz::broken(seed, "a message without a status");
    for (unsigned r = m.response_length; r < Message::kMaxResponse; ++r)
        if (m.response_enable[r]) fuzz::broken(seed, "a write back beyond the response");
    const Reporter& reporter = machine.bench.reporter;
    const std::uint64_t reports = reporter.guest_errors() + reporter.not_modelled_uses();
    const bool refused = m.status != MessageStatus::Ok;
    const bool ends = sent.message.end_of_thread && !refused && sent.message.execution_mask;
    const unsigned remarks = unsigned{ends} + (machine.bench.plan.alignment != 0 ? 1u : 0u);
    if (refused ? reports != 1 : reports > remarks)
        fuzz::broken(seed, "not exactly one report: " + to_text(m));
    if (!refused) return;
    for (unsigned i = 0; i < m.response_length * 8u; ++i)
        if (done.dword(i)) fuzz::broken(seed, "a refused message returns something");
}

void one_case(std::uint64_t seed) {
    static const auto machines = [] {
        return std::array{std::make_unique<Machine>(), std::make_unique<Machine>()};
    }();
    for (const auto& machine : machines) {
        Random random(seed);
        machine->prepare(random, machine == machines[0]);
    }
    Random random(seed * 31 + 7);
    for (unsigned n = 0; n < 20; ++n) {
        const Send send = random_message(random);
        const Send* done[2];
        for (unsigned i = 0; i < 2; ++i) {
            Machine& machine = *machines[i];
            machine.bench.reporter = Reporter();
            machine.bench.reporter.log = [](const std::string&) {};
            done[i] = &machine.bench.run(send);
            check(seed, machine, send, *done[i]);
            if (done[i]->message.status == MessageStatus::Ok && send.message.execution_mask)
                machine.requests.build(machine.bench.plan);
        }
        for (unsigned r = 0; r < send.message.response_length; ++r)
            if (std::memcmp(done[0]->message.response[r].bytes, done[1]->message.response[r].bytes,
                            kGrfBytes) ||
                done[0]->message.response_enable[r] != done[1]->message.response_enable[r])
                fuzz::broken(seed,
                             "bus and direct access answer differently: " + to_text(send.message));
        if (machines[0]->bench.memory.bytes != machines[1]->bench.memory.bytes)
            fuzz::broken(seed, "bus and direct access write differently: " + to_text(send.message));
    }
}

}  // namespace

int main(int argc, char** argv) {
    return fuzz::run("data port messages", fuzz::options(argc, argv, 500), one_case);
}
