// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "interconnect/payload/pixel_record.h"

namespace gen9::pixel {

/// Which threads in flight draw to which 2x2 pixels.
///
/// A thread names the earlier ones that it overlaps in its dependencies (EU-108), so that its
/// writes come behind theirs. Threads of one object never overlap: where each sample has a slot of
/// its own, they share pixels, not samples.
class PixelScoreboard {
  public:
    static constexpr unsigned kDependencies = 8;
    /// FFTIDs of the threads that one must wait for.
    struct Dependencies {
        std::array<std::uint16_t, kDependencies> fftid{};
        unsigned count = 0;
        bool too_many = false;
    };

    explicit PixelScoreboard(unsigned threads) : threads_(threads) { heads_.fill(kNone); }

    Dependencies find(const PixelRecord& record) const {
        Dependencies found;
        for (const PixelRecord::Subspan& subspan : record.subspans) {
            if (!subspan.used) continue;
            const std::uint32_t key = key_of(subspan);
            for (std::uint32_t n = heads_[bucket(key)]; n != kNone; n = node(n).next)
                if (node(n).key == key && node(n).order != record.order) add(found, n);
        }
        return found;
    }
    void enter(unsigned fftid, const PixelRecord& record) {
        std::uint32_t last = ~0u;
        for (unsigned i = 0; i < PixelRecord::kSubspans; ++i) {
            Node& own = threads_[fftid][i];
            own.entered = record.subspans[i].used;
            if (!own.entered) continue;
            own.key = key_of(record.subspans[i]);
            own.order = record.order;
            // The samples of a pixel follow each other: one of them stands for all.
            own.entered = own.key != last;
            last = own.key;
            if (!own.entered) continue;
            std::uint32_t& head = heads_[bucket(own.key)];
            own.next = head;
            own.before = kNone;
            const std::uint32_t number = fftid * PixelRecord::kSubspans + i;
            if (head != kNone) node(head).before = number;
            head = number;
        }
    }
    void leave(unsigned fftid) {
        for (Node& own : threads_[fftid]) {
            if (!own.entered) continue;
            own.entered = false;
            (own.before == kNone ? heads_[bucket(own.key)] : node(own.before).next) = own.next;
            if (own.next != kNone) node(own.next).before = own.before;
        }
    }

  private:
    static constexpr std::uint32_t kNone = ~0u;
    struct Node {
        std::uint32_t key = 0, next = kNone, before = kNone;
        std::uint64_t order = 0;
        bool entered = false;
    };
    static std::uint32_t key_of(const PixelRecord::Subspan& subspan) {
        return std::uint32_t{subspan.y} << 15 | subspan.x / 2u;
    }
    static std::uint32_t bucket(std::uint32_t key) { return (key ^ key >> 10) % kBuckets; }
    Node& node(std::uint32_t n) {
        return threads_[n / PixelRecord::kSubspans][n % PixelRecord::kSubspans];
    }
    const Node& node(std::uint32_t n) const {
        return threads_[n / PixelRecord::kSubspans][n % PixelRecord::kSubspans];
    }
    static void add(Dependencies& found, std::uint32_t n) {
        const auto fftid = static_cast<std::uint16_t>(n / PixelRecord::kSubspans);
        for (unsigned i = 0; i < found.count; ++i)
            if (found.fftid[i] == fftid) return;
        found.too_many |= found.count == kDependencies;
        if (!found.too_many) found.fftid[found.count++] = fftid;
    }

    static constexpr std::uint32_t kBuckets = 1024;
    std::array<std::uint32_t, kBuckets> heads_{};
    std::vector<std::array<Node, PixelRecord::kSubspans>> threads_;
};

}  // namespace gen9::pixel
