// SPDX-License-Identifier: Apache-2.0
#include "packets/resource_streamer.h"

#include "packets/commands.h"
#include "packets/state.h"

namespace gen9::packets {

ResourceAction resource_action(const CommandRow& command, std::uint32_t header) {
    if (command.resource != ResourceAction::Select) return command.resource;
    namespace row = PIPELINE_SELECT;
    const std::span<const std::uint32_t> dword(&header, 1);
    const bool selects = (row::MaskBits.get(dword) & 3) == 3;
    return selects && row::PipelineSelection.get(dword) != row::Pipe3D ? ResourceAction::Stop
                                                                       : ResourceAction::Ignore;
}

bool makes_resource(ResourceAction action, std::span<const std::uint32_t> dwords,
                    bool tables_enabled, bool gathers_enabled) {
    namespace row = GATHER_CONSTANT;
    switch (action) {
        case ResourceAction::BindingTable:
            return tables_enabled;
        case ResourceAction::Gather:
            // 003:2630: only with hardware binding tables.
            return tables_enabled && gathers_enabled && !row::UpdateGatherTableOnly.get(dwords) &&
                   !row::ConstantBufferDx9Enable.get(dwords) &&
                   !row::DX9OnDieRegisterReadEnable.get(dwords);
        default:
            return false;
    }
}

ResourceStage resource_stage(const CommandRow& command) {
    const std::uint32_t sub_opcode = command.value >> 16 & 0xFF;
    // The pointer commands stand in another order than the others.
    constexpr std::array kPointers{ResourceStage::VS, ResourceStage::HS, ResourceStage::DS,
                                   ResourceStage::GS, ResourceStage::PS};
    if (sub_opcode <= 0x2A) return kPointers[(sub_opcode - 0x26) % kResourceStages];
    const std::uint32_t first = sub_opcode >= 0x43 ? 0x43 : 0x34;
    return static_cast<ResourceStage>((sub_opcode - first) % kResourceStages);
}

}  // namespace gen9::packets
