// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/combine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "packets/surface_state.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/load.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

Texel zero_texel(const Format& format) {
    Texel texel{};
    for (unsigned c = 0; c < 4; ++c)
        texel.channel[c] = format.present >> c & 1 ? 0 : format.missing(c);
    return texel;
}

/// Filters the taps of one message, group by group.
class Combiner {
  public:
    Combiner(Request& request, const std::uint8_t* const* where)
        : q_(request),
          format_(*request.surface->format),
          where_(where),
          border_(request.border),
          compares_(compares(request)),
          extremum_(extremum()) {}
    void run();

  private:
    static constexpr unsigned kGroup = 64;
    int extremum() const {
        if (q_.decoded->row->extremum) return q_.decoded->row->extremum;
        if (!q_.sampler) return 0;
        return q_.sampler->reduction == Reduction::Minimum   ? -1
               : q_.sampler->reduction == Reduction::Maximum ? 1
                                                             : 0;
    }
    void decode(unsigned first, unsigned count);
    void decode_planes(unsigned first, unsigned count);
    void look_up(Texel& texel) const;
    bool matches_key(const Texel& texel) const;
    Texel special(const Tap& tap, const Texel& texel) const;
    void compare_with_reference(const Tap& tap, Texel& texel) const;
    void copy_single();
    void gather(unsigned sample, unsigned first);
    void filter(unsigned from, unsigned to, Texel& sum) const;

    Request& q_;
    const Format& format_;
    const std::uint8_t* const* where_;
    const Texel& border_;
    const bool compares_;
    const int extremum_;
    Source sources_[kGroup];
    Texel texels_[kGroup];
};

/// An A8R8G8B8 colour's byte of a channel.
std::uint8_t byte_of(std::uint32_t color, unsigned channel) {
    constexpr unsigned kLow[] = {16, 8, 0, 24};
    return static_cast<std::uint8_t>(color >> kLow[channel]);
}

/// SMP-56.
void Combiner::look_up(Texel& texel) const {
    const std::uint32_t color = q_.tables->palettes[format_.palette - 1u][texel.channel[0]];
    const std::uint32_t own_alpha = texel.channel[3];
    for (unsigned c = 0; c < 4; ++c)
        texel.set(c, unorm(byte_of(color, c), 8));
    if (own_alpha != kPaletteAlpha) texel.channel[3] = own_alpha;
}

/// SMP-49: each channel, as a number of eight bits, lies in the key's range. Channels with a sign
/// have it in the key too.
bool Combiner::matches_key(const Texel& texel) const {
    constexpr unsigned kSigned = 2;  // of the formats with a sign, R and G have it
    for (unsigned c = 0; c < 4; ++c) {
        const bool sign = format_.values == Values::Snorm && c < kSigned;
        const auto end = [&](std::uint32_t color) {
            const std::uint8_t byte = byte_of(color, c);
            return sign ? static_cast<std::int8_t>(byte) : static_cast<int>(byte);
        };
        const auto value =
            static_cast<int>(std::lround(texel.number(c) * (sign ? 127.0f : 255.0f)));
        if (value < end(q_.key->low) || value > end(q_.key->high)) return false;
    }
    return true;
}

Texel Combiner::special(const Tap& tap, const Texel& texel) const {
    switch (tap.from) {
        case From::Border:
            return border_;
        case From::HalfBorder:
        case From::QuarterBorder:
        case From::EighthBorder: {
            Texel mean = texel;
            const int axes = 1 + static_cast<int>(tap.from) - static_cast<int>(From::HalfBorder);
            for (int axis = 0; axis < axes; ++axis)
                for (unsigned c = 0; c < 4 && !format_.integer(); ++c)
                    mean.set(c, (mean.number(c) + border_.number(c)) / 2);
            return mean;
        }
        case From::Clear:
            return clear_texel(*q_.surface);
        default:
            return zero_texel(format_);
    }
}

void Combiner::compare_with_reference(const Tap& tap, Texel& texel) const {
    const float value = compare_texel(q_, tap.sample, texel.number(compared_channel(format_)));
    for (unsigned c = 0; c < 4; ++c)
        if (format_.present >> c & 1) texel.set(c, value);
}

void Combiner::decode(unsigned first, unsigned count) {
    alignas(16) static constexpr std::uint8_t kNoBytes[16]{};
    for (unsigned i = 0; i < count; ++i) {
        const Tap& tap = q_.taps[first + i];
        const bool read = of_surface(tap.from);
        sources_[i] = {read ? where_[first + i] : kNoBytes, tap.x, tap.y};
    }
    format_.decode(sources_, count, texels_);
    if (format_.palette)
        for (unsigned i = 0; i < count; ++i)
            look_up(texels_[i]);
    for (unsigned i = 0; i < count; ++i) {
        const Tap& tap = q_.taps[first + i];
        const bool of_map = of_surface(tap.from);
        if (q_.key && of_map && matches_key(texels_[i])) {
            if (q_.sampler->key_replaces)
                texels_[i] = black_texel(format_);
            else
                q_.killed |= 1u << tap.sample;
        }
        if (tap.from != From::Surface) texels_[i] = special(tap, texels_[i]);
        if (compares_) compare_with_reference(tap, texels_[i]);
    }
}

/// R is Cr, G is Y and B is Cb; each tap gives the channels of its plane (SMP-212).
void Combiner::decode_planes(unsigned first, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        const Tap& tap = q_.taps[first + i];
        Texel& texel = texels_[i] = {};
        if (tap.from != From::Surface) {
            texel = special(tap, texel);
            continue;
        }
        const auto value = [&](unsigned n) {
            const std::uint8_t* const bytes = where_[first + i] + n * format_.plane_bytes();
            return format_.plane_bytes() == 1 ? unorm(bytes[0], 8)
                                              : unorm(load<std::uint16_t>(bytes), 16);
        };
        if (tap.plane == Plane::Luma) texel.set(1, value(0));
        if (tap.plane == Plane::Chroma || tap.plane == Plane::U) texel.set(2, value(0));
        if (tap.plane == Plane::Chroma) texel.set(0, value(1));
        if (tap.plane == Plane::V) texel.set(0, value(0));
    }
}

/// A is the upper left texel, B the upper right, R the lower left, G the lower right (SMP-159).
void Combiner::gather(unsigned sample, unsigned first) {
    constexpr unsigned kOrder[] = {3, 2, 0, 1};
    const unsigned channel = q_.header.gather_channel;
    for (unsigned i = 0; i < 4; ++i)
        q_.results[sample].channel[kOrder[i]] =
            select_channels(*q_.surface, texels_[first + i]).channel[channel];
}

void Combiner::filter(unsigned from, unsigned to, Texel& sum) const {
    for (unsigned i = from; i < to; ++i) {
        const Tap& tap = q_.taps[i];
        const Texel& texel = texels_[i % kGroup];
        if (!extremum_) [[likely]] {
            for (unsigned c = 0; c < 4; ++c)
                sum.set(c, sum.number(c) + tap.weight * texel.number(c));
            continue;
        }
        for (unsigned c = 0; c < 4; ++c) {
            const float value = texel.number(c), old = sum.number(c);
            if (extremum_ < 0 ? value < old : value > old) sum.set(c, value);
        }
    }
}

void Combiner::run() {
    const bool gathers = q_.decoded->row->kind == Kind::Gather;
    const unsigned samples = q_.decoded->samples();
    if (!gathers && q_.tap_count <= Request::kSamples &&
        q_.tap_count == static_cast<unsigned>(std::popcount(q_.active)) && !format_.planar())
        return copy_single();
    unsigned ready = 0;  // taps decoded, whole groups of them
    for (unsigned n = 0; n < samples; ++n) {
        if (!(q_.active >> n & 1)) continue;
        const unsigned first = q_.first_tap[n], last = q_.first_tap[n + 1];
        Texel sum{};
        for (unsigned i = first; i < last;) {
            if (i >= ready) {
                const unsigned count = std::min(kGroup, q_.tap_count - ready);
                format_.planar() ? decode_planes(ready, count) : decode(ready, count);
                ready += count;
            }
            const unsigned stop = std::min(last, ready);
            // One texel is the result itself; the first of an extremum is where it starts.
            const bool alone = last - first == 1 || (extremum_ && i == first);
            if (alone)
                sum = texels_[i++ % kGroup];
            else if (gathers) {
                break;
            }
            filter(i, stop, sum);
            i = stop;
        }
        if (gathers && last - first >= 4) {
            gather(n, first % kGroup);
            continue;
        }
        if (format_.planar()) sum.channel[3] = kOne;
        q_.results[n] = select_channels(*q_.surface, sum);
    }
}

/// Each sample is one texel.
void Combiner::copy_single() {
    decode(0, q_.tap_count);
    unsigned next = 0;
    for (std::uint32_t left = q_.active; left; left &= left - 1)
        q_.results[static_cast<unsigned>(std::countr_zero(left))] =
            select_channels(*q_.surface, texels_[next++]);
}

}  // namespace

float compare(Compare function, float texel, float reference) {
    bool holds = false;
    switch (function) {
        case Compare::Always:
            holds = true;
            break;
        case Compare::Never:
            break;
        case Compare::Less:
            holds = texel < reference;
            break;
        case Compare::Equal:
            holds = texel == reference;
            break;
        case Compare::LessEqual:
            holds = texel <= reference;
            break;
        case Compare::Greater:
            holds = texel > reference;
            break;
        case Compare::NotEqual:
            holds = texel != reference;
            break;
        case Compare::GreaterEqual:
            holds = texel >= reference;
            break;
    }
    return holds ? 0.0f : 1.0f;
}

float compare_texel(const Request& q, unsigned sample, float texel) {
    float reference = q.parameters.number(Parameter::Ref, sample);
    if (q.surface->format->values ==
        Values::Unorm)  // the reference in the format's range (Assumed)
        reference = std::clamp(std::isnan(reference) ? 0.0f : reference, 0.0f, 1.0f);
    return compare(q.sampler->compare, texel, reference);
}

Texel border_texel(const Format& format, const SamplerState& sampler, const std::uint8_t* bytes) {
    Texel texel{};
    for (unsigned c = 0; c < 4; ++c) {
        if (!(format.present >> c & 1)) {
            texel.channel[c] = format.missing(c);
            continue;
        }
        if (sampler.border_bytes) {
            texel.set(c, unorm(bytes[c], 8));
            continue;
        }
        texel.channel[c] = load<std::uint32_t>(bytes + 4 * c);
        const bool normalized = format.values == Values::Unorm || format.values == Values::Snorm;
        if (!normalized) continue;
        const float least = format.values == Values::Unorm ? 0 : -1;
        const float value = texel.number(c);
        texel.set(c, std::isnan(value) ? 0 : std::clamp(value, least, 1.0f));
    }
    return texel;
}

// Black of Y, Cb and Cr is not zero.
Texel black_texel(const Format& format) {
    Texel texel{};
    if (format.block_width == 2)
        for (unsigned c = 0; c < 3; ++c)
            texel.set(c, unorm(c == 1 ? 0x10 : 0x80, 8));
    return texel;
}

Texel clear_texel(const SampledSurface& surface) {
    Texel clear = zero_texel(*surface.format);
    for (unsigned c = 0; c < 4; ++c)
        if (surface.format->present >> c & 1) clear.channel[c] = surface.clear[c];
    return clear;
}

Texel select_channels(const SampledSurface& surface, const Texel& texel) {
    if (surface.identity) [[likely]]
        return texel;
    Texel selected{};
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned select = surface.select[c];
        if (select >= state::SCS_RED)
            selected.channel[c] = texel.channel[select - state::SCS_RED];
        else if (select == state::SCS_ONE)
            selected.channel[c] = surface.format->integer() ? 1 : kOne;
    }
    return selected;
}

void combine(Request& request, const std::uint8_t* const* where) {
    if (request.decoded->row->kind != Kind::Mcs) return Combiner(request, where).run();
    const unsigned bytes = mcs_bytes(request.surface->raw.samples);
    for (unsigned n = 0; n < request.decoded->samples(); ++n) {
        request.results[n] = {};
        if (request.first_tap[n] == request.first_tap[n + 1]) continue;
        std::memcpy(request.results[n].channel.data(), where[request.first_tap[n]], bytes);
    }
}

}  // namespace gen9::sampler
