// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace gen9 {

/// A value that can be watched in a waveform: a plain number, with the width it is drawn at.
struct Signal {
    const char* name;
    const std::uint32_t* value;
    unsigned width_bits;
};

/// The watched values of one module, listed once; the waveform's scopes are the module names.
/// A block derives its `<Block>Signals` from this, keeps plain std::uint32_t members, and adds each
/// in its constructor.
class SignalSet {
  public:
    explicit SignalSet(std::string path) : path_(std::move(path)) {}
    SignalSet(const SignalSet&) = delete;
    SignalSet& operator=(const SignalSet&) = delete;
    const std::string& path() const { return path_; }
    const std::vector<Signal>& signals() const { return signals_; }

  protected:
    void add(const char* name, const std::uint32_t& value, unsigned width_bits) {
        signals_.push_back({name, &value, width_bits});
    }

  private:
    std::string path_;
    std::vector<Signal> signals_;
};

}  // namespace gen9
