// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace gen9::sampler::media {

/// The texels that the pixels of a block need in one direction: the same for all rows, or for all
/// columns, of the block.
class Axis {
  public:
    void clear() {
        places_.clear();
        added_.clear();
        at_.clear();
    }
    /// The pixel after the last needs the texel at `index` of an axis of `size` next; what lies
    /// outside has the texel of the edge, or is mirrored there.
    void add(std::int64_t index, std::int64_t size, bool mirror);
    /// All are added.
    void sort();
    const std::vector<std::int32_t>& places() const { return places_; }
    /// Which of `places` the n-th texel is that was added.
    unsigned at(unsigned n) const { return at_[n]; }

  private:
    std::vector<std::int32_t> places_;  ///< sorted, each once
    std::vector<std::int32_t> added_;
    std::vector<std::uint16_t> at_;
};

/// Elements of a surface that a message reads: the columns of one axis in the rows of another.
struct Elements {
    Axis x, y;
    std::uint8_t bytes = 1;  ///< of an element
    std::vector<std::uint64_t> addresses;
    std::vector<std::uint8_t> data;

    void clear() {
        x.clear();
        y.clear();
        addresses.clear();
    }
    /// Places all of them; `address(column, row)` gives an element's.
    template <class Address>
    void place(unsigned element_bytes, Address address) {
        bytes = static_cast<std::uint8_t>(element_bytes);
        x.sort();
        y.sort();
        for (const std::int32_t row : y.places())
            for (const std::int32_t column : x.places())
                addresses.push_back(
                    address(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)));
        data.resize(addresses.size() * bytes);
    }
    /// The element in a column and a row of `places`.
    const std::uint8_t* at(unsigned column, unsigned row) const {
        return data.data() + (std::size_t{row} * x.places().size() + column) * bytes;
    }
};

}  // namespace gen9::sampler::media
