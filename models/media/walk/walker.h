// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "media/types.h"
#include "packets/stopped_walker.h"

namespace gen9::media {

/// GPGPU_WALKER as the spawner uses it.
struct WalkerParameters {
    std::uint8_t descriptor_index = 0;
    std::uint32_t indirect_bytes = 0;
    std::uint32_t indirect_offset = 0;         ///< from the indirect object base
    std::array<std::uint8_t, 3> thread_max{};  ///< width, height, depth: last value of each counter
    std::uint8_t simd_width = 8;               ///< 8, 16, 32; 0: the reserved code
    std::array<std::uint32_t, 3> start{};      ///< the first group id
    std::optional<std::array<std::uint32_t, 3>> resume;  ///< where one that was stopped goes on
    std::uint16_t resume_thread = 0;  ///< threads of that group that had been sent
    std::array<std::uint32_t, 3> dimensions{};
    std::uint32_t right_mask = 0, bottom_mask = 0;
    /// X and Y, after a row and a plane; else to their starts (D-18).
    bool returns_to_zero = false;

    unsigned group_threads() const {
        return (thread_max[0] + 1u) * (thread_max[1] + 1u) * (thread_max[2] + 1u);
    }
    /// A zero dimension starts nothing (TD-13).
    bool empty() const { return !dimensions[0] || !dimensions[1] || !dimensions[2]; }
    /// Groups of a checked walker, by dimension: ids run from the start to the dimension minus one.
    /// Where X and Y return to zero, the rows and planes after the first are whole.
    std::array<std::uint32_t, 3> groups() const {
        if (empty()) return {};
        if (returns_to_zero) return {dimensions[0], dimensions[1], dimensions[2] - start[2]};
        return {dimensions[0] - start[0], dimensions[1] - start[1], dimensions[2] - start[2]};
    }
};

/// `indirect_dimensions` replace the command's own when it says so (TD-12); those of one that was
/// stopped are in its rest.
WalkerParameters decode_walker(std::span<const std::uint32_t> dwords,
                               const std::array<std::uint32_t, 3>& indirect_dimensions,
                               const std::optional<WalkerRest>& resumes = {});

std::optional<Refusal> check(const WalkerParameters& walker);

/// The group counters (TD-17): X counts fastest; X and Y return to 0, as TD-36 says, or to their
/// starts: drivers cut off the groups of another size at the end of a range with such walkers
/// (docs/deviations.md, D-18).
class GroupCursor {
  public:
    GroupCursor() = default;
    explicit GroupCursor(const WalkerParameters& walker)
        : id_(walker.resume.value_or(walker.start)),
          first_(walker.returns_to_zero ? std::array<std::uint32_t, 3>{} : walker.start),
          dimensions_(walker.dimensions),
          done_(walker.empty()) {}
    bool done() const { return done_; }
    const std::array<std::uint32_t, 3>& id() const { return id_; }
    void next() {
        for (unsigned i = 0; i < 3; ++i) {
            if (++id_[i] < dimensions_[i]) return;
            id_[i] = first_[i];
        }
        done_ = true;
    }

  private:
    std::array<std::uint32_t, 3> id_{}, first_{}, dimensions_{};
    bool done_ = true;
};

/// The thread counters of a group (TD-18, TD-19): width fastest, then height, then depth.
class ThreadCursor {
  public:
    ThreadCursor() = default;
    explicit ThreadCursor(const WalkerParameters& walker);
    bool done() const { return index_ == count_; }
    bool last() const { return index_ + 1u == count_; }
    /// TD-23..27: right mask at the width's maximum, bottom mask at the height's, both at the
    /// corner; depth does not matter; cut to the SIMD width.
    std::uint32_t mask() const {
        std::uint32_t mask = all_;
        if (at_[0] == max_[0]) mask &= right_;
        if (at_[1] == max_[1]) mask &= bottom_;
        return mask;
    }
    void next();

  private:
    std::array<std::uint8_t, 3> at_{}, max_{};
    std::uint16_t index_ = 0, count_ = 0;
    std::uint32_t right_ = 0, bottom_ = 0, all_ = 0;
};

/// The threads of a walker in order, group after group.
class WalkerCursor {
  public:
    WalkerCursor() = default;
    explicit WalkerCursor(const WalkerParameters& walker);
    bool done() const { return groups_.done(); }
    bool last_of_group() const { return local_thread_ + 1u == group_threads_; }
    const std::array<std::uint32_t, 3>& group() const { return groups_.id(); }
    /// Groups behind this one; of a walker that was resumed, those it had before too.
    std::uint64_t groups_left() const { return groups_left_; }
    /// The number of the thread in its group.
    unsigned local_thread() const { return local_thread_; }
    unsigned left_of_group() const { return group_threads_ - local_thread_; }
    /// Grows from thread to thread.
    std::uint64_t number() const { return groups_passed_ * group_threads_ + local_thread_; }
    /// Passes over so many threads, of the group at most.
    void next(unsigned threads) {
        local_thread_ += threads;
        if (local_thread_ == group_threads_) next_group();
    }
    void next_group() {
        local_thread_ = 0;
        groups_.next();
        groups_left_ -= groups_left_ != 0;
        ++groups_passed_;
    }

  private:
    GroupCursor groups_;
    std::uint64_t groups_left_ = 0, groups_passed_ = 0;
    unsigned local_thread_ = 0, group_threads_ = 1;
};

/// Some threads of a walker, one after the other.
struct WalkerPart {
    WalkerCursor at;
    unsigned left = 0;
};

/// The dispatch masks of a group's threads, by their numbers: the same in each group of a walker.
class GroupMasks {
  public:
    GroupMasks() = default;
    explicit GroupMasks(const WalkerParameters& walker);
    const std::uint32_t* masks() const { return masks_.data(); }
    /// Channels of so many threads from one on.
    unsigned channels(unsigned first, unsigned threads) const {
        return channels_before_[first + threads] - channels_before_[first];
    }

  private:
    static constexpr unsigned kMostThreads = 64;  // TD-18
    std::array<std::uint32_t, kMostThreads> masks_{};
    std::array<std::uint16_t, kMostThreads + 1> channels_before_{};
};

}  // namespace gen9::media
