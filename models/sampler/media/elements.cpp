// SPDX-License-Identifier: Apache-2.0
#include "sampler/media/elements.h"

#include <algorithm>

#include "sampler/address/coordinate.h"

namespace gen9::sampler::media {

void Axis::add(std::int64_t index, std::int64_t size, bool mirror) {
    added_.push_back(wrap(mirror ? AddressMode::Mirror : AddressMode::Clamp, index, size).index);
}

void Axis::sort() {
    places_ = added_;
    std::ranges::sort(places_);
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    at_.clear();
    for (const std::int32_t place : added_)
        at_.push_back(
            static_cast<std::uint16_t>(std::ranges::lower_bound(places_, place) - places_.begin()));
    added_.clear();
}

}  // namespace gen9::sampler::media
