// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>

#include "vme/choices.h"
#include "vme/distortion.h"
#include "vme/message/inputs.h"
#include "vme/picture/patch.h"

namespace gen9::vme {

/// The best position of a shape so far.
struct Record {
    std::uint32_t distortion = 0;  ///< with its vector's and reference's costs, not its shape's
    Vector vector;
    std::uint8_t ref_id = 0;
    bool filled = false, local = true;  ///< local: this message found it, not one before

    /// An equal one does not replace what is there.
    bool beaten_by(std::uint32_t other) const { return !filled || other < distortion; }
};
using Records = std::array<Record, kShapeCount>;

using assumed::UnitSize;
/// Size of a search unit, in positions. Smaller source blocks have larger units (003:9387).
constexpr UnitSize unit_size(SourceSize size) {
    return size == SourceSize::S16x16  ? assumed::kUnit16x16
           : size == SourceSize::S16x8 ? assumed::kUnit16x8
                                       : assumed::kUnit8x8;
}
/// Search units of a window (VME-44).
inline UnitSize window_units(const Inputs& in) {
    const UnitSize unit = unit_size(in.size);
    return {(in.window_width - 4 * in.blocks_wide()) / unit.width,
            (in.window_height - 4 * in.blocks_high()) / unit.height};
}

/// Integer search.
/// Role     walks the search path over the windows, keeps the best position of each shape
/// Order    by path; in a unit row by row; the first of equals is kept
/// Not here the choice among shapes, and streamed records (partition.h)
/// Spec     VME-14, VME-15, VME-21..VME-26, VME-34, VME-40, VME-44, VME-58; 003:9145-9217
class Search {
  public:
    /// `path`: 56 bytes. `references`: windows by direction; the second one of a dual reference.
    Search(const Inputs& in, const std::uint8_t* path, const Patch& source,
           const std::array<const Patch*, 2>& references);
    void run();

    const std::array<Records, 2>& records() const { return records_; }
    bool early_stop() const { return early_stop_; }
    /// Steps of both paths, and units that a path really searched.
    unsigned steps() const { return walkers_[0].steps + walkers_[1].steps; }
    unsigned searched(unsigned record) const { return walkers_[record].searched; }
    const std::array<std::uint32_t, 2>& sums() const { return sums_; }
    const std::array<std::uint32_t, 2>& most() const { return most_; }

  private:
    static constexpr unsigned kPathBytes = 56;
    struct Walker {
        Point unit;
        unsigned steps = 0, searched = 0, next_byte = 0;
        bool on_path = true, ended = false;
        std::bitset<256> visited;
        Point best;  ///< position of the whole source block's best, in the window
        std::uint32_t least = ~0u;
    };
    std::optional<Point> next_unit(Walker& walker, unsigned record) const;
    std::optional<Point> next_neighbour(const Walker& walker) const;
    void step(unsigned record);
    void search_unit(unsigned record, Point unit);
    void search_position(unsigned record, Point position);
    void list_shapes();

    const Inputs& in_;
    const std::uint8_t* const path_;
    const Patch& source_;
    const std::array<const Patch*, 2> references_;
    const Measure measure_;
    const UnitSize unit_, units_;
    unsigned whole_;                                  ///< the shape of the whole source block
    std::array<std::uint8_t, kShapeCount> shapes_{};  ///< that are recorded
    unsigned shape_count_ = 0;
    std::array<Records, 2> records_{};
    std::array<Walker, 2> walkers_;
    std::array<std::uint32_t, 2> sums_{}, most_{};  ///< by reference
    bool early_stop_ = false;
};

}  // namespace gen9::vme
