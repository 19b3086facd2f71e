// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/by_lane.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sampler/address/coordinate.h"
#include "sampler/filter/combine.h"
#include "sampler/filter/in_memory.h"
#include "sampler/filter/lane_steps.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/sample.h"
#include "sampler/filter/usual.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;
using surface::Tiling;

constexpr unsigned kSamples = Request::kSamples, kTaps = UsualTexels::kTaps;

bool plain_mode(AddressMode mode) {
    return mode != AddressMode::MirrorOnce && mode != AddressMode::HalfBorder;
}

const SamplerState kNoSampler;  // loads have none

class LaneFilter {
  public:
    LaneFilter(const Request& request, Pages& pages, TexelMemory& memory, LaneResults& results)
        : q_(request),
          s_(*request.surface),
          m_(request.sampler ? *request.sampler : kNoSampler),
          format_(*s_.format),
          pages_(pages),
          memory_(memory),
          results_(results),
          dimensions_(s_.dimensions()),
          seams_(s_.cube() && (m_.cube_override || m_.address[0] == AddressMode::Cube)),
          compares_(compares(request)) {}
    bool run();

  private:
    bool add_loads();
    bool find_load(unsigned lane, std::uint32_t& slice);
    void find_coordinates();
    void find_samples();
    void set_ways(unsigned lane, const Axes& axes);
    bool add_levels(unsigned first_or_second);
    void enter_levels(unsigned second);
    bool add_way(unsigned way, const Lanes<float>& share);
    /// The slices are known.
    bool add_layer(const Lanes<float>& share);
    void find_slices(const Lanes<std::int32_t>* depth);
    void find_elements();
    bool all_there(unsigned level, std::uint32_t slice, const Bounds& across, const Bounds& down);
    void find_clear(const Lanes<float>& share);
    bool find_clear_taps(unsigned lane);
    void set_clear(unsigned tap, TexelLanes& texels) const;
    void decode(unsigned tap, const Lanes<float>& share, TexelLanes& texels);
    void compare_each(TexelLanes& texels) const;
    void leave(unsigned lane) { results_.left |= 1u << lane; }
    void leave_beyond(const Lanes<float>& share, const LaneAxis& axis);

    const Request& q_;
    const SampledSurface& s_;
    const SamplerState& m_;
    const Format& format_;
    Pages& pages_;
    TexelMemory& memory_;
    LaneResults& results_;
    const unsigned dimensions_;
    const bool seams_, compares_;

    std::uint32_t lanes_ = 0;           ///< samples that are executed
    unsigned one_ = 0;                  ///< the first of them
    Lanes<std::uint32_t> array_slice_;  ///< of the surface; of cubes the face
    Lanes<std::uint8_t> first_level_;
    Lanes<std::uint16_t> beta_;           ///< LodChoice::beta
    std::array<Lanes<double>, 2> along_;  ///< Axes::along
    Lanes<unsigned> ways_;                ///< places in a level
    unsigned most_ways_ = 1;
    Lanes<float> end_share_, ratio_;  ///< of the places at the ends; of the footprint's axes
    std::array<LaneAxis, 3> axis_;
    std::array<Lanes<std::int32_t>, 3> resting_;  ///< LaneAxis::moved of the middle
    Lanes<std::uint8_t> level_;
    Lanes<std::uint32_t> level_x_, level_y_, slice_;
    Lanes<unsigned> places_, taps_;  ///< of each sample
    LaneElements elements_;
    UsualPlaces found_;
    UsualTexels where_;
    UsualForm form_;
    std::array<std::uint32_t, kTaps> clear_{};  ///< samples whose tap has the clear colour
    TexelLanes alone_, sum_;                    ///< the first tap's texel; all taps
    bool first_ = true;                         ///< no tap has been added
};

void LaneFilter::find_coordinates() {
    if (s_.cube()) {
        for (unsigned n = 0; n < kSamples; ++n) {
            const SamplePlace place = place_of_sample(q_, lanes_ >> n & 1 ? n : one_);
            array_slice_[n] = place.slice * 6 + place.face;
            axis_[0].at[n] = place.at[0];
            axis_[1].at[n] = place.at[1];
        }
        return;
    }
    for (unsigned a = 0; a < dimensions_; ++a)
        lanes::read_coordinates(q_.parameters[static_cast<Parameter>(a)], lanes_, axis_[a].at);
    array_slice_.fill(0);
    for (unsigned n = 0; n < kSamples && s_.raw.array; ++n)
        array_slice_[n] =
            array_index(q_.parameters.number(Parameter::R, lanes_ >> n & 1 ? n : one_), s_.slices);
}

void LaneFilter::set_ways(unsigned n, const Axes& axes) {
    ways_[n] = 2 * static_cast<unsigned>(std::ceil(axes.ratio / 2));
    ratio_[n] = static_cast<float>(axes.ratio);
    end_share_[n] = (ratio_[n] - static_cast<float>(ways_[n] - 2)) / 2;
    along_[0][n] = axes.along[0];
    along_[1][n] = axes.along[1];
    most_ways_ = std::max(most_ways_, ways_[n]);
}

void LaneFilter::find_samples() {
    find_coordinates();
    SampleLevels levels(q_);
    const MessageRow& row = *q_.decoded->row;
    const bool by_itself =
        row.bias || q_.parameters[Parameter::MinLod] != Parameters::zeros.data() || s_.cube();
    // So many samples have one choice of levels.
    const unsigned alike = by_itself                          ? 1
                           : row.lod == LodSource::Zero       ? kSamples
                           : row.lod == LodSource::Neighbours ? 4
                                                              : 1;
    ways_.fill(1);
    std::uint32_t magnified = 0;
    for (unsigned n = 0; n < kSamples; n += alike) {
        const std::uint32_t all = (1u << alike) - 1, own = lanes_ >> n & all;
        if (own == 0) continue;
        const unsigned first = n + static_cast<unsigned>(std::countr_zero(own));
        const Axes axes = levels.find_axes(first);
        const LodChoice& lod = levels.choose(first, axes.lod_length);
        if (lod.out_of_bounds || levels.clamped_bias()) results_.left |= own << n;
        if (lod.magnified) magnified |= all << n;
        const bool in_ways =
            (lod.magnified ? m_.mag : m_.min) == Filter::Anisotropic && axes.ratio > 1;
        for (unsigned lane = n; lane < n + alike; ++lane) {
            first_level_[lane] = lod.level;
            beta_[lane] = lod.beta;
            if (in_ways) set_ways(lane, axes);
        }
    }
    // The others do what the first of them does, without a share.
    for (unsigned n = 0; n < kSamples && lanes_ != 0xFFFF; ++n) {
        if (lanes_ >> n & 1) continue;
        first_level_[n] = first_level_[one_];
        beta_[n] = beta_[one_];
        ways_[n] = 1;
    }
    const auto half_of = [](Filter filter) {
        return filter == Filter::Nearest ? 0 : static_cast<std::int32_t>(kTexel) / 2;
    };
    for (unsigned a = 0; a < dimensions_; ++a) {
        const std::int32_t offset = q_.header.offset[a] * static_cast<std::int32_t>(kTexel);
        lanes::select(magnified, m_.round_mag[a] ? 0.5 : 0.0, m_.round_min[a] ? 0.5 : 0.0,
                      axis_[a].rounding);
        lanes::select(magnified, m_.mag == Filter::Nearest ? 0 : ~0,
                      m_.min == Filter::Nearest ? 0 : ~0, axis_[a].fractions);
        lanes::select(magnified, offset - half_of(m_.mag), offset - half_of(m_.min), resting_[a]);
    }
}

void LaneFilter::enter_levels(unsigned second) {
    std::uint32_t others = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        // Without a share of the next level it may not exist.
        level_[n] = static_cast<std::uint8_t>(first_level_[n] + (beta_[n] != 0 ? second : 0));
        others |= level_[n] ^ level_[0];
    }
    const unsigned different = others ? kSamples : 1;
    for (unsigned n = 0; n < different; ++n) {
        const Level& level = s_.levels[level_[n]];
        level_x_[n] = static_cast<std::uint32_t>(level.place.x_bytes);
        level_y_[n] = static_cast<std::uint32_t>(level.place.y);
        form_.aligned = form_.aligned && level_x_[n] % format_.bytes == 0;
        const std::uint32_t size[] = {level.width, level.height, level.depth};
        for (unsigned a = 0; a < dimensions_; ++a)
            axis_[a].size[n] = static_cast<std::int32_t>(size[a]);
    }
    if (others) return;
    level_x_.fill(level_x_[0]);
    level_y_.fill(level_y_[0]);
    for (unsigned a = 0; a < dimensions_; ++a)
        axis_[a].size.fill(axis_[a].size[0]);
}

bool LaneFilter::add_levels(unsigned second) {
    Lanes<float> share;
    if (!lanes::find_level_shares(lanes_, beta_, second != 0, share)) return true;
    enter_levels(second);
    for (unsigned way = 0; way < most_ways_; ++way)
        if (!add_way(way, share)) return false;
    return true;
}

/// SMP-32, as Footprints::add_level does for one sample.
bool LaneFilter::add_way(unsigned way, const Lanes<float>& share) {
    Lanes<float> own = share;
    for (unsigned a = 0; a < dimensions_; ++a)
        axis_[a].moved = resting_[a];
    for (unsigned n = 0; n < kSamples && most_ways_ > 1; ++n) {
        if (way >= ways_[n]) own[n] = 0;
        if (ways_[n] == 1 || own[n] == 0) continue;
        const double along = way - (ways_[n] - 1) / 2.0;
        for (unsigned a = 0; a < 2; ++a)
            axis_[a].moved[n] +=
                static_cast<std::int32_t>(floor_of(along * along_[a][n] * kTexel + 0.5));
        own[n] *= (way == 0 || way == ways_[n] - 1 ? end_share_[n] : 1) / ratio_[n];
    }
    for (unsigned a = 0; a < dimensions_; ++a) {
        lanes::find_texels(axis_[a]);
        lanes::apply(m_.address[a], seams_, axis_[a]);
        leave_beyond(own, axis_[a]);
    }
    if (dimensions_ < 3) {
        find_slices(nullptr);
        return add_layer(own);
    }
    Lanes<float> near = own, far = own;
    bool between = false;
    for (unsigned n = 0; n < kSamples; ++n) {
        near[n] = own[n] * (1 - axis_[2].second[n]);
        far[n] = own[n] * axis_[2].second[n];
        between |= far[n] > 0;
    }
    find_slices(&axis_[2].index[0]);
    if (!add_layer(near)) return false;
    if (!between) return true;
    find_slices(&axis_[2].index[1]);
    return add_layer(far);
}

void LaneFilter::leave_beyond(const Lanes<float>& share, const LaneAxis& axis) {
    std::uint32_t any = 0;
    for (const std::uint32_t beyond : axis.beyond)
        any |= beyond;
    if (any == 0) return;
    for (unsigned n = 0; n < kSamples; ++n)
        if (axis.beyond[n] && share[n] > 0) leave(n);
}

/// `depth`: slices of a volume.
void LaneFilter::find_slices(const Lanes<std::int32_t>* depth) {
    for (unsigned n = 0; n < kSamples; ++n)
        slice_[n] = s_.raw.min_array_element +
                    (depth ? static_cast<std::uint32_t>((*depth)[n]) : array_slice_[n]);
}

bool LaneFilter::all_there(unsigned level, std::uint32_t slice, const Bounds& across,
                           const Bounds& down) {
    return in_memory(
        s_, level, slice,
        {static_cast<std::uint32_t>(across.least), static_cast<std::uint32_t>(down.least),
         static_cast<std::uint32_t>(across.greatest - across.least) + 1,
         static_cast<std::uint32_t>(down.greatest - down.least) + 1},
        pages_, memory_);
}

/// Finds the taps that have the clear colour.
void LaneFilter::find_clear(const Lanes<float>& share) {
    clear_.fill(0);
    // One look is enough for samples of one slice of a level.
    if (lanes::are_one(level_, slice_) &&
        all_there(level_[0], slice_[0], lanes::bounds_of(axis_[0]), lanes::bounds_of(axis_[1])))
        return;
    for (unsigned n = 0; n < kSamples; ++n)
        if (share[n] > 0 && !find_clear_taps(n)) leave(n);
}

/// False: a block is neither clear nor in memory, or its element cannot be read directly.
bool LaneFilter::find_clear_taps(unsigned n) {
    std::array<std::uint64_t, 2> column, row;
    for (unsigned k = 0; k < 2; ++k) {
        const surface::ElementRange at =
            surface::ccs_elements(s_.control, format_.bytes, level_[n], slice_[n],
                                  {static_cast<std::uint32_t>(axis_[0].index[k][n]),
                                   static_cast<std::uint32_t>(axis_[1].index[k][n]), 1, 1});
        column[k] = at.first_column;
        row[k] = at.first_row;
    }
    // Most footprints lie in one block.
    const bool alone = column[0] == column[1] && row[0] == row[1];
    const auto host_of = control_bytes(pages_, memory_);
    for (unsigned tap = 0; tap < (alone ? 1 : kTaps); ++tap) {
        const surface::ElementPlace element =
            surface::ccs_element_at(s_.control, column[tap & 1], row[tap >> 1]);
        const std::uint8_t* const host = host_of(element.address);
        if (host == nullptr) return false;
        const unsigned value = surface::element_value(element, *host);
        if (value != surface::kClear && value != surface::kPassThrough) return false;
        if (value != surface::kClear) continue;
        for (unsigned other = tap; other < (alone ? kTaps : tap + 1); ++other)
            clear_[other] |= 1u << n;
    }
    return true;
}

void LaneFilter::set_clear(unsigned tap, TexelLanes& texels) const {
    const Texel clear = clear_texel(s_);
    for (std::uint32_t left = clear_[tap]; left; left &= left - 1)
        for (unsigned c = 0; c < 4; ++c)
            texels.channel[c][static_cast<unsigned>(std::countr_zero(left))] = clear.channel[c];
}

void LaneFilter::find_elements() {
    // Elements of a buffer are a pitch apart.
    const std::uint32_t bytes = s_.raw.buffer() ? s_.raw.pitch_bytes : format_.bytes;
    const std::uint32_t qpitch = s_.raw.qpitch_rows;
    const bool blocks = format_.blocks() && !s_.raw.buffer();
    const std::uint32_t width = format_.block_width, height = format_.block_height;
    Lanes<std::uint32_t> row;
    lanes::find_first_rows(level_y_, slice_, qpitch, row);
    for (unsigned k = 0; k < 2; ++k) {
        if (!blocks) {
            elements_.in_x[k].fill(0);
            elements_.in_y[k].fill(0);
            lanes::place_elements(axis_[0].index[k], axis_[1].index[k], level_x_, row, bytes,
                                  elements_.x_bytes[k], elements_.y[k]);
            continue;
        }
        for (unsigned n = 0; n < kSamples; ++n) {
            const auto x = static_cast<std::uint32_t>(axis_[0].index[k][n]);
            const auto y = static_cast<std::uint32_t>(axis_[1].index[k][n]);
            elements_.in_x[k][n] = static_cast<std::uint8_t>(x % width);
            elements_.in_y[k][n] = static_cast<std::uint8_t>(y % height);
            elements_.x_bytes[k][n] = level_x_[n] + x / width * bytes;
            elements_.y[k][n] = row[n] + y / height;
        }
    }
}

void LaneFilter::compare_each(TexelLanes& texels) const {
    const unsigned channel = compared_channel(format_);
    for (unsigned n = 0; n < kSamples; ++n) {
        if (!(lanes_ >> n & 1)) continue;
        const float value = compare_texel(q_, n, std::bit_cast<float>(texels.channel[channel][n]));
        for (unsigned c = 0; c < 4; ++c)
            if (format_.present >> c & 1)
                texels.channel[c][n] = std::bit_cast<std::uint32_t>(value);
    }
}

/// Decodes a tap of all samples that have a share of it.
void LaneFilter::decode(unsigned tap, const Lanes<float>& share, TexelLanes& texels) {
    const std::uint32_t* const at = where_.at[tap].data();
    if (format_.decode.lanes) {
        format_.decode.lanes(where_.base, at, texels);
    } else {
        Source sources[kSamples];
        Texel decoded[kSamples];
        unsigned lane[kSamples], count = 0;
        for (unsigned n = 0; n < kSamples; ++n) {
            if (!(share[n] > 0)) continue;
            lane[count] = n;
            sources[count++] = {where_.base + at[n], elements_.in_x[tap & 1][n],
                                elements_.in_y[tap >> 1][n]};
        }
        texels = {};
        format_.decode(sources, count, decoded);
        for (unsigned i = 0; i < count; ++i)
            for (unsigned c = 0; c < 4; ++c)
                texels.channel[c][lane[i]] = decoded[i].channel[c];
    }
    if (clear_[tap]) set_clear(tap, texels);
    if (compares_) compare_each(texels);
}

/// Adds two columns and two rows of each sample's level and slice.
bool LaneFilter::add_layer(const Lanes<float>& share) {
    if (s_.has_clear_blocks) find_clear(share);
    find_elements();
    found_.linear = true;
    const std::uint32_t last = lanes::place(s_.raw.tiling, elements_, s_.raw.pitch_bytes, found_);
    found_.end = last + format_.bytes;
    if (!find_usual_texels(q_, form_, found_, pages_, memory_, where_) || memory_.lacks())
        return false;
    const Lanes<float>&x = axis_[0].second, &y = axis_[1].second;
    for (unsigned tap = 0; tap < kTaps; ++tap) {
        const bool right = tap & 1, below = tap & 2;
        Lanes<float> own;
        // The order of the factors is that of Footprints.
        if (!(seams_ ? lanes::find_shares(share, x, right, y, below, own, taps_)
                     : lanes::find_shares(share, y, below, x, right, own, taps_)))
            continue;
        TexelLanes texels;
        decode(tap, own, texels);
        if (first_) {
            alone_ = texels;
            sum_ = {};
            first_ = false;
        }
        lanes::add(texels, own, sum_);
    }
    lanes::count_places(share, places_);
    return true;
}

/// As find_loads does for one sample. False: the sample returns zeros.
bool LaneFilter::find_load(unsigned n, std::uint32_t& slice) {
    const Parameters& p = q_.parameters;
    const auto offset = [&](unsigned axis) {
        return static_cast<std::uint32_t>(q_.header.offset[axis]);
    };
    const auto place = [&](unsigned axis, std::uint32_t index) {
        axis_[axis].index[0][n] = axis_[axis].index[1][n] = static_cast<std::int32_t>(index);
    };
    std::uint32_t u = p[Parameter::U][n];
    level_[n] = 0;
    level_x_[n] = level_y_[n] = slice = 0;
    if (s_.raw.buffer()) {
        place(0, u);
        place(1, 0);
        return u < s_.raw.entries;
    }
    const std::uint32_t lod =
        q_.decoded->row->lod == LodSource::Parameter ? p[Parameter::Lod][n] : 0;
    if (lod > s_.last_level || lod + s_.raw.min_lod >= surface::kLevels) return false;
    level_[n] = static_cast<std::uint8_t>(lod + s_.raw.min_lod);
    const Level& level = s_.levels[level_[n]];
    level_x_[n] = static_cast<std::uint32_t>(level.place.x_bytes);
    level_y_[n] = static_cast<std::uint32_t>(level.place.y);
    form_.aligned = form_.aligned && level_x_[n] % format_.bytes == 0;
    u += offset(0);
    const std::uint32_t v = p[Parameter::V][n] + offset(1);
    if (s_.raw.array || s_.volume()) slice = p[Parameter::R][n] + (s_.volume() ? offset(2) : 0);
    place(0, u);
    place(1, v);
    return u < level.width && v < level.height && slice < (s_.volume() ? level.depth : s_.slices);
}

/// A sample of a load is one texel.
bool LaneFilter::add_loads() {
    Lanes<float> share{};
    std::uint32_t inside = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        if (!(lanes_ >> n & 1)) continue;
        std::uint32_t slice = 0;
        if (!find_load(n, slice)) {
            leave(n);
            continue;
        }
        inside |= 1u << n;
        share[n] = 1;
        slice_[n] = slice + (s_.raw.buffer() ? 0 : s_.raw.min_array_element);
    }
    if (!inside) return true;
    // The others do what one of them does, without a share.
    const auto one = static_cast<unsigned>(std::countr_zero(inside));
    for (unsigned n = 0; n < kSamples; ++n) {
        axis_[0].second[n] = axis_[1].second[n] = 0;
        if (inside >> n & 1) continue;
        for (unsigned a = 0; a < 2; ++a)
            for (auto& index : axis_[a].index)
                index[n] = index[one];
        level_[n] = level_[one];
        level_x_[n] = level_x_[one];
        level_y_[n] = level_y_[one];
        slice_[n] = slice_[one];
    }
    return add_layer(share);
}

bool LaneFilter::run() {
    lanes_ = q_.active;
    one_ = static_cast<unsigned>(std::countr_zero(lanes_)) % kSamples;
    results_.left = 0;
    places_.fill(0);
    taps_.fill(0);
    const std::uint32_t bytes = format_.bytes;
    form_.begin = 0;
    form_.aligned =
        std::has_single_bit(bytes) && !((s_.raw.base | s_.raw.pitch_bytes) & (bytes - 1));
    if (q_.decoded->row->kind == Kind::Load) {
        if (!add_loads()) return false;
    } else {
        find_samples();
        if (!add_levels(0) || !add_levels(1)) return false;
    }
    if (first_) {
        results_.texels = {};
    } else {
        lanes::choose(taps_, alone_, sum_, results_.texels);
    }
    if (!s_.identity) select_lanes(s_, results_.texels);
    results_.places = results_.texels_read = 0;
    for (std::uint32_t left = lanes_ & ~results_.left; left; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        results_.places += places_[n];
        results_.texels_read += taps_[n];
    }
    return true;
}

/// Offsets have 32 bits.
bool has_small_offsets(const SampledSurface& s) {
    const surface::Surface& raw = s.raw;
    if (raw.buffer()) return std::uint64_t{raw.entries} * raw.pitch_bytes >> 31 == 0;
    const std::uint64_t slices = s.volume() ? std::uint64_t{s.base().depth}
                                 : s.cube() ? std::uint64_t{s.slices} * 6
                                            : std::uint64_t{s.slices};
    std::uint64_t rows = 0;
    for (const Level& level : s.levels)
        rows = std::max(rows, level.place.y + level.height);
    rows += (slices + raw.min_array_element) * raw.qpitch_rows + 32;
    return (rows * raw.pitch_bytes + Pages::kBytes) >> 32 == 0;
}

bool samples_by_lane(const Request& q) {
    const SampledSurface& s = *q.surface;
    const SamplerState& m = *q.sampler;
    const MessageRow& row = *q.decoded->row;
    if (row.extremum || row.kill || q.key || m.keyed || s.format->integer()) return false;
    constexpr unsigned kAllFaces = 0x3F;
    if (s.cube() && s.cube_faces != kAllFaces) return false;
    if (!m.normalized || m.min == Filter::Mono || m.mag == Filter::Mono) return false;
    if (m.reduction != Reduction::Standard && m.reduction != Reduction::Comparison) return false;
    for (unsigned axis = 0; axis < s.dimensions(); ++axis)
        if (!plain_mode(m.address[axis])) return false;
    return true;
}

}  // namespace

bool goes_by_lane(const Request& q) {
    const SampledSurface& s = *q.surface;
    const surface::Surface& raw = s.raw;
    const Kind kind = q.decoded->row->kind;
    const Simd simd = q.decoded->simd;
    if (kind != Kind::Load && kind != Kind::Sample) return false;
    if (simd != Simd::Eight && simd != Simd::Sixteen) return false;
    if (s.type() == state::SURFTYPE_1D || raw.line_stride || raw.line_offset ||
        raw.tiling > Tiling::Y || raw.tiling == Tiling::W || raw.multisampled() ||
        (raw.buffer() && raw.tiling != Tiling::Linear))
        return false;
    const Format& format = *s.format;
    if (format.planar() || format.palette || format.mono()) return false;
    return (kind == Kind::Load || samples_by_lane(q)) && has_small_offsets(s);
}

bool filter_by_lane(const Request& q, Pages& pages, TexelMemory& memory, LaneResults& results) {
    return LaneFilter(q, pages, memory, results).run();
}

}  // namespace gen9::sampler
