// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gen9 {

/// Collects what software did wrong and what the model lacks, says each once on the log, and
/// decides the exit status at the end.
class Reporter {
  public:
    /// One line to the person watching. Default: standard error.
    std::function<void(const std::string&)> log;

    Reporter();

    /// Software broke a rule of the hardware (illegal opcode, unmapped address, bad descriptor).
    /// `kind` groups the reports (one line is printed per kind and place), `place` says where
    /// (command address, thread, IP, disassembly), `text` says what and what the model did.
    void guest_error(const std::string& kind, const std::string& place, const std::string& text);

    /// Software used a legal feature the model does not have yet. `id` is its ledger row.
    void not_modelled(const std::string& id, const std::string& text);

    /// Software asked for something that changes nothing here; `reason` says why. The caller says
    /// it once. No error: it is kept for the report, and goes to the log only when `verbose`.
    void no_effect(const std::string& what, const std::string& reason);
    bool verbose = false;

    /// The engine stopped for good: `text` says who waits for what.
    void hang(const std::string& text);

    /// Anything that must turn the exit status of run, serve and replay?
    bool failed() const { return guest_errors_ + hangs_ + not_modelled_ != 0; }
    std::uint64_t guest_errors() const { return guest_errors_; }
    std::uint64_t hangs() const { return hangs_; }
    std::uint64_t not_modelled_uses() const { return not_modelled_; }

    struct Entry {
        std::string kind, place, text;
        std::uint64_t count = 0;
    };
    /// Everything that was reported, in order of first appearance.
    const std::vector<Entry>& entries() const { return entries_; }

    /// Everything that was asked for without effect, in order of first appearance.
    const std::vector<Entry>& without_effect() const { return without_effect_; }

  private:
    void add(const std::string& prefix, const std::string& kind, const std::string& place,
             const std::string& text);
    std::vector<Entry> entries_, without_effect_;
    std::map<std::pair<std::string, std::string>, std::size_t> index_;
    std::uint64_t guest_errors_ = 0, hangs_ = 0, not_modelled_ = 0;
};

}  // namespace gen9
