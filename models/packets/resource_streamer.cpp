// SPDX-License-Identifier: Apache-2.0
#include "packets/resource_streamer.h"

#include "packets/state.h"

namespace gen9::packets {
namespace {

ResourceAction mi_action(std::uint32_t opcode) {
    switch (opcode) {
        case 0x05:  // MI_ARB_CHECK
        case 0x06:  // MI_RS_CONTROL
        case 0x0A:  // MI_BATCH_BUFFER_END
        case 0x0F:  // MI_RS_CONTEXT: the seed's 1Ah is MI_MATH (RS-07)
        case 0x18:  // MI_SET_CONTEXT
        case 0x31:  // MI_BATCH_BUFFER_START
        case 0x36:  // MI_CONDITIONAL_BATCH_BUFFER_END
            return ResourceAction::Stop;
        case 0x03:  // MI_WAIT_FOR_EVENT
        case 0x1C:  // MI_SEMAPHORE_WAIT, for the seed's 16h that Gen9 does not have (RS-07)
            return ResourceAction::Block;
        case 0x2B:
            return ResourceAction::StoreData;
        default:
            return ResourceAction::Ignore;
    }
}

// 3DSTATE commands of group 0 (003:2706-2766).
ResourceAction state_action(std::uint32_t sub_opcode) {
    if (sub_opcode >= 0x26 && sub_opcode <= 0x2A) return ResourceAction::BindingTable;
    if (sub_opcode >= 0x34 && sub_opcode <= 0x38) return ResourceAction::Gather;
    if (sub_opcode >= 0x39 && sub_opcode <= 0x42) return ResourceAction::Constants;
    if (sub_opcode >= 0x43 && sub_opcode <= 0x47) return ResourceAction::EditTable;
    if (sub_opcode == 0x54) return ResourceAction::Constants;
    if (sub_opcode >= 0x57 && sub_opcode <= 0x65) return ResourceAction::Constants;
    return ResourceAction::Ignore;
}

}  // namespace

ResourceAction resource_action(std::uint32_t header) {
    if (header >> 29 == 0) return mi_action(header >> 23 & 63);
    const std::uint32_t sub_opcode = header >> 16 & 0xFF;
    switch (header >> 24) {
        case 0x61:
            return sub_opcode == 1 ? ResourceAction::LatchBase : ResourceAction::Ignore;
        case 0x69: {
            // PIPELINE_SELECT stops it only if 3D is not selected (003:2665).
            namespace row = PIPELINE_SELECT;
            const std::span<const std::uint32_t> dword(&header, 1);
            const bool selects = (row::MaskBits.get(dword) & 3) == 3;
            return sub_opcode == 4 && selects && row::PipelineSelection.get(dword) != row::Pipe3D
                       ? ResourceAction::Stop
                       : ResourceAction::Ignore;
        }
        case 0x78:
            return state_action(sub_opcode);
        case 0x79:
            if (sub_opcode == 0x19) return ResourceAction::TablePool;
            if (sub_opcode == 0x1A) return ResourceAction::GatherPool;
            return sub_opcode == 0x1B ? ResourceAction::Constants : ResourceAction::Ignore;
        case 0x7B:
            return ResourceAction::Fence;
        default:
            return ResourceAction::Ignore;
    }
}

bool makes_resource(std::span<const std::uint32_t> dwords, bool tables_enabled,
                    bool gathers_enabled) {
    namespace row = GATHER_CONSTANT;
    switch (resource_action(dwords[0])) {
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

ResourceStage resource_stage(std::uint32_t header) {
    const std::uint32_t sub_opcode = header >> 16 & 0xFF;
    // The pointer commands stand in another order than the others.
    constexpr std::array kPointers{ResourceStage::VS, ResourceStage::HS, ResourceStage::DS,
                                   ResourceStage::GS, ResourceStage::PS};
    if (sub_opcode <= 0x2A) return kPointers[(sub_opcode - 0x26) % kResourceStages];
    const std::uint32_t first = sub_opcode >= 0x43 ? 0x43 : 0x34;
    return static_cast<ResourceStage>((sub_opcode - first) % kResourceStages);
}

}  // namespace gen9::packets
