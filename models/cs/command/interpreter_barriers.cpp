// SPDX-License-Identifier: Apache-2.0
// `strict`: where work with barriers wants a stalling PIPE_CONTROL.
#include "cs/command/interpreter.h"
#include "packets/media.h"
#include "packets/media_object.h"

namespace gen9::cs {

using packets::Command;

// The front end keeps the descriptors as they are when they are loaded, and so does this check.
void Interpreter::read_descriptors(Dwords dwords) {
    namespace load = packets::MEDIA_INTERFACE_DESCRIPTOR_LOAD;
    BarrierUse::Descriptors rows{};
    const std::size_t bytes = load::InterfaceDescriptorTotalLength.get(dwords);
    // The front end reports descriptors that cannot be loaded.
    if (bytes > sizeof rows) return;
    const GpuAddr from =
        state.bases().dynamic_state_base + load::InterfaceDescriptorDataStartAddress.get(dwords);
    if (bus_.read(AddressSpace::Ppgtt, from, {reinterpret_cast<std::uint8_t*>(rows.data()), bytes}))
        barriers_.loaded(rows);
}

void Interpreter::check_barriers_of_state(Dwords dwords) {
    if (row_->command == Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD) return read_descriptors(dwords);
    if (row_->command != Command::MEDIA_VFE_STATE) return;
    // 003:17967; 000:700-702.
    if (!barriers_.wants_stall(settings_.any_barrier_stalls)) return;
    guest_error("MEDIA_VFE_STATE",
                settings_.any_barrier_stalls
                    ? "no stalling PIPE_CONTROL after media groups with a barrier (MED-60)"
                    : "no stalling PIPE_CONTROL after media groups with a global barrier "
                      "(GW-36)");
    barriers_.reported();
}

void Interpreter::check_barriers_of_work(Dwords dwords, PipeUse::Work work) {
    const bool media = work == PipeUse::Work::Media;
    namespace object = packets::MEDIA_OBJECT_WALKER;
    // Only groups have barriers (MED-47). The descriptor's number stands where a walker has it.
    const bool groups =
        !media || row_->command == Command::MEDIA_OBJECT_GRPID ||
        (row_->command == Command::MEDIA_OBJECT_WALKER && object::GroupIDLoopSelect.get(dwords));
    if (!groups) return;
    const bool pools = packets::MEDIA_POOL_STATE::PooledEUEnable.get(
                           state.command(packets::command_of(Command::MEDIA_POOL_STATE))) != 0;
    const auto kind = barriers_.kind_of(
        static_cast<unsigned>(object::InterfaceDescriptorOffset.get(dwords)), media, pools);
    // 000:704-708.
    if (barriers_.mixes(kind))
        guest_error("pipeline",
                    "no PIPE_CONTROL with CS stall between linked and global barriers (POOL-09)");
    barriers_.given(kind, media);
}

}  // namespace gen9::cs
