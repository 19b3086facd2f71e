// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/legal.h"

#include <algorithm>

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

const char* refuse_load(const MessageRow& row, const SampledSurface& s) {
    if (s.cube()) return "ld of a cube (SMP-150)";
    const bool of_samples = row.params[0] == Parameter::Sample;
    if (!of_samples)
        return s.raw.multisampled() ? "ld of a multisampled surface (SMP-150)" : nullptr;
    if (s.type() != state::SURFTYPE_2D) return "ld2dms of a surface that is not 2D (SMP-153)";
    return s.raw.multisampled() ? nullptr : "ld2dms of a surface with one sample (SMP-153)";
}

const char* refuse_gather(const Request& q) {
    const SampledSurface& s = *q.surface;
    const MessageRow& row = *q.decoded->row;
    if (!(q.header.channels & 8)) return "gather4 with alpha masked (SMP-111)";
    const bool own_offsets = std::count(row.params.begin(), row.params.end(), Parameter::OffU) != 0;
    if (own_offsets && s.cube()) return "gather4_po of a cube (SMP-161)";
    if (s.type() != state::SURFTYPE_2D && !s.cube())
        return "gather4 of a surface that is neither 2D nor a cube (SMP-159)";
    if (!compares(q)) return nullptr;
    if (q.header.gather_channel != 0) return "gather4_c of another channel than red (SMP-110)";
    constexpr unsigned kFormats[] = {0x088, 0x0D8, 0x0D9, 0x10A};
    return std::count(std::begin(kFormats), std::end(kFormats), s.format->code)
               ? nullptr
               : "gather4_c of a format that it is not defined for (SMP-160)";
}

const char* refuse_sample(const Request& q) {
    const SampledSurface& s = *q.surface;
    const MessageRow& row = *q.decoded->row;
    if (s.raw.buffer()) return "sample of a buffer (SMP-141)";
    if (s.raw.multisampled()) return "sample of a multisampled surface (SMP-158)";
    if (row.extremum && (s.type() != state::SURFTYPE_2D || s.raw.array))
        return "sample_min or sample_max of a surface that is not a single 2D one (SMP-149)";
    if (compares(q)) {
        if (s.volume()) return "comparison with a 3D surface (SMP-144)";
        if (!s.format->shadow) return "comparison with a format that is not for it (SMP-144)";
    }
    return nullptr;
}

constexpr const char* kMonoOnly = "MONO8 with a message other than sample_l and sample_lz (SMP-33)";

/// SMP-33, and each message's own line: only these two may have one bit a texel.
const char* refuse_mono(const Request& q) {
    const SampledSurface& s = *q.surface;
    constexpr unsigned kSampleL = 0x02, kSampleLz = 0x18;
    const unsigned code = q.decoded->row->code;
    if (s.format->mono() && code != kSampleL && code != kSampleLz) return kMonoOnly;
    if (q.decoded->row->kind != Kind::Sample) return nullptr;
    const bool filters = q.sampler->min == Filter::Mono || q.sampler->mag == Filter::Mono;
    return filters && (!s.format->mono() || s.type() != state::SURFTYPE_2D)
               ? "monochrome filter of a surface that is not 2D and MONO8 (SMP-33)"
               : nullptr;
}

/// Questions that read no texels.
const char* refuse_query(Kind kind, const SampledSurface& s) {
    if (kind == Kind::SampleInfo && s.type() != state::SURFTYPE_2D)
        return "sampleinfo of a surface that is not 2D (SMP-163)";
    if (kind == Kind::Lod && s.format && s.format->mono()) return kMonoOnly;
    if (kind == Kind::Lod && (s.type() > state::SURFTYPE_CUBE || s.raw.multisampled()))
        return "LOD of a buffer or a multisampled surface (SMP-164)";
    return s.type() > state::SURFTYPE_STRBUF ? "reserved surface type" : nullptr;
}

}  // namespace

const char* refuse(const Request& q, const char*& not_modelled) {
    const SampledSurface& s = *q.surface;
    const Kind kind = q.decoded->row->kind;
    if (kind == Kind::Lod || kind == Kind::ResInfo || kind == Kind::SampleInfo)
        return refuse_query(kind, s);
    if (kind == Kind::Mcs) return nullptr;
    if (s.type() > state::SURFTYPE_BUFFER) return "reserved surface type, or a structured buffer";
    if (!s.format) return "surface format that cannot be sampled (SMP-84)";
    if (s.format->block_height > 1 && s.type() == state::SURFTYPE_1D)
        return "compressed format on a 1D surface (SMP-213)";
    not_modelled = s.not_modelled;
    if (const char* const wrong = refuse_mono(q)) return wrong;
    if (kind == Kind::Load) return refuse_load(*q.decoded->row, s);
    if (const char* const wrong = refuse_sample(q)) return wrong;
    if (kind != Kind::Gather) return nullptr;
    if (s.format->planar()) not_modelled = "SMP-159";
    return refuse_gather(q);
}

}  // namespace gen9::sampler
