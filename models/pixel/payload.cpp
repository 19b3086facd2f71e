// SPDX-License-Identifier: Apache-2.0
#include "pixel/payload.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "interpolation/barycentric.h"

namespace gen9::pixel {

namespace {

constexpr unsigned kRow = 8;  ///< slots of a register
constexpr unsigned kHalf = 16;

/// Where the slots of a record are on the screen, for each kind of place; each made when it is
/// asked for first.
class SlotPlaces {
  public:
    SlotPlaces(const ShaderState& state, const PixelRecord& record)
        : state_(state), record_(record) {}

    const interpolation::Weights& weights(PlaceKind kind) {
        Kind& of = kinds_[index_of(kind)];
        if (!of.known) {
            of.weights = interpolation::weights_at(record_.object->interpolation, places(kind));
            of.known = true;
        }
        return of.weights;
    }
    /// The place of a slot within its pixel.
    interpolation::SamplePlace place_in_pixel(PlaceKind kind, unsigned slot) const {
        const interpolation::Samples& samples = state_.samples;
        const PixelRecord::Subspan& subspan = record_.subspans[slot / 4];
        if (kind == PlaceKind::Pixel || samples.samples == 1) return samples.pixel;
        if (kind == PlaceKind::Sample) return samples.places[subspan.sample];
        return interpolation::centroid(samples, subspan.rasterised[slot % 4], samples.pixel);
    }

  private:
    struct Kind {
        bool known = false;
        interpolation::Weights weights;
    };
    static unsigned index_of(PlaceKind kind) {
        return kind == PlaceKind::Pixel ? 0 : kind == PlaceKind::Centroid ? 1 : 2;
    }
    interpolation::Places places(PlaceKind kind) const {
        interpolation::Places places;
        places.count = record_.width;
        if (kind == PlaceKind::Pixel || state_.samples.samples == 1) {
            const interpolation::SamplePlace at = state_.samples.pixel;
            for (unsigned s = 0; s < places.count / 4; ++s) {
                const PixelRecord::Subspan& subspan = record_.subspans[s];
                using Quad = std::int32_t __attribute__((vector_size(16)));
                const Quad x =
                    Quad{0, kPixelSteps, 0, kPixelSteps} + (subspan.x * kPixelSteps + at.x * 16);
                const Quad y =
                    Quad{0, 0, kPixelSteps, kPixelSteps} + (subspan.y * kPixelSteps + at.y * 16);
                std::memcpy(&places.x[4 * s], &x, sizeof x);
                std::memcpy(&places.y[4 * s], &y, sizeof y);
            }
            return places;
        }
        for (unsigned slot = 0; slot < places.count; ++slot) {
            const PixelRecord::Subspan& subspan = record_.subspans[slot / 4];
            const interpolation::SamplePlace at = place_in_pixel(kind, slot);
            places.x[slot] =
                (subspan.x + static_cast<std::int32_t>(slot & 1)) * kPixelSteps + at.x * 16;
            places.y[slot] =
                (subspan.y + static_cast<std::int32_t>(slot >> 1 & 1)) * kPixelSteps + at.y * 16;
        }
        return places;
    }

    const ShaderState& state_;
    const PixelRecord& record_;
    std::array<Kind, 3> kinds_;
};

/// A register for each eight slots from `first` on.
template <class Values>
void put_slots(const Values& values, unsigned first, unsigned rows, Grf*& next) {
    for (unsigned r = 0; r < rows; ++r)
        std::memcpy((next++)->bytes, values.data() + first + r * kRow, kGrfBytes);
}

void put_header(const ShaderState& state, const PixelRecord& record, const PayloadFacts& facts,
                Grf& r0) {
    const SetUpObject& object = *record.object;
    const std::uint32_t first_pair = record.per_sample ? record.subspans[0].sample / 2u : 0u;
    std::array<std::uint32_t, 8> dwords{};
    dwords[0] = (object.topology & 0x1Fu) | (first_pair & 7) << 6 |
                std::uint32_t{state.mask_to_target} << 12 |
                std::uint32_t{state.depth_to_target} << 13 |
                std::uint32_t{object.back_facing} << 15 |
                (object.render_target_index & 0x7FFu) << 16 | (object.viewport & 15u) << 27;
    dwords[1] = state.color_calc;
    dwords[3] = state.sampler_state | state.scratch_code;
    dwords[4] = state.binding_table;
    dwords[5] = static_cast<std::uint32_t>(scratch_pointer(state, facts.fftid)) | facts.fftid;
    dwords[6] = facts.thread & 0xFFFFFF;
    dwords[7] = object.primitive_id & 0xFFFFFF;
    std::memcpy(r0.bytes, dwords.data(), kGrfBytes);
}

/// R1, or R2 for the slots from 16 on.
void put_places(const PixelRecord& record, unsigned half, Grf& grf) {
    std::array<std::uint32_t, 8> dwords{};
    for (unsigned group = 0; group < 4; ++group) {
        const PixelRecord::Subspan& subspan = record.subspans[half * 4 + group];
        if (record.per_sample) dwords[0] |= std::uint32_t{subspan.sample} << group * 4;
        dwords[2 + group] = subspan.x | std::uint32_t{subspan.y} << 16;
    }
    const std::uint32_t lit = record.lit >> half * kHalf & 0xFFFF;
    dwords[7] = lit | lit << 16;
    std::memcpy(grf.bytes, dwords.data(), kGrfBytes);
}

}  // namespace

unsigned phases_registers(const ShaderState& s, unsigned slots) {
    const unsigned halves = slots > kHalf ? 2 : 1, rows = slots > kRow ? 2 : 1;
    const auto sets = static_cast<unsigned>(std::popcount(s.barycentrics));
    const unsigned values =
        2 * sets + s.source_depth + s.source_w + (s.coverage != InputCoverage::None);
    return 1 + halves * (1 + rows * values + (s.offsets != PlaceKind::Pixel));
}

unsigned payload_registers(const ShaderState& state, const PixelKernel& kernel, unsigned slots,
                           unsigned constants, unsigned attributes) {
    const unsigned tail = constants + (state.attributes ? 2 * attributes : 0);
    const unsigned phases = phases_registers(state, slots);
    return tail == 0 ? phases : std::max(phases, kernel.first_register + tail);
}

unsigned make_payload(const ShaderState& state, const PixelKernel& kernel,
                      const PixelRecord& record, const PayloadFacts& facts,
                      std::span<Grf> registers) {
    const SetUpObject& object = *record.object;
    const unsigned slots = record.width;
    const unsigned halves = slots > kHalf ? 2 : 1, rows = slots > kRow ? 2 : 1;
    Grf* next = registers.data();
    put_header(state, record, facts, *next++);
    for (unsigned half = 0; half < halves; ++half)
        put_places(record, half, *next++);

    SlotPlaces places(state, record);
    // Each set of the whole thread is made once; halves take their part of it.
    constexpr unsigned kSets = 6;
    constexpr PlaceKind kKinds[3] = {PlaceKind::Pixel, PlaceKind::Centroid, PlaceKind::Sample};
    std::array<interpolation::Barycentrics, kSets> sets;
    const auto for_each_set = [&](auto&& does) {
        for (unsigned left = state.barycentrics; left != 0; left &= left - 1)
            does(static_cast<unsigned>(std::countr_zero(left)));
    };
    for_each_set([&](unsigned set) {
        const interpolation::Weights& weights = places.weights(kKinds[set % 3]);
        (set < 3 ? interpolation::perspective : interpolation::linear)(object.interpolation,
                                                                       weights, sets[set]);
    });
    interpolation::PlaceValues depth, w;
    if (state.source_depth)
        interpolation::source_depth(object.interpolation, places.weights(state.depth_place), depth);
    if (state.source_w)
        interpolation::source_w(object.interpolation, places.weights(state.depth_place), w);
    std::array<std::uint32_t, PixelRecord::kSlots> coverage;
    if (state.coverage != InputCoverage::None) std::ranges::copy(facts.coverage, coverage.begin());

    for (unsigned half = 0; half < halves; ++half) {
        const unsigned first = half * kHalf;
        for_each_set([&](unsigned set) {
            for (unsigned row = 0; row < rows; ++row) {
                put_slots(sets[set].b1, first + row * kRow, 1, next);
                put_slots(sets[set].b2, first + row * kRow, 1, next);
            }
        });
        if (state.source_depth) put_slots(depth, first, rows, next);
        if (state.source_w) put_slots(w, first, rows, next);
        if (state.offsets != PlaceKind::Pixel) {
            Grf& offsets = *next++;
            for (unsigned n = 0; n < kHalf; ++n) {
                const bool used = first + n < slots;
                const interpolation::SamplePlace at =
                    used ? places.place_in_pixel(state.offsets, first + n)
                         : interpolation::SamplePlace{0, 0};
                offsets.bytes[2 * n] = at.x;
                offsets.bytes[2 * n + 1] = at.y;
            }
        }
        if (state.coverage != InputCoverage::None) put_slots(coverage, first, rows, next);
    }

    const unsigned attributes = state.attributes ? object.attribute_count : 0;
    const auto phases = static_cast<unsigned>(next - registers.data());
    const auto constants = static_cast<unsigned>(facts.constants.size());
    if (constants + attributes == 0) return phases;
    // A start within the phases is the kernel's mistake; it gets what it asks for.
    Grf* const tail = registers.data() + kernel.first_register;
    for (; next < tail; ++next)
        *next = {};
    std::copy(facts.constants.begin(), facts.constants.end(), tail);
    if (attributes != 0)
        std::memcpy((tail + constants)->bytes, object.attributes.data(),
                    attributes * sizeof(AttributeDeltas));
    return std::max(phases, kernel.first_register + constants + 2 * attributes);
}

}  // namespace gen9::pixel
