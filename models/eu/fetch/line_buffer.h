// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <vector>

#include "common/units.h"

namespace gen9::eu {

/// No line: lines are aligned to 64 bytes.
inline constexpr GpuAddr kNoLine{1};

/// The instruction lines an EU has at hand, in timed mode: direct-mapped by line address.
class LineBuffer {
  public:
    enum class State : std::uint8_t { Absent, Asked, Present };

    explicit LineBuffer(std::size_t lines)
        : tags_(lines), mask_(std::has_single_bit(lines) ? lines - 1 : 0) {}

    State state(GpuAddr line) const {
        const Tag& tag = tags_[index(line)];
        return tag.line == line ? tag.state : State::Absent;
    }
    /// Gives the line its place, dropping what was there.
    void ask(GpuAddr line) {
        tags_[index(line)] = {line, State::Asked};
        ++asked_;
    }
    /// The line is there and those prefetched after it have their places: that holds until another
    /// line is given one.
    void settle(GpuAddr line) { tags_[index(line)].settled_at = asked_; }
    std::uint64_t asked() const { return asked_; }
    bool settled(GpuAddr line) const {
        const Tag& tag = tags_[index(line)];
        return tag.line == line && tag.settled_at == asked_;
    }
    /// The line has come; false if its place has been given away meanwhile.
    bool fill(GpuAddr line) {
        Tag& tag = tags_[index(line)];
        if (tag.line != line || tag.state != State::Asked) return false;
        tag.state = State::Present;
        return true;
    }
    void invalidate() {
        if (asked_ == asked_before_) return;  // it is empty
        tags_.assign(tags_.size(), Tag{});
        asked_before_ = asked_;
    }

  private:
    struct Tag {
        GpuAddr line = kNoLine;
        State state = State::Absent;
        std::uint64_t settled_at = ~std::uint64_t{0};  ///< value of asked_
    };
    std::size_t index(GpuAddr line) const {
        const std::uint64_t number = line.value / kLineBytes;
        return mask_ != 0 ? number & mask_ : number % tags_.size();
    }
    std::vector<Tag> tags_;
    std::uint64_t asked_ = 0;         ///< lines
    std::uint64_t asked_before_ = 0;  ///< the last invalidation
    std::size_t mask_;                ///< 0: the number of lines is not a power of 2
};

}  // namespace gen9::eu
