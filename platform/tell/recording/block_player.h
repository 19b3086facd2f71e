// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/config.h"
#include "platform/tell/recording/recording.h"

namespace gen9::platform {

/// Plays a recording of a memory socket into the block it was recorded at, alone, in whatever model
/// the settings choose, and compares every answer's bytes and cycle.
/// Order    a request is given in its cycle, or as soon after it as the block takes it
/// Blocks   slm, alu (of the command streamer), dram, llc with the DRAM behind it, and a bank of l3
///          with what was recorded at its mem_out behind it (recorded_memory.h)
/// Memory   what a read of dram or llc finds that no request of the recording has written is the
///          host's: it is put there before, as the recording tells
class BlockPlayer {
  public:
    /// Throws UserError for a recording of another block. At most one in a process.
    BlockPlayer(const Config& config, RecordingFile& file, RecordingFile* behind = nullptr);
    ~BlockPlayer();

    /// Plays it all.
    void play();

    std::uint64_t requests() const;
    /// Answers that differ in their bytes or their status, in their cycle, or never came.
    std::uint64_t wrong_data() const;
    std::uint64_t wrong_cycle() const;
    std::uint64_t unanswered() const;
    /// Requests to the memory behind that the recording does not have, and those that it has and
    /// that were not made.
    std::uint64_t wrong_behind() const;
    /// The first differences, a line each.
    const std::vector<std::string>& said() const;
    /// Something the block reported.
    bool failed() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace gen9::platform
