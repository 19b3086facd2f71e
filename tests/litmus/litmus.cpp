// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/litmus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "common/check.h"

namespace gen9::litmus {
namespace {

constexpr std::uint32_t kVariables = 0x1000000, kResults = 0x8000000;
constexpr unsigned kBlock = 1024;     // a run's variables are in other lines than any before's
constexpr unsigned kMostLater = 250;  // cycles a thread may start after another

unsigned number_of(const char* name, unsigned otherwise) {
    const char* text = std::getenv(name);
    return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

}  // namespace

const char* to_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::Forbidden:
            return "forbidden";
        case Verdict::Allowed:
            return "allowed";
        case Verdict::Ordinary:
            break;
    }
    return "ordinary";
}

Effort Effort::from_environment() {
    return {number_of("LITMUS_RUNS", 300), number_of("LITMUS_SEED", 1),
            number_of("LITMUS_JITTER", 400)};
}

std::vector<std::string> Effort::settings() const {
    std::vector<std::string> all{"machine.jitter_cycles=" + std::to_string(jitter),
                                 "machine.jitter_seed=" + std::to_string(seed)};
    if (const char* const more = std::getenv("LITMUS_SET")) all.emplace_back(more);
    return all;
}

Runner::Runner(Litmus litmus, std::vector<std::string> more_settings, Summary summary)
    : litmus_(std::move(litmus)),
      summary_(std::move(summary)),
      effort_(Effort::from_environment()),
      machine_([&] {
          auto settings = effort_.settings();
          settings.insert(settings.end(), more_settings.begin(), more_settings.end());
          return settings;
      }()),
      state_(effort_.seed * 0x9E3779B97F4A7C15u + 1) {
    std::uint32_t ip = 0;
    for (const LitmusThread& thread : litmus_.threads) {
        const auto bytes = thread.code.bytes();
        machine_.load(ip, bytes);
        code_.push_back(ip);
        ip += static_cast<std::uint32_t>(bytes.size() + 4095) / 4096 * 4096;
    }
}

std::uint32_t Runner::draw(std::uint32_t below) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ >> 33) % below;
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
        std::swap(lines[i] = i, lines[draw(i + 1)]);
    for (unsigned v = 0; v < litmus_.variables; ++v)
        addresses.push_back(litmus_.one_line ? block + lines[0] * kLineBytes + 4 * v
                                             : block + lines[v] * kLineBytes + draw(8) * 4);
    if (litmus_.aliased) addresses[1] = addresses[0] + Machine::kAlias;
    for (unsigned v = 0; v < litmus_.variables; ++v) {
        std::uint32_t& address = addresses[v];
        if (v >= litmus_.local_from) {
            address = local(v);
            continue;
        }
        const std::uint32_t how = draw(3);
        if (how == 1) machine_.warm(address);
        if (how == 2) machine_.touch(address, draw(kMostLater));
    }
    return addresses;
}

std::string Runner::once(unsigned number) {
    const std::vector<std::uint32_t> addresses = place_variables(number);
    std::vector<Start> starts;
    const unsigned spread = draw(2) ? kMostLater : 30;
    for (std::size_t t = 0; t < litmus_.threads.size(); ++t) {
        Start& start = starts.emplace_back();
        start.place = litmus_.threads[t].place;
        start.ip = code_[t];
        start.later = draw(spread);
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
    for (const Outcome& outcome : litmus_.outcomes)
        counts_[outcome.text] = 0;
    for (unsigned number = 0; number < effort_.runs; ++number)
        ++counts_[once(number)];
    EXPECT_FALSE(machine_.reporter().failed());
    print();
}

unsigned Runner::count(const std::string& outcome) const {
    const auto found = counts_.find(outcome);
    return found == counts_.end() ? 0 : found->second;
}

Verdict Runner::verdict(const std::string& outcome) const {
    for (const Outcome& listed : litmus_.outcomes)
        if (listed.text == outcome) return listed.verdict;
    return litmus_.others;
}

std::vector<std::string> Runner::broken() const {
    std::vector<std::string> sentences;
    for (const auto& [outcome, count] : counts_) {
        const Verdict verdict = this->verdict(outcome);
        if (verdict == Verdict::Forbidden && count != 0)
            sentences.push_back(litmus_.name + ": forbidden outcome " + outcome + " met " +
                                std::to_string(count) + " times");
        if (verdict == Verdict::Allowed && count == 0)
            sentences.push_back(litmus_.name + ": allowed outcome " + outcome + " not met");
    }
    return sentences;
}

// Read by scripts/litmus.
void Runner::print() const {
    for (const auto& [outcome, count] : counts_)
        std::printf("LITMUS\t%s\t%s\t%s\t%s\t%s\t%u\n", litmus_.name.c_str(), litmus_.rule.c_str(),
                    litmus_.source.c_str(), outcome.c_str(), to_text(verdict(outcome)), count);
}

void expect_holds(Litmus litmus) {
    Runner runner(std::move(litmus));
    runner.run();
    for (const std::string& sentence : runner.broken())
        ADD_FAILURE() << sentence;
}

}  // namespace gen9::litmus
