// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/litmus.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/check.h"

namespace gen9::litmus {
namespace {

constexpr std::uint32_t kVariables = 0x1000000, kResults = 0x8000000;
constexpr unsigned kBlock = 1024;     // a run's variables are in other lines than any before's
constexpr unsigned kMostLater = 250;  // cycles a thread may start after another

}  // namespace

Runner::Runner(Litmus litmus, std::vector<std::string> more_settings, Summary summary)
    : litmus_(std::move(litmus)),
      summary_(std::move(summary)),
      effort_(Effort::from_environment()),
      machine_([&] {
          auto settings = effort_.settings();
          settings.insert(settings.end(), more_settings.begin(), more_settings.end());
          if (litmus_.pooled) settings.push_back("machine.slm_banks=2");
          return settings;
      }()),
      draw_(effort_.seed),
      tally_(litmus_) {
    std::uint32_t ip = 0;
    for (const LitmusThread& thread : litmus_.threads) {
        const auto bytes = thread.code.bytes();
        machine_.load(ip, bytes);
        code_.push_back(ip);
        ip += static_cast<std::uint32_t>(bytes.size() + 4095) / 4096 * 4096;
    }
}

// Each variable in a line of its own, at random among the banks. In L3 a line is there, is not, or
// is on its way when the threads come to it.
std::vector<std::uint32_t> Runner::place_variables(unsigned number) {
    std::vector<std::uint32_t> addresses;
    const auto local = [number](unsigned v) { return number % 1024 * 64 + 4 * v; };
    if (litmus_.local) {
        for (unsigned v = 0; v < litmus_.variables; ++v)
            addresses.push_back(local(v));
        return addresses;
    }
    const std::uint32_t block = kVariables + number * kBlock;
    std::array<std::uint32_t, kBlock / kLineBytes> lines;
    for (std::uint32_t i = 0; i < lines.size(); ++i)
        std::swap(lines[i] = i, lines[draw_(i + 1)]);
    for (unsigned v = 0; v < litmus_.variables; ++v)
        addresses.push_back(litmus_.one_line ? block + lines[0] * kLineBytes + 4 * v
                                             : block + lines[v] * kLineBytes + draw_(8) * 4);
    if (litmus_.aliased) addresses[1] = addresses[0] + Machine::kAlias;
    for (unsigned v = 0; v < litmus_.variables; ++v) {
        std::uint32_t& address = addresses[v];
        if (v >= litmus_.local_from) {
            address = local(v);
            continue;
        }
        const std::uint32_t how = draw_(3);
        if (how == 1) machine_.warm(address);
        if (how == 2) machine_.touch(address, draw_(kMostLater));
    }
    return addresses;
}

std::string Runner::once(unsigned number) {
    const std::vector<std::uint32_t> addresses = place_variables(number);
    std::vector<Start> starts;
    const unsigned spread = draw_(2) ? kMostLater : 30;
    for (std::size_t t = 0; t < litmus_.threads.size(); ++t) {
        Start& start = starts.emplace_back();
        start.place = litmus_.threads[t].place;
        start.ip = code_[t];
        start.later = draw_(spread);
        if (litmus_.pooled)
            start.slm_subslice = (Machine::kSubslices - start.place.subslice) % Machine::kSubslices;
        std::copy(addresses.begin(), addresses.end(), start.registers[1].begin());
        start.registers[2][0] = kResults + static_cast<std::uint32_t>(t) * 64;
    }
    EXPECT_TRUE(machine_.run(starts)) << litmus_.name << ": the threads do not end";
    std::string text;
    const auto add = [&text](std::uint32_t value) {
        text += (text.empty() ? "" : " ") + std::to_string(value);
    };
    for (std::size_t t = 0; t < litmus_.threads.size(); ++t)
        for (unsigned r = 0; r < litmus_.threads[t].code.results(); ++r)
            add(machine_.read(starts[t].registers[2][0] + 4 * r));
    if (litmus_.finals)
        for (const std::uint32_t address : addresses)
            add(machine_.read(address));
    return summary_ ? summary_(text) : text;
}

void Runner::run() {
    for (unsigned number = 0; number < effort_.runs; ++number)
        tally_.add(once(number));
    EXPECT_FALSE(machine_.reporter().failed());
    tally_.print();
}

void expect_holds(Litmus litmus) {
    Runner runner(std::move(litmus));
    runner.run();
    for (const std::string& sentence : runner.broken())
        ADD_FAILURE() << sentence;
}

}  // namespace gen9::litmus
