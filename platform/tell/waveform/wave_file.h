// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/signals.h"

namespace gen9::platform {

/// One signal as a waveform file declares it.
struct WaveVariable {
    std::string scope;  ///< dotted module name
    std::string name;
    unsigned width_bits = 1;
    SignalForm form = SignalForm::Bit;
    std::span<const char* const> words;
};

/// A waveform file that is being written. Times never go back.
class WaveFile {
  public:
    virtual ~WaveFile() = default;
    /// Declares the variables; afterwards they are known by their place.
    virtual void declare(const std::vector<WaveVariable>& variables) = 0;
    /// The values that follow begin at this time, in picoseconds.
    virtual void time(std::uint64_t picoseconds) = 0;
    virtual void value(std::uint32_t variable, std::uint64_t value) = 0;
    /// Nothing is known of the variables from this time on, until each is given a value again.
    virtual void off(std::uint64_t picoseconds) = 0;
    /// The waveform ends here.
    virtual void close(std::uint64_t picoseconds) = 0;
};

/// By the name's end: ".fst" or ".vcd". Throws UserError when it cannot be written.
std::unique_ptr<WaveFile> open_wave_file(const std::string& path);
std::unique_ptr<WaveFile> open_vcd(const std::string& path);
std::unique_ptr<WaveFile> open_fst(const std::string& path);

/// A word as waveform files can hold it: without blanks.
std::string wave_word(const char* word);

/// Calls `enter(name)`, `leave()` and `variable(index)` so that each scope is entered once, in the
/// order in which the scopes first appear.
template <class Enter, class Leave, class Declare>
void walk_scopes(const std::vector<WaveVariable>& variables, Enter enter, Leave leave,
                 Declare declare) {
    struct Scope {
        std::string name;
        std::vector<Scope> inner{};
        std::vector<std::uint32_t> variables{};
    } top;
    for (std::uint32_t i = 0; i < variables.size(); ++i) {
        Scope* scope = &top;
        const std::string& path = variables[i].scope;
        for (std::size_t begin = 0; begin <= path.size();) {
            const std::size_t end = std::min(path.find('.', begin), path.size());
            const std::string name = path.substr(begin, end - begin);
            begin = end + 1;
            Scope* found = nullptr;
            for (Scope& inner : scope->inner)
                if (inner.name == name) found = &inner;
            scope = found ? found : &scope->inner.emplace_back(Scope{name});
        }
        scope->variables.push_back(i);
    }
    const auto walk = [&](const auto& self, const Scope& scope) -> void {
        for (const std::uint32_t i : scope.variables)
            declare(i);
        for (const Scope& inner : scope.inner) {
            enter(inner.name);
            self(self, inner);
            leave();
        }
    };
    walk(walk, top);
}

}  // namespace gen9::platform
