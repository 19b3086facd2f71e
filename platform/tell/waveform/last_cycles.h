// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "platform/tell/waveform/wave_file.h"

namespace gen9::platform {

/// Keeps the end of a waveform in memory, and writes it to a file when asked to.
class LastCycles : public WaveFile {
  public:
    /// Keeps at least the last so many picoseconds.
    explicit LastCycles(std::uint64_t picoseconds) : kept_(picoseconds) {}
    /// Call after `close`.
    void write(WaveFile& file) const;

    void declare(const std::vector<WaveVariable>& variables) override;
    void time(std::uint64_t picoseconds) override;
    void value(std::uint32_t variable, std::uint64_t value) override;
    void off(std::uint64_t) override {}
    void close(std::uint64_t picoseconds) override { end_ = picoseconds; }

  private:
    struct Change {
        std::uint64_t time;
        std::uint32_t variable;
        std::uint64_t value;
    };
    /// Forgets what is older than what is kept.
    void trim();

    std::uint64_t kept_;
    std::vector<WaveVariable> variables_;
    std::vector<std::uint64_t> before_;  ///< values before the first change
    std::vector<Change> changes_;
    std::size_t enough_ = 1 << 12;
    std::uint64_t now_ = 0, end_ = 0;
};

}  // namespace gen9::platform
