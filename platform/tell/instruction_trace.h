// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <string>

#include "eu/observer.h"

namespace gen9::platform {

/// Writes a line per executed instruction: cycle, thread, channels enabled, IP, disassembly, and
/// the registers the destination begins with, as they are afterwards.
class InstructionTrace : public eu::InstructionObserver {
  public:
    /// Throws UserError when the file cannot be written.
    explicit InstructionTrace(const std::string& path);
    void executed(const eu::Thread& thread, const eu::DecodedInstruction& instruction, Cycles cycle,
                  std::uint32_t channels) override;
    /// Throws UserError when not all of it could be written.
    void close();

  private:
    std::string path_;
    std::ofstream file_;
};

}  // namespace gen9::platform
