// SPDX-License-Identifier: Apache-2.0
#include "media/walk/payload.h"

#include <algorithm>
#include <cstring>

#include "packets/gpgpu_payload.h"
#include "packets/media_payload.h"

namespace gen9::media {
namespace {

/// Assumed: the seeds give FFID codes for no unit; nothing in a kernel depends on it.
constexpr std::uint8_t kSpawnerFfid = 0;

/// A header's words that differ between threads of a walk in a slot.
void set_group(const Walk& walk, const ThreadFacts& thread, std::array<std::uint32_t, 8>& r0) {
    namespace row = packets::GPGPU_PAYLOAD_HEADER;
    if (walk.descriptor.slm_code) row::SlmIndex.set(r0, thread.slm_granule);
    if (walk.descriptor.barrier) {
        row::BarrierIdHigh.set(r0, thread.barrier >> 4);
        row::BarrierIdLow.set(r0, thread.barrier);
    }
    row::ThreadGroupIdX.set(r0, thread.group_id[0]);
    row::ThreadGroupIdY.set(r0, thread.group_id[1]);
    row::ThreadGroupIdZ.set(r0, thread.group_id[2]);
}

}  // namespace

Grf make_header(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread) {
    const Descriptor& d = walk.descriptor;
    const unsigned fftid = thread.place.fftid(topology);
    std::array<std::uint32_t, 8> r0{};
    namespace row = packets::GPGPU_PAYLOAD_HEADER;
    row::UrbHandle.set(r0, walk.urb_handle);
    row::SlmEnable.set(r0, d.slm_code != 0);
    row::BarrierEnable.set(r0, d.barrier);
    row::SamplerStatePointer.set(r0, d.sampler_state_offset);
    row::PerThreadScratchSpace.set(r0, walk.vfe.scratch_code);
    row::BindingTablePointer.set(r0, d.binding_table_offset);
    row::StackSize.set(r0, walk.vfe.stack_code);
    row::ScratchSpacePointer.set(r0, walk.vfe.scratch_pointer(fftid));
    row::GpgpuDispatch.set(r0, 1);
    row::Fftid.set(r0, fftid);
    set_group(walk, thread, r0);
    Grf header;
    std::memcpy(header.bytes, r0.data(), sizeof header.bytes);
    return header;
}

Grf make_media_header(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread) {
    const Descriptor& d = walk.descriptor;
    const MediaObject& object = *walk.media;
    const unsigned fftid = thread.place.fftid(topology);
    const auto descriptor = std::uint32_t{object.descriptor_index};
    std::array<std::uint32_t, 8> r0{};
    namespace row = packets::MEDIA_PAYLOAD_HEADER;
    row::UrbHandle.set(r0, walk.urb_handle);
    row::SamplerStatePointer.set(r0, d.sampler_state_offset);
    row::PerThreadScratchSpace.set(r0, walk.vfe.scratch_code);
    row::BindingTablePointer.set(r0, d.binding_table_offset);
    row::ScratchSpacePointer.set(r0, walk.vfe.scratch_pointer(fftid));
    if (object.command == MediaCommand::ObjectPrt) {
        namespace prt = packets::PRT_PAYLOAD_HEADER;
        prt::Fftid.set(r0, fftid);
        prt::InterfaceDescriptorPointer.set(r0, descriptor * kGrfBytes);
    } else {
        row::Fftid.set(r0, fftid);
        row::InterfaceDescriptorOffset.set(r0, descriptor);
        row::ScoreboardMask.set(r0, object.scoreboard.mask);
        row::ScoreboardX.set(r0, static_cast<unsigned>(thread.at.x));
        row::ScoreboardY.set(r0, static_cast<unsigned>(thread.at.y));
        row::ScoreboardColor.set(r0, thread.color);
    }
    if (walk.grouped()) {
        row::MediaGroupId.set(r0, 1);
        row::GroupIdLow.set(r0, thread.group_id[0]);
        row::GroupIdHigh.set(r0, thread.group_id[1]);
        row::SlmEnable.set(r0, d.slm_code != 0);
        row::SlmIndex.set(r0, d.slm_code ? thread.slm_granule : 0u);
        row::BarrierEnable.set(r0, d.barrier);
        row::BarrierIdHigh.set(r0, d.barrier ? thread.barrier >> 4 : 0u);
        row::BarrierIdLow.set(r0, d.barrier ? thread.barrier : 0u);
    }
    Grf header;
    std::memcpy(header.bytes, r0.data(), sizeof header.bytes);
    return header;
}

namespace {

/// What a thread begins with besides its registers.
void set_up(const Walk& walk, const ThreadTopology& topology, const ThreadPlace& place,
            ThreadDispatch& dispatch) {
    const Descriptor& d = walk.descriptor;
    ThreadSideband& side = dispatch.sideband;
    side.place = place.address(topology);
    side.fftid = place.fftid(topology);
    side.binding_table_offset = d.binding_table_offset;
    side.sampler_state_offset = d.sampler_state_offset;
    side.slm_base = side.slm_size = 0;
    side.of_geometry = false;
    side.priority = d.priority;
    side.context_start = walk.context_start;
    if (side.state != walk.state) side.state = walk.state;
    side.kernel_start = walk.state->instruction_base + d.kernel_start;

    dispatch.instruction_pointer = d.kernel_start;
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
    dispatch.dependency = {};
    dispatch.restored = dispatch.repeats = false;
    dispatch.retire = {};
    // Media threads have all channels: no command names a mask or a width (Assumed).
    dispatch.dispatch_mask = ~0u;
    dispatch.uses_vector_mask = false;
    dispatch.urb_handle_count = 0;
    dispatch.simd_width = 32;
}

/// The registers behind those loaded so far. What does not fit any more is cut off.
void load_rows(ThreadDispatch& dispatch, std::span<const std::uint8_t> bytes) {
    const unsigned rows =
        std::min(rows_of(bytes.size()), unsigned{kGrfCount} - dispatch.payload_registers);
    if (rows == 0) return;
    Grf* const at = dispatch.payload.data() + dispatch.payload_registers;
    at[rows - 1] = {};
    std::memcpy(at, bytes.data(), std::min<std::size_t>(bytes.size(), rows * kGrfBytes));
    dispatch.payload_registers = static_cast<std::uint8_t>(dispatch.payload_registers + rows);
}

/// The thread's own rows, in front of the cross-thread rows or behind them.
void load_own_rows(const Walk& walk, unsigned local_thread, ThreadDispatch& dispatch) {
    const std::size_t cross = walk.descriptor.cross_thread_rows,
                      own = walk.descriptor.per_thread_rows;
    const std::size_t own_at = (cross + own * local_thread) * kGrfBytes;
    // A media walker's later groups may be larger than the one that was checked.
    Grf* const own_rows = dispatch.payload.data() + 1 + (walk.indirect ? 0 : cross);
    if (own_at + own * kGrfBytes <= walk.data.size())
        std::memcpy(own_rows, walk.data.data() + own_at, own * kGrfBytes);
    else
        std::fill_n(own_rows, own, Grf{});
}

/// Cross-thread rows and the thread's own, in the order of their source (TD-34, TD-35).
void load_split_rows(const Walk& walk, unsigned local_thread, ThreadDispatch& dispatch) {
    const std::size_t cross = walk.descriptor.cross_thread_rows,
                      own = walk.descriptor.per_thread_rows;
    if (cross + own == 0) return;
    std::memcpy(dispatch.payload.data() + 1 + (walk.indirect ? own : 0), walk.data.data(),
                cross * kGrfBytes);
    load_own_rows(walk, local_thread, dispatch);
    dispatch.payload_registers = static_cast<std::uint8_t>(1 + cross + own);
}

void give_slm(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread,
              ThreadDispatch& dispatch) {
    dispatch.sideband.slm_base =
        walk.descriptor.slm_code
            ? topology.slm_base(thread.place.subslice, thread.slm, thread.slm_granule)
            : 0;
    dispatch.sideband.slm_size = slm_kilobytes(walk.descriptor.slm_code) * 1024;
}

}  // namespace

void make_thread(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread,
                 ThreadDispatch& dispatch) {
    set_up(walk, topology, thread.place, dispatch);
    if (walk.splits_data()) give_slm(walk, topology, thread, dispatch);
    dispatch.gpgpu = {thread.group_id, thread.local_thread};
    dispatch.payload_registers = 1;
    if (!walk.media) {
        dispatch.dispatch_mask = thread.mask;
        dispatch.simd_width = walk.walker.simd_width;
        dispatch.payload[0] = make_header(walk, topology, thread);
        load_split_rows(walk, thread.local_thread, dispatch);
        return;
    }
    dispatch.payload[0] = make_media_header(walk, topology, thread);
    if (walk.grouped())
        load_split_rows(walk, thread.local_thread, dispatch);
    else
        load_rows(dispatch, walk.data);
    load_rows(dispatch, thread.spawned);
    load_rows(dispatch, walk.urb_data);
}

void make_next_thread(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread,
                      ThreadDispatch& dispatch) {
    if (walk.descriptor.slm_code) give_slm(walk, topology, thread, dispatch);
    dispatch.repeats = true;
    dispatch.retire = {};
    dispatch.dispatch_mask = thread.mask;
    dispatch.gpgpu = {thread.group_id, thread.local_thread};
    std::array<std::uint32_t, 8> r0;
    std::memcpy(r0.data(), dispatch.payload[0].bytes, sizeof r0);
    set_group(walk, thread, r0);
    std::memcpy(dispatch.payload[0].bytes, r0.data(), sizeof r0);
    if (walk.descriptor.per_thread_rows) load_own_rows(walk, thread.local_thread, dispatch);
}

void list_threads(const Walk& walk, WalkerPart part, const GroupMasks& masks,
                  ThreadFollowers& followers) {
    namespace row = packets::GPGPU_PAYLOAD_HEADER;
    const auto header = [](const std::array<std::uint32_t, 3>& group, std::uint32_t kept) {
        std::array<std::uint32_t, 8> r0;
        r0.fill(kept);
        row::ThreadGroupIdX.set(r0, group[0]);
        row::ThreadGroupIdY.set(r0, group[1]);
        row::ThreadGroupIdZ.set(r0, group[2]);
        Grf bytes;
        std::memcpy(bytes.bytes, r0.data(), sizeof r0);
        return bytes;
    };
    const Descriptor& d = walk.descriptor;
    const std::size_t cross = d.cross_thread_rows, own = d.per_thread_rows;
    followers.count = 0;
    followers.group_threads = walk.walker.group_threads();
    followers.first_thread = part.at.local_thread();
    followers.header_kept = header({}, ~0u);
    followers.first_row = static_cast<std::uint8_t>(1 + (walk.indirect ? 0 : cross));
    followers.row_count = static_cast<std::uint8_t>(own);
    followers.rows = walk.data.data() + cross * kGrfBytes;
    followers.masks = masks.masks();
    for (ThreadFollowers::Group& group : followers.groups) {
        if (followers.count >= part.left || part.at.done()) break;
        group.header = header(part.at.group(), 0);
        followers.count += part.at.left_of_group();
        part.at.next_group();
    }
    followers.count = std::min(followers.count, part.left);
}

void make_child(const Walk& walk, const ThreadTopology& topology, const ChildFacts& child,
                ThreadDispatch& dispatch) {
    set_up(walk, topology, child.place, dispatch);
    dispatch.gpgpu = {};
    dispatch.payload_registers = 0;
    load_rows(dispatch, child.rows.first(kGrfBytes));
    load_rows(dispatch, child.curbe);
    load_rows(dispatch, child.rows.subspan(kGrfBytes));
}

// Its registers come by the system routine.
void make_restored(const Walk& walk, const ThreadTopology& topology, const ThreadPlace& place,
                   ThreadDispatch& dispatch) {
    set_up(walk, topology, place, dispatch);
    dispatch.restored = true;
    dispatch.payload[0] = {};
    dispatch.payload_registers = 1;
}

}  // namespace gen9::media
