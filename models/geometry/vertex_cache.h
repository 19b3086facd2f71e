// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gen9::geometry {

/// Vertex cache: the URB entries of vertices of an indexed draw, by vertex index; the one that came
/// first leaves first (VF-22, VF-23). What leaves is for its owner to give up.
class VertexCache {
  public:
    explicit VertexCache(std::size_t size) : size_(size) {}

    std::optional<unsigned> find(std::uint32_t index) const {
        for (std::size_t i = 0; i < tags_.size(); ++i)
            if (tags_[i] == index) return entries_[i];
        return {};
    }
    /// Takes a vertex in that is not there. The entry that leaves for it, if one does; that of the
    /// vertex itself, if there is no room at all.
    std::optional<unsigned> add(std::uint32_t index, unsigned entry) {
        if (size_ == 0) return entry;
        if (tags_.size() < size_) {
            tags_.push_back(index);
            entries_.push_back(entry);
            return {};
        }
        const unsigned leaves = entries_[oldest_];
        tags_[oldest_] = index;
        entries_[oldest_] = entry;
        oldest_ = (oldest_ + 1) % size_;
        return leaves;
    }
    /// The oldest that answers to `may_leave` leaves: its entry.
    template <class Predicate>
    std::optional<unsigned> drop_one(Predicate may_leave) {
        for (std::size_t i = 0; i < tags_.size(); ++i) {
            const std::size_t at = (oldest_ + i) % tags_.size();
            if (!may_leave(entries_[at])) continue;
            const unsigned leaves = entries_[at];
            // The others keep their order.
            rotate_to_front();
            tags_.erase(tags_.begin() + static_cast<std::ptrdiff_t>(i));
            entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
            return leaves;
        }
        return {};
    }
    /// All leave.
    template <class Leaves>
    void clear(Leaves leaves) {
        for (const unsigned entry : entries_)
            leaves(entry);
        tags_.clear();
        entries_.clear();
        oldest_ = 0;
    }
    std::size_t held() const { return tags_.size(); }

  private:
    void rotate_to_front();

    std::size_t size_;
    std::vector<std::uint32_t> tags_;
    std::vector<unsigned> entries_;
    std::size_t oldest_ = 0;  ///< where the next one goes when all places are taken
};

inline void VertexCache::rotate_to_front() {
    std::vector<std::uint32_t> tags;
    std::vector<unsigned> entries;
    for (std::size_t i = 0; i < tags_.size(); ++i) {
        tags.push_back(tags_[(oldest_ + i) % tags_.size()]);
        entries.push_back(entries_[(oldest_ + i) % tags_.size()]);
    }
    tags_.swap(tags);
    entries_.swap(entries);
    oldest_ = 0;
}

}  // namespace gen9::geometry
