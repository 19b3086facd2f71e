// SPDX-License-Identifier: Apache-2.0
#include "interpolation/barycentric.h"

#include <bit>
#include <cstring>

#include "common/host.h"

namespace gen9::interpolation {
namespace {

using Doubles = double __attribute__((vector_size(32)));
using Floats = float __attribute__((vector_size(16)));
using Integers = std::int32_t __attribute__((vector_size(16)));
constexpr unsigned kLanes = 4;

template <class Vector, class T>
GEN9_INLINE Vector take(const T* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
}
GEN9_INLINE void put(float* to, const Doubles& from) {
    const Floats narrow = __builtin_convertvector(from, Floats);
    std::memcpy(to, &narrow, sizeof narrow);
}
GEN9_INLINE void put(double* to, const Doubles& from) {
    std::memcpy(to, &from, sizeof from);
}

/// The weights of the whole at a place of a part.
GEN9_INLINE void of_whole(const CornerWeights& corners, const Doubles& w1, const Doubles& w2,
                          float* b1, float* b2) {
    const auto blend = [&](const std::array<float, 3>& c) __attribute__((always_inline)) {
        return c[0] + w1 * (double{c[1]} - c[0]) + w2 * (double{c[2]} - c[0]);
    };
    put(b1, blend(corners.b1));
    put(b2, blend(corners.b2));
}

/// Sum of the weighted 1/w: linear on the screen.
GEN9_INLINE Doubles reciprocal_w(const Interpolation& i, const Doubles& l1, const Doubles& l2) {
    return (1 - l1 - l2) * double{i.rhw[0]} + l1 * double{i.rhw[1]} + l2 * double{i.rhw[2]};
}

}  // namespace

Places block_places(std::int32_t x, std::int32_t y, SamplePlace place) {
    Places places;
    places.count = kMaxPlaces;
    const std::int32_t left = x * kPixelSteps + place.x * 16, top = y * kPixelSteps + place.y * 16;
    for (unsigned pixel = 0; pixel < kMaxPlaces; ++pixel) {
        places.x[pixel] = left + static_cast<std::int32_t>(pixel % 8) * kPixelSteps;
        places.y[pixel] = top + static_cast<std::int32_t>(pixel / 8) * kPixelSteps;
    }
    return places;
}

Places slot_places(std::span<const Subspan> subspans) {
    Places places;
    places.count = static_cast<unsigned>(subspans.size()) * 4;
    for (unsigned slot = 0; slot < places.count; ++slot) {
        const Subspan& of = subspans[slot / 4];
        const auto right = static_cast<std::int32_t>(slot & 1),
                   below = static_cast<std::int32_t>(slot >> 1 & 1);
        places.x[slot] = (of.x + right) * kPixelSteps + of.place.x * 16;
        places.y[slot] = (of.y + below) * kPixelSteps + of.place.y * 16;
    }
    return places;
}

Places centroid_places(const PixelBlock& block, const Samples& samples) {
    Places places = block_places(block.x, block.y, samples.pixel);
    if (block.full || samples.samples == 1) return places;
    std::uint32_t all = kAllPixels;
    for (unsigned s = 0; s < block.samples; ++s)
        all &= block.covered[s];
    for (std::uint32_t partly = block.lit & ~all; partly; partly &= partly - 1) {
        const auto pixel = static_cast<unsigned>(std::countr_zero(partly));
        unsigned sample = 0;
        while (!(block.covered[sample] >> pixel & 1))
            ++sample;
        places.x[pixel] += (samples.places[sample].x - samples.pixel.x) * 16;
        places.y[pixel] += (samples.places[sample].y - samples.pixel.y) * 16;
    }
    return places;
}

GEN9_FOR_EACH_HOST
Weights weights_at(const Interpolation& i, const Places& places) {
    Weights weights;
    weights.count = places.count;
    const double origin_x = i.origin.x, origin_y = i.origin.y;
    for (unsigned p = 0; p < places.count; p += kLanes) {
        const Doubles x = __builtin_convertvector(take<Integers>(&places.x[p]), Doubles) - origin_x;
        const Doubles y = __builtin_convertvector(take<Integers>(&places.y[p]), Doubles) - origin_y;
        put(&weights.l1[p], (x * i.a1 + y * i.b1) * i.scale);
        put(&weights.l2[p], (x * i.a2 + y * i.b2) * i.scale);
    }
    return weights;
}

GEN9_FOR_EACH_HOST
void linear(const Interpolation& i, const Weights& weights, Barycentrics& out) {
    for (unsigned p = 0; p < weights.count; p += kLanes) {
        const Doubles l1 = take<Doubles>(&weights.l1[p]), l2 = take<Doubles>(&weights.l2[p]);
        if (i.part) {
            of_whole(i.linear_corners, l1, l2, &out.b1[p], &out.b2[p]);
            continue;
        }
        put(&out.b1[p], l1);
        put(&out.b2[p], l2);
    }
}

GEN9_FOR_EACH_HOST
void perspective(const Interpolation& i, const Weights& weights, Barycentrics& out) {
    for (unsigned p = 0; p < weights.count; p += kLanes) {
        Doubles w1 = take<Doubles>(&weights.l1[p]), w2 = take<Doubles>(&weights.l2[p]);
        // Equal w: the weights stay exactly the linear ones.
        if (i.perspective) {
            const Doubles w = 1 / reciprocal_w(i, w1, w2);
            w1 *= double{i.rhw[1]} * w;
            w2 *= double{i.rhw[2]} * w;
        }
        if (i.part) {
            of_whole(i.perspective_corners, w1, w2, &out.b1[p], &out.b2[p]);
            continue;
        }
        put(&out.b1[p], w1);
        put(&out.b2[p], w2);
    }
}

GEN9_FOR_EACH_HOST
void source_depth(const Interpolation& i, const Weights& weights, PlaceValues& out) {
    for (unsigned p = 0; p < weights.count; p += kLanes)
        put(&out[p],
            i.z0 + take<Doubles>(&weights.l1[p]) * i.z1 + take<Doubles>(&weights.l2[p]) * i.z2);
}

GEN9_FOR_EACH_HOST
void source_w(const Interpolation& i, const Weights& weights, PlaceValues& out) {
    for (unsigned p = 0; p < weights.count; p += kLanes) {
        const Doubles l1 = take<Doubles>(&weights.l1[p]), l2 = take<Doubles>(&weights.l2[p]);
        put(&out[p], 1 / (i.perspective ? reciprocal_w(i, l1, l2) : Doubles{} + double{i.rhw[0]}));
    }
}

}  // namespace gen9::interpolation
