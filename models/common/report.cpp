// SPDX-License-Identifier: Apache-2.0
#include "common/report.h"

#include <cstdio>

namespace gen9 {
namespace {
// A broken program can break a rule in a million places; the first few of a kind say enough.
constexpr std::size_t kMaxEntriesOfAKind = 20;
}  // namespace

Reporter::Reporter()
    : log([](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }) {}

void Reporter::add(const std::string& prefix, const std::string& kind, const std::string& place,
                   const std::string& text) {
    const auto [found, is_new] = index_.try_emplace({kind, place}, entries_.size());
    if (!is_new) {
        ++entries_[found->second].count;
        return;
    }
    std::size_t of_this_kind = 0;
    for (const Entry& entry : entries_)
        of_this_kind += entry.kind == kind;
    if (of_this_kind > kMaxEntriesOfAKind) {
        index_.erase(found);
        return;
    }
    if (of_this_kind == kMaxEntriesOfAKind) {
        found->second = entries_.size();
        entries_.push_back({kind, "", "more of these are counted, not shown", 1});
        log("gen9sim: " + prefix + ": " + kind + ": more of these are counted, not shown");
        return;
    }
    entries_.push_back({kind, place, text, 1});
    log("gen9sim: " + prefix + ": " + kind + (place.empty() ? "" : " at " + place) + ": " + text);
}

void Reporter::guest_error(const std::string& kind, const std::string& place,
                           const std::string& text) {
    ++guest_errors_;
    add("guest error", kind, place, text);
}

void Reporter::not_modelled(const std::string& id, const std::string& text) {
    ++not_modelled_;
    add("not modelled", id, "", text);
}

void Reporter::no_effect(const std::string& what, const std::string& reason) {
    without_effect_.push_back({what, "", reason, 1});
    if (verbose) log("gen9sim: no effect: " + what + ": " + reason);
}

void Reporter::hang(const std::string& text) {
    ++hangs_;
    add("engine hang", "hang", "", text);
}

}  // namespace gen9
