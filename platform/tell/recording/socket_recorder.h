// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <fstream>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "interconnect/kernel/clock.h"

namespace gen9::platform {

/// A recording of one socket that is under way: every transaction with its cycle, as text
/// (recording.h). Lines are written in order of cycles.
class SocketRecorder {
  public:
    /// Finds the socket of the machine that `name` names: an initiator or a target socket by its
    /// hierarchical name, of which leading parts may be left out. Throws UserError when there is
    /// none, or more than one.
    static std::unique_ptr<SocketRecorder> of(const std::string& name, const Clock& clock);

    virtual ~SocketRecorder() = default;
    /// Opens the file and begins. Throws UserError.
    void open(const std::string& path);
    /// Completes the file. Throws UserError when it could not be written.
    void close();

  protected:
    SocketRecorder(const Clock& clock, std::string socket, std::string target,
                   const char* protocol);
    virtual void connect() = 0;
    /// A line that belongs to this cycle, which is not past.
    void line(Cycles cycle, std::string text);
    const Clock& clock() const { return clock_; }

  private:
    struct Line {
        std::uint64_t cycle, order;
        std::string text;
        bool operator<(const Line& other) const {  // the queue gives the greatest first
            return cycle != other.cycle ? cycle > other.cycle : order > other.order;
        }
    };
    void write_before(std::uint64_t cycle);

    const Clock& clock_;
    std::string socket_, target_;
    const char* protocol_;
    std::string path_;
    std::ofstream file_;
    std::priority_queue<Line> lines_;
    std::uint64_t order_ = 0;
};

}  // namespace gen9::platform
