// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/tally.h"

#include <cstdio>
#include <cstdlib>

namespace gen9::litmus {
namespace {

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

std::vector<std::string> Effort::settings(const std::string& platform) const {
    std::vector<std::string> all{platform + ".jitter_cycles=" + std::to_string(jitter),
                                 platform + ".jitter_seed=" + std::to_string(seed)};
    if (const char* const more = std::getenv("LITMUS_SET")) all.emplace_back(more);
    return all;
}

std::uint32_t Draw::operator()(std::uint32_t below) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ >> 33) % below;
}

Tally::Tally(const Question& question) : question_(question) {
    for (const Outcome& outcome : question_.outcomes)
        counts_[outcome.text] = 0;
}

unsigned Tally::count(const std::string& outcome) const {
    const auto found = counts_.find(outcome);
    return found == counts_.end() ? 0 : found->second;
}

Verdict Tally::verdict(const std::string& outcome) const {
    for (const Outcome& listed : question_.outcomes)
        if (listed.text == outcome) return listed.verdict;
    return question_.others;
}

std::vector<std::string> Tally::broken() const {
    std::vector<std::string> sentences;
    for (const auto& [outcome, count] : counts_) {
        const Verdict verdict = this->verdict(outcome);
        if (verdict == Verdict::Forbidden && count != 0)
            sentences.push_back(question_.name + ": forbidden outcome " + outcome + " met " +
                                std::to_string(count) + " times");
        if (verdict == Verdict::Allowed && count == 0)
            sentences.push_back(question_.name + ": allowed outcome " + outcome + " not met");
    }
    return sentences;
}

// Read by scripts/litmus.
void Tally::print() const {
    for (const auto& [outcome, count] : counts_)
        std::printf("LITMUS\t%s\t%s\t%s\t%s\t%s\t%u\n", question_.name.c_str(),
                    question_.rule.c_str(), question_.source.c_str(), outcome.c_str(),
                    to_text(verdict(outcome)), count);
}

}  // namespace gen9::litmus
