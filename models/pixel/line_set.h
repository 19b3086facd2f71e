// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "common/units.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::pixel {

/// The lines that pixels lie in, with their bytes.
class LineSet {
  public:
    struct Line {
        std::uint64_t address = 0;
        std::uint64_t written = 0;  ///< bytes
        Requester of = Requester::RenderTarget;
        std::uint8_t data[kLineBytes];
    };

    void clear() {
        lines_.clear();
        last_ = 0;
    }
    std::vector<Line>& lines() { return lines_; }
    const std::vector<Line>& lines() const { return lines_; }

    /// Adds the line of an element, which does not go beyond it.
    void add(std::uint64_t address, Requester of) {
        const std::uint64_t line = address / kLineBytes * kLineBytes;
        if (find(line) != lines_.size()) return;
        lines_.emplace_back();
        lines_.back().address = line;
        lines_.back().of = of;
        last_ = lines_.size() - 1;
    }
    /// The line of an element that was added, and its bytes.
    Line& line_of(std::uint64_t address) { return lines_[find(address / kLineBytes * kLineBytes)]; }
    std::uint8_t* bytes_of(std::uint64_t address) {
        return line_of(address).data + address % kLineBytes;
    }

  private:
    // Mostly it is the line that was looked for last, or the one that was added after it.
    std::size_t find(std::uint64_t line) const {
        for (std::size_t i = last_; i < lines_.size() && i <= last_ + 1; ++i)
            if (lines_[i].address == line) return last_ = i;
        for (std::size_t i = lines_.size(); i-- > 0;)
            if (lines_[i].address == line) return last_ = i;
        return lines_.size();
    }
    std::vector<Line> lines_;
    mutable std::size_t last_ = 0;
};

}  // namespace gen9::pixel
