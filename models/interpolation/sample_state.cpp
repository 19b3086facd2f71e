// SPDX-License-Identifier: Apache-2.0
#include "interpolation/sample_state.h"

#include <algorithm>

#include "packets/draw/pixels.h"
#include "packets/draw/setup.h"

namespace gen9::interpolation {
namespace {

using Dwords = StageState::Dwords;
using packets::command_named;
using packets::CommandRow;
namespace m = packets::STATE_MULTISAMPLE;
namespace op = packets::STATE_WM_HZ_OP;

std::uint8_t samples_of(std::uint64_t log2) {
    return static_cast<std::uint8_t>(1u << std::min<std::uint64_t>(log2, 4));
}
Dwords multisample_of(const PipelineState& state) {
    static const CommandRow& row = command_named("3DSTATE_MULTISAMPLE");
    return latched(state, row);
}
Dwords hz_op_of(const PipelineState& state) {
    static const CommandRow& row = command_named("3DSTATE_WM_HZ_OP");
    return latched(state, row);
}

}  // namespace

MultisampleFields read_fields(const PipelineState& state, bool hz_op) {
    static const CommandRow& raster_row = command_named("3DSTATE_RASTER");
    namespace r = packets::STATE_RASTER;
    const Dwords raster = latched(state, raster_row);
    MultisampleFields fields;
    fields.samples = samples_of(hz_op ? op::NumberOfMultisamples.get(hz_op_of(state))
                                      : m::NumberOfMultisamples.get(multisample_of(state)));
    fields.hz_op = hz_op;
    fields.api = static_cast<std::uint8_t>(r::APIMode.get(raster));
    const auto forced = r::ForcedSampleCount.get(raster);
    if (forced != 0 && !hz_op) fields.forced_samples = samples_of(forced - 1);
    fields.dx_enable = r::DXMultisampleRasterizationEnable.get(raster);
    fields.forced = r::ForceMultisampling.get(raster);
    fields.field = static_cast<MultisampleMode>(r::DXMultisampleRasterizationMode.get(raster));
    return fields;
}

Samples read_samples(const PipelineState& state, bool hz_op) {
    static const CommandRow& pattern_row = command_named("3DSTATE_SAMPLE_PATTERN");
    const Dwords multisample = multisample_of(state), pattern = latched(state, pattern_row);
    const MultisampleFields fields = read_fields(state, hz_op);
    const MultisampleMode mode = multisample_mode(fields);
    Samples samples;
    samples.samples = fields.forced_samples ? fields.forced_samples : fields.samples;
    samples.at_each_sample = samples.samples > 1 && (mode == MultisampleMode::OffPattern ||
                                                     mode == MultisampleMode::OnPattern);
    const bool offset = hz_op ? op::PixelPositionOffsetEnable.get(hz_op_of(state))
                              : m::PixelPositionOffsetEnable.get(multisample);
    samples.pixel = pixel_place(m::PixelLocation.get(multisample), offset, samples.samples);
    std::array<std::uint32_t, 8> places{};
    for (std::size_t i = 0; i < places.size() && i + 1 < pattern.size(); ++i)
        places[i] = pattern[i + 1];
    samples.places = sample_places(places, samples.samples);
    return samples;
}

std::uint16_t read_sample_mask(const PipelineState& state, unsigned samples, bool hz_op) {
    static const CommandRow& mask_row = command_named("3DSTATE_SAMPLE_MASK");
    const auto mask = hz_op ? op::SampleMask.get(hz_op_of(state))
                            : packets::STATE_SAMPLE_MASK::SampleMask.get(latched(state, mask_row));
    return sample_mask(samples, static_cast<std::uint16_t>(mask));
}

}  // namespace gen9::interpolation
