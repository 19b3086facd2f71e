// SPDX-License-Identifier: Apache-2.0
#include "dispatch/walk/payload.h"

#include <cstring>

#include "packets/gpgpu_payload.h"

namespace gen9::dispatch {
namespace {

/// Assumed: the seeds give FFID codes for no unit; nothing in a kernel depends on it.
constexpr std::uint8_t kSpawnerFfid = 0;

}  // namespace

Grf make_header(const Walk& walk, const Topology& topology, const ThreadFacts& thread) {
    const Descriptor& d = walk.descriptor;
    const unsigned fftid = thread.place.fftid(topology);
    std::array<std::uint32_t, 8> r0{};
    namespace row = packets::GPGPU_PAYLOAD_HEADER;
    row::UrbHandle.set(r0, walk.urb_handle);
    if (d.slm_code) {
        row::SlmIndex.set(r0, thread.slm_granule);
        row::SlmEnable.set(r0, 1);
    }
    if (d.barrier) {
        row::BarrierIdHigh.set(r0, thread.barrier >> 4);
        row::BarrierIdLow.set(r0, thread.barrier);
        row::BarrierEnable.set(r0, 1);
    }
    row::SamplerStatePointer.set(r0, d.sampler_state_offset);
    row::PerThreadScratchSpace.set(r0, walk.vfe.scratch_code);
    row::BindingTablePointer.set(r0, d.binding_table_offset);
    row::StackSize.set(r0, walk.vfe.stack_code);
    row::ScratchSpacePointer.set(r0, walk.vfe.scratch_pointer(fftid));
    row::GpgpuDispatch.set(r0, 1);
    row::Fftid.set(r0, fftid);
    row::ThreadGroupIdX.set(r0, thread.group_id[0]);
    row::ThreadGroupIdY.set(r0, thread.group_id[1]);
    row::ThreadGroupIdZ.set(r0, thread.group_id[2]);
    Grf header;
    std::memcpy(header.bytes, r0.data(), sizeof header.bytes);
    return header;
}

void make_thread(const Walk& walk, const Topology& topology, const ThreadFacts& thread,
                 ThreadDispatch& dispatch) {
    const Descriptor& d = walk.descriptor;

    ThreadSideband& side = dispatch.sideband;
    side.place = thread.place.address(topology);
    side.fftid = thread.place.fftid(topology);
    side.binding_table_offset = d.binding_table_offset;
    side.sampler_state_offset = d.sampler_state_offset;
    side.slm_base = std::uint32_t{thread.slm_granule} * 1024;
    side.slm_size = slm_kilobytes(d.slm_code) * 1024;
    side.priority = d.priority;
    side.context_start = walk.context_start;
    if (side.state != walk.state) side.state = walk.state;
    side.kernel_start = walk.state->instruction_base + d.kernel_start;

    dispatch.instruction_pointer = d.kernel_start;
    dispatch.dispatch_mask = thread.mask;
    dispatch.simd_width = walk.walker.simd_width;
    dispatch.ffid = kSpawnerFfid;
    dispatch.alternate_float = d.alternate_float;
    dispatch.single_program_flow = d.single_program_flow;
    dispatch.rounding = d.rounding;
    dispatch.illegal_opcode_exception = d.illegal_opcode_exception;
    dispatch.software_exception = d.software_exception;
    dispatch.stack_exception = d.stack_exception;
    // 003:19896-19911: the top of the thread's scratch space, and what of it may be stack.
    const std::uint64_t scratch = walk.vfe.scratch_pointer(side.fftid);
    dispatch.stack_pointer = scratch + (std::uint64_t{1024} << walk.vfe.scratch_code) - 1;
    dispatch.stack_limit = scratch + (std::uint64_t{1024} << walk.vfe.stack_code);
    dispatch.walker = walk.number;
    dispatch.group_id = thread.group_id;
    dispatch.local_thread = thread.local_thread;
    dispatch.retire = {};

    const std::size_t cross = d.cross_thread_rows, own = d.per_thread_rows;
    dispatch.payload_registers = static_cast<std::uint8_t>(1 + cross + own);
    dispatch.payload[0] = make_header(walk, topology, thread);
    if (cross + own == 0) return;
    Grf* const at = dispatch.payload.data() + 1;
    const std::uint8_t* const own_data =
        walk.data.data() + (cross + own * thread.local_thread) * kGrfBytes;
    std::memcpy(at + (walk.indirect ? own : 0), walk.data.data(), cross * kGrfBytes);
    std::memcpy(at + (walk.indirect ? 0 : cross), own_data, own * kGrfBytes);
}

}  // namespace gen9::dispatch
