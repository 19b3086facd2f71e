// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

namespace gen9::drm {

/// The largest pages that tables have.
enum class PageSize : std::uint64_t { Small = 4 << 10, Medium = 64 << 10, Large = 2 << 20 };

/// Frames: where the places of memory that the door hands out lie in the machine's memory.
/// Role     contiguous: at the place itself. Scattered: each frame, of one largest page or of more
///          that lie together, is at another place of the same 16 GB, as the frames of a system
///          that has run for a while. The same seed gives the same frames. No two frames lie at
///          one place.
/// Units    bytes; places count from the first that is handed out to buffers
/// Spec     Assumed: each order of frames is as likely
class Frames {
  public:
    static constexpr std::uint64_t kBlock = std::uint64_t{16} << 30;

    /// Contiguous without a seed. `bytes`, of a frame: whole pages, up to 1 GB. What is left of a
    /// block after its last whole frame stays where it is.
    Frames(PageSize largest, std::optional<std::uint64_t> seed = {}, std::uint64_t bytes = 0)
        : largest_(largest), seed_(seed), bytes_(std::max(bytes, page_bytes())) {}

    PageSize largest() const { return largest_; }
    std::uint64_t page_bytes() const { return static_cast<std::uint64_t>(largest_); }
    /// A frame has so many bytes.
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t at(std::uint64_t place) const;
    /// Calls visit(offset, bytes) for the parts of a range that lie in one piece each, in order.
    template <class Visit>
    void for_each_piece(std::uint64_t place, std::uint64_t size, Visit&& visit) const {
        for (std::uint64_t done = 0; done < size;) {
            const std::uint64_t left = size - done;
            const std::uint64_t piece = seed_ ? std::min(left, to_end(place + done)) : left;
            visit(done, piece);
            done += piece;
        }
    }

  private:
    /// Bytes from a place to the end of its frame or block.
    std::uint64_t to_end(std::uint64_t place) const {
        const std::uint64_t in_block = place % kBlock;
        return std::min(bytes() - in_block % bytes(), kBlock - in_block);
    }

    PageSize largest_;
    std::optional<std::uint64_t> seed_;
    std::uint64_t bytes_;
};

}  // namespace gen9::drm
