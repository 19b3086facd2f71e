// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/footprint.h"

#include <algorithm>
#include <cmath>

#include "sampler/address/coordinate.h"
#include "sampler/address/cube.h"
#include "sampler/filter/load.h"
#include "sampler/filter/sample.h"
#include "sampler/filter/texel_place.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

/// The texels of one axis, one or two.
struct Axis {
    Wrapped at[2];
    float weight[2]{1, 0};
    unsigned count = 1;
};

/// The footprints of the samples of a sample* or gather4 message.
class Footprints {
  public:
    explicit Footprints(Request& request)
        : q_(request),
          s_(*request.surface),
          m_(*request.sampler),
          row_(*request.decoded->row),
          place_(request),
          levels_(request),
          gather_(row_.kind == Kind::Gather),
          own_offsets_(row_.code == kGatherPo || row_.code == kGatherPoC),
          seams_(s_.cube() && (m_.cube_override || m_.address[0] == AddressMode::Cube)),
          dimensions_(s_.dimensions()) {}

    void run() {
        const unsigned samples = q_.decoded->samples();
        for (unsigned n = 0; n < samples; ++n) {
            q_.first_tap[n] = q_.tap_count;
            if (q_.active >> n & 1) find(n);
        }
        q_.first_tap[samples] = q_.tap_count;
    }

  private:
    void find(unsigned n);
    void find_coordinates(unsigned n);
    void add_level(unsigned n, unsigned level, float share, const LodChoice& lod, const Axes& axes);
    void add_place(unsigned n, unsigned level, float share, bool linear);
    void add_cube_place(const TexelPlacer::At& at, float share);
    void add_mono(unsigned n, unsigned level, float share);
    void add_corner(const TexelPlacer::At& at, std::int32_t i, std::int32_t j, float weight);
    void add_chroma(const TexelPlacer::At& at, float share, bool linear);
    Axis make_axis(unsigned axis, std::int64_t t, bool linear, std::int64_t size) const;
    bool face_enabled(unsigned face) const {
        constexpr std::uint8_t kBit[] = {4, 5, 2, 3, 0, 1};  // +X, -X, +Y, -Y, +Z, -Z
        return s_.cube_faces >> kBit[face] & 1;
    }
    double texels(unsigned axis, std::int64_t size, std::int64_t base) const {
        const double c = coordinate_[axis];
        if (m_.normalized) return reduce(m_.address[axis], c) * static_cast<double>(size);
        const double near = reduce_texels(m_.address[axis], c, base);
        return size == base ? near : near * static_cast<double>(size) / static_cast<double>(base);
    }
    std::int64_t place_on(unsigned axis, std::int64_t size, std::int64_t base) const;

    Request& q_;
    const SampledSurface& s_;
    const SamplerState& m_;
    const MessageRow& row_;
    TexelPlacer place_;
    SampleLevels levels_;
    static constexpr unsigned kGatherPo = 0x11, kGatherPoC = 0x12;
    const bool gather_, own_offsets_, seams_;
    const unsigned dimensions_;

    double coordinate_[3]{};   ///< of the sample: in the face, if the surface is a cube
    std::uint32_t slice_ = 0;  ///< array slice, or cube
    unsigned face_ = 0;
    bool round_[3]{};
    std::int32_t offset_[3]{};  ///< texels
    std::int64_t fixed_[3]{};   ///< of a level
};

void Footprints::find_coordinates(unsigned n) {
    const SamplePlace place = place_of_sample(q_, n);
    std::copy(std::begin(place.at), std::end(place.at), coordinate_);
    face_ = place.face;
    slice_ = place.slice;
    for (unsigned axis = 0; axis < 3; ++axis)
        offset_[axis] = q_.header.offset[axis];
    if (!own_offsets_) return;
    // Six bits and in place of the header's (SMP-161).
    const Parameters& p = q_.parameters;
    offset_[0] = static_cast<std::int32_t>(sign_extend(p[Parameter::OffU][n] & 63, 6));
    offset_[1] = static_cast<std::int32_t>(sign_extend(p[Parameter::OffV][n] & 63, 6));
}

void Footprints::find(unsigned n) {
    find_coordinates(n);
    const Axes axes = levels_.find_axes(n);
    const LodChoice& lod = levels_.choose(n, axes.lod_length);
    q_.clamped_biases += levels_.clamped_bias();
    if (lod.out_of_bounds) {
        for (unsigned texel = 0; texel < (gather_ ? 4u : 1u); ++texel)
            q_.add(0, 1, n, 0, 0, From::Nothing);
        return;
    }
    const std::array<bool, 3>& round = lod.magnified ? m_.round_mag : m_.round_min;
    std::copy(round.begin(), round.end(), round_);
    constexpr float kShare = 1.0f / kLodOne;
    const float second = static_cast<float>(gather_ ? 0 : lod.beta) * kShare;
    const unsigned before = q_.places - q_.points;
    add_level(n, lod.level, 1 - second, lod, axes);
    if (second <= 0) return;
    add_level(n, lod.level + 1u, second, lod, axes);
    q_.between = static_cast<std::uint16_t>(q_.between + (q_.places - q_.points) - before);
}

// The offset is added before the address mode (SMP-47), so MIRROR_ONCE takes the magnitude of both.
std::int64_t Footprints::place_on(unsigned axis, std::int64_t size, std::int64_t base) const {
    const std::int64_t offset = offset_[axis];
    if (offset == 0 || !m_.normalized || m_.address[axis] != AddressMode::MirrorOnce)
        return fix(texels(axis, size, base), round_[axis]) + offset * kTexel;
    const double place = coordinate_[axis] * static_cast<double>(size);
    return fix(std::fabs(place + static_cast<double>(offset)), round_[axis]);
}

void Footprints::add_level(unsigned n, unsigned level, float share, const LodChoice& lod,
                           const Axes& axes) {
    const Level& l = s_.levels[level];
    const Level& base = s_.base();
    fixed_[0] = place_on(0, l.width, base.width);
    if (dimensions_ > 1) fixed_[1] = place_on(1, l.height, base.height);
    if (dimensions_ > 2) fixed_[2] = place_on(2, l.depth, base.depth);
    const Filter filter = lod.magnified ? m_.mag : m_.min;
    if (filter == Filter::Mono && !gather_) return add_mono(n, level, share);
    const bool linear = gather_ || (filter != Filter::Nearest && !s_.format->integer());
    if (filter != Filter::Anisotropic || axes.ratio <= 1 || !linear || gather_) {
        add_place(n, level, share, linear);
        return;
    }
    // SMP-32: an even number of places, one texel apart on the major axis; those at the ends weigh
    // less, so that all weigh the ratio together (the share is a choice; the PRM gives none).
    const unsigned ways = 2 * static_cast<unsigned>(std::ceil(axes.ratio / 2));
    const auto ratio = static_cast<float>(axes.ratio);
    const float end = (ratio - static_cast<float>(ways - 2)) / 2;
    const std::int64_t middle[] = {fixed_[0], fixed_[1]};
    q_.anisotropic = true;
    for (unsigned way = 0; way < ways; ++way) {
        const double along = way - (ways - 1) / 2.0;
        for (unsigned axis = 0; axis < 2; ++axis)
            fixed_[axis] = middle[axis] + floor_of(along * axes.along[axis] * kTexel + 0.5);
        const float weight = (way == 0 || way == ways - 1 ? end : 1) / ratio;
        if (weight > 0) add_place(n, level, share * weight, true);
    }
}

Axis Footprints::make_axis(unsigned axis, std::int64_t t, bool linear, std::int64_t size) const {
    Axis a;
    const AddressMode mode = m_.address[axis];
    if (!linear) {
        // HALF_BORDER is GL_CLAMP, of which NEAREST reads the edge texel (Public: Mesa's driver has
        // this mode for both filters from Gen8 on).
        const bool half = mode == AddressMode::HalfBorder;
        a.at[0] = wrap(half ? AddressMode::Clamp : mode, t >> kFractionBits, size);
        return a;
    }
    t -= kTexel / 2;
    const std::int64_t first = t >> kFractionBits;
    const auto fraction = static_cast<float>(t & (kTexel - 1)) / static_cast<float>(kTexel);
    a.at[0] = wrap(mode, first, size);
    a.weight[0] = 1 - fraction;
    a.weight[1] = fraction;
    if (fraction == 0 && !gather_) return a;
    a.at[1] = wrap(mode, first + 1, size);
    a.count = 2;
    return a;
}

/// SMP-41, along each axis.
constexpr From kOutside[] = {From::Surface, From::HalfBorder, From::QuarterBorder,
                             From::EighthBorder};

void Footprints::add_place(unsigned n, unsigned level, float share, bool linear) {
    const Level& l = s_.levels[level];
    ++q_.places;
    q_.points = static_cast<std::uint16_t>(q_.points + !linear);
    TexelPlacer::At at{n, level, s_.cube() ? slice_ * 6 + face_ : slice_};
    if (seams_ && linear) return add_cube_place(at, share);
    const Axis x = make_axis(0, fixed_[0], linear, l.width);
    const Axis y = dimensions_ > 1 ? make_axis(1, fixed_[1], linear, l.height) : Axis{};
    const Axis z = dimensions_ > 2 ? make_axis(2, fixed_[2], linear, l.depth) : Axis{};
    if (z.count > 1) ++q_.places;
    const bool disabled = s_.cube() && !face_enabled(face_);
    const auto is_whole = [&](unsigned axis, const Wrapped& w) {
        return w.outside && m_.address[axis] != AddressMode::HalfBorder;
    };
    for (unsigned k = 0; k < z.count; ++k) {
        if (dimensions_ > 2) at.slice = static_cast<std::uint32_t>(z.at[k].index);
        const float wz = share * z.weight[k];
        for (unsigned j = 0; j < y.count; ++j) {
            const float wy = wz * y.weight[j];
            for (unsigned i = 0; i < x.count; ++i) {
                const bool whole =
                    is_whole(0, x.at[i]) || is_whole(1, y.at[j]) || is_whole(2, z.at[k]);
                const From from =
                    disabled || whole
                        ? From::Border
                        : kOutside[x.at[i].outside + y.at[j].outside + z.at[k].outside];
                place_.add(at, static_cast<std::uint32_t>(x.at[i].index),
                           static_cast<std::uint32_t>(y.at[j].index), wy * x.weight[i], from);
            }
        }
    }
    if (s_.format->planar()) add_chroma(at, share, linear);
}

/// SMP-33: a window of the filter's size around the place, in steps of a fraction of a texel; the
/// four shifted sums of the PRM are the product of an axis' weights. Off the surface texels are 0.
void Footprints::add_mono(unsigned n, unsigned level, float share) {
    const Level& l = s_.levels[level];
    const unsigned size[] = {q_.tables->filter_width, q_.tables->filter_height};
    const std::int64_t texels[] = {l.width, l.height};
    constexpr unsigned kMost = 8;
    Wrapped at[2][kMost];
    float weight[2][kMost];
    for (unsigned axis = 0; axis < 2; ++axis) {
        const std::int64_t first = fixed_[axis] - size[axis] * kTexel / 2;
        const auto fraction = static_cast<float>(first & (kTexel - 1)) / static_cast<float>(kTexel);
        for (unsigned i = 0; i <= size[axis]; ++i) {
            at[axis][i] = wrap(m_.address[axis], (first >> kFractionBits) + i, texels[axis]);
            const float sum = (i < size[axis] ? 1 - fraction : 0) + (i > 0 ? fraction : 0);
            weight[axis][i] = sum / static_cast<float>(size[axis]);
        }
    }
    const unsigned before = q_.tap_count;
    for (unsigned j = 0; j <= size[1]; ++j)
        for (unsigned i = 0; i <= size[0]; ++i) {
            const float each = share * weight[0][i] * weight[1][j];
            if (each == 0) continue;
            place_.add({n, level, slice_}, static_cast<std::uint32_t>(at[0][i].index),
                       static_cast<std::uint32_t>(at[1][j].index), each,
                       at[0][i].outside || at[1][j].outside ? From::Nothing : From::Surface);
        }
    q_.places = static_cast<std::uint16_t>(q_.places + (q_.tap_count - before + 3u) / 4);
}

/// The planes of half size have footprints of their own. Off the surface, the luma's taps have the
/// border already.
void Footprints::add_chroma(const TexelPlacer::At& at, float share, bool linear) {
    const Level& l = s_.levels[at.level];
    const Axis x = make_axis(0, fixed_[0] >> 1, linear, (l.width + 1) / 2);
    const Axis y = make_axis(1, fixed_[1] >> 1, linear, (l.height + 1) / 2);
    for (unsigned j = 0; j < y.count; ++j)
        for (unsigned i = 0; i < x.count; ++i)
            if (!x.at[i].outside && !y.at[j].outside)
                place_.add_chroma(at, static_cast<std::uint32_t>(x.at[i].index),
                                  static_cast<std::uint32_t>(y.at[j].index),
                                  share * x.weight[i] * y.weight[j], From::Surface);
}

/// Taps past an edge come from the face beyond it (SMP-42).
void Footprints::add_cube_place(const TexelPlacer::At& at, float share) {
    const auto size = static_cast<std::int32_t>(s_.levels[at.level].width);
    const std::int64_t u = fixed_[0] - kTexel / 2, v = fixed_[1] - kTexel / 2;
    const auto clamp = [&](std::int64_t t) {
        return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(t >> kFractionBits, -1, size - 1));
    };
    const std::int32_t first_i = clamp(u), first_j = clamp(v);
    const auto share_of = [](std::int64_t t, unsigned second) {
        const auto fraction = static_cast<float>(t & (kTexel - 1)) / static_cast<float>(kTexel);
        return second ? fraction : 1 - fraction;
    };
    for (unsigned dj = 0; dj < 2; ++dj)
        for (unsigned di = 0; di < 2; ++di) {
            const float weight = gather_ ? 1 : share * share_of(u, di) * share_of(v, dj);
            if (weight == 0) continue;
            const auto i = first_i + static_cast<std::int32_t>(di);
            const auto j = first_j + static_cast<std::int32_t>(dj);
            const bool i_out = i < 0 || i >= size, j_out = j < 0 || j >= size;
            if (i_out && j_out) {
                add_corner(at, i, j, weight);
                continue;
            }
            const CubeTexel texel = i_out || j_out
                                        ? across_edge(face_, i, j, size)
                                        : CubeTexel{static_cast<std::uint8_t>(face_), i, j};
            const TexelPlacer::At there{at.sample, at.level, slice_ * 6 + texel.face};
            place_.add(there, static_cast<std::uint32_t>(texel.i),
                       static_cast<std::uint32_t>(texel.j), weight,
                       face_enabled(texel.face) ? From::Surface : From::Border);
        }
}

/// Three faces meet in a corner: the missing texel is the mean of the three that there are. A
/// gather takes the one of its own face.
void Footprints::add_corner(const TexelPlacer::At& at, std::int32_t i, std::int32_t j,
                            float weight) {
    const auto size = static_cast<std::int32_t>(s_.levels[at.level].width);
    const std::int32_t inner_i = std::clamp(i, 0, size - 1), inner_j = std::clamp(j, 0, size - 1);
    const CubeTexel texels[] = {{static_cast<std::uint8_t>(face_), inner_i, inner_j},
                                across_edge(face_, i, inner_j, size),
                                across_edge(face_, inner_i, j, size)};
    for (unsigned n = 0; n < (gather_ ? 1u : 3u); ++n) {
        const TexelPlacer::At there{at.sample, at.level, slice_ * 6 + texels[n].face};
        place_.add(there, static_cast<std::uint32_t>(texels[n].i),
                   static_cast<std::uint32_t>(texels[n].j), gather_ ? 1 : weight / 3,
                   face_enabled(texels[n].face) ? From::Surface : From::Border);
    }
}

}  // namespace

void find_taps(Request& request) {
    if (request.decoded->row->kind == Kind::Load) return find_loads(request);
    Footprints(request).run();
}

}  // namespace gen9::sampler
