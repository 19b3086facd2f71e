// SPDX-License-Identifier: Apache-2.0
#include "cs/context/base_address.h"

#include "packets/state.h"

namespace gen9::cs {

StateBases apply_state_base_address(const StateBases& bases,
                                    std::span<const std::uint32_t> dwords) {
    namespace row = packets::STATE_BASE_ADDRESS;
    using packets::Field;
    StateBases out = bases;
    ++out.number;
    const auto base = [&](const Field& modify, const Field& field, GpuAddr& target,
                          const Field& control, std::uint8_t& mocs) {
        if (!modify.get(dwords)) return;
        target = canonical(field.get(dwords));
        mocs = static_cast<std::uint8_t>(control.get(dwords));
    };
    const auto size = [&](const Field& modify, const Field& field, std::uint64_t& target) {
        if (modify.get(dwords)) target = field.get(dwords);
    };
    base(row::GeneralStateBaseAddressModifyEnable, row::GeneralStateBaseAddress,
         out.general_state_base, row::GeneralStateMemoryObjectControlState, out.general_mocs);
    out.stateless_mocs =
        static_cast<std::uint8_t>(row::StatelessDataPortAccessMemoryObjectControlState.get(dwords));
    base(row::SurfaceStateBaseAddressModifyEnable, row::SurfaceStateBaseAddress,
         out.surface_state_base, row::SurfaceStateMemoryObjectControlState, out.surface_mocs);
    base(row::DynamicStateBaseAddressModifyEnable, row::DynamicStateBaseAddress,
         out.dynamic_state_base, row::DynamicStateMemoryObjectControlState, out.dynamic_mocs);
    base(row::IndirectObjectBaseAddressModifyEnable, row::IndirectObjectBaseAddress,
         out.indirect_object_base, row::IndirectObjectMemoryObjectControlState, out.indirect_mocs);
    base(row::InstructionBaseAddressModifyEnable, row::InstructionBaseAddress, out.instruction_base,
         row::InstructionMemoryObjectControlState, out.instruction_mocs);
    size(row::GeneralStateBufferSizeModifyEnable, row::GeneralStateBufferSize,
         out.general_state_size);
    size(row::DynamicStateBufferSizeModifyEnable, row::DynamicStateBufferSize,
         out.dynamic_state_size);
    size(row::IndirectObjectBufferSizeModifyEnable, row::IndirectObjectBufferSize,
         out.indirect_object_size);
    size(row::InstructionBuffersizeModifyEnable, row::InstructionBufferSize, out.instruction_size);
    base(row::BindlessSurfaceStateBaseAddressModifyEnable, row::BindlessSurfaceStateBaseAddress,
         out.bindless_surface_base, row::BindlessSurfaceStateMemoryObjectControlState,
         out.bindless_mocs);
    if (row::BindlessSurfaceStateBaseAddressModifyEnable.get(dwords))
        out.bindless_surface_count =
            static_cast<std::uint32_t>(row::BindlessSurfaceStateSize.get(dwords));
    return out;
}

}  // namespace gen9::cs
