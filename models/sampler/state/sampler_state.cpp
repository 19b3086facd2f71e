// SPDX-License-Identifier: Apache-2.0
#include "sampler/state/sampler_state.h"

#include "packets/sampler_state.h"

namespace gen9::sampler {

SamplerState read_sampler_state(std::span<const std::uint32_t> dwords) {
    using namespace packets::sampler_state;
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    const auto filter = [](std::uint32_t code) {
        return code == 1 || code == 2 || code == 6 ? static_cast<Filter>(code) : Filter::Nearest;
    };
    SamplerState s;
    s.address = {static_cast<AddressMode>(value(TCXAddressControlMode)),
                 static_cast<AddressMode>(value(TCYAddressControlMode)),
                 static_cast<AddressMode>(value(TCZAddressControlMode))};
    s.min = filter(value(MinModeFilter));
    s.mag = filter(value(MagModeFilter));
    const std::uint32_t mip = value(MipModeFilter);
    s.mip = mip == 2 ? MipFilter::None : static_cast<MipFilter>(mip);
    const std::uint32_t clamp = value(LODPreClampMode);
    s.pre_clamp = clamp == 3 ? PreClamp::None : static_cast<PreClamp>(clamp);
    s.reduction_enabled = value(ReductionTypeEnable) != 0;
    if (s.reduction_enabled) s.reduction = static_cast<Reduction>(value(ReductionType));
    s.compare = static_cast<Compare>(value(ShadowFunction));
    s.bias = static_cast<std::int32_t>(value(TextureLODBias));
    s.min_lod = static_cast<std::int32_t>(value(MinLOD));
    s.max_lod = static_cast<std::int32_t>(value(MaxLOD));
    s.max_ratio = static_cast<std::uint8_t>(2 * (value(MaximumAnisotropy) + 1));
    s.round_min = {value(UAddressMinFilterRoundingEnable) != 0,
                   value(VAddressMinFilterRoundingEnable) != 0,
                   value(RAddressMinFilterRoundingEnable) != 0};
    s.round_mag = {value(UAddressMagFilterRoundingEnable) != 0,
                   value(VAddressMagFilterRoundingEnable) != 0,
                   value(RAddressMagFilterRoundingEnable) != 0};
    s.ewa = value(LODAlgorithm) != 0;
    s.disabled = value(SamplerDisable) != 0;
    s.normalized = value(NonnormalizedCoordinateEnable) == 0;
    s.mag_clamp_none = value(LODClampMagnificationMode) == 0;
    s.cube_override = value(CubeSurfaceControlMode) != 0;
    s.border_bytes = value(TextureBorderColorMode) != 0;
    s.keyed = value(ChromaKeyEnable) != 0;
    s.key = static_cast<std::uint8_t>(value(ChromaKeyIndex));
    s.key_replaces = value(ChromaKeyMode) != 0;
    s.border_offset = value(BorderColorPointer);
    return s;
}

}  // namespace gen9::sampler
