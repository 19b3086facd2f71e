// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>

#include "common/environment.h"

namespace gen9::platform {

/// The waveform of a run: every module's signals under its name, as VCD, with a GTKWave save file
/// beside it that opens on the engine's main signals. The file depends on nothing but the run: the
/// date that the kernel writes into the header is taken out.
class Waveform {
  public:
    /// Call before the first sc_start. `path` with or without ".vcd". Throws UserError when the
    /// file cannot be written.
    Waveform(const std::string& path, const Environment& env);
    ~Waveform();
    void close();

  private:
    void write_save_file() const;
    std::string base_;
    const Environment& env_;
    sc_core::sc_trace_file* file_ = nullptr;
};

}  // namespace gen9::platform
