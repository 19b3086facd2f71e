// SPDX-License-Identifier: Apache-2.0
// State commands, and commands that ask for little.
#include "cs/command/interpreter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "packets/draw/pixels.h"
#include "packets/draw/stream_out.h"
#include "packets/draw/vf.h"
#include "packets/mi.h"
#include "packets/resource_streamer.h"
#include "packets/sampler_tables.h"
#include "packets/state.h"

namespace gen9::cs {

void Interpreter::not_modelled(Dwords) {
    reporter_.not_modelled(row_->ledger, std::string(row_->name) + " is skipped");
}

Interpreter::Step Interpreter::draw_work(Dwords dwords) {
    if (!bus_.has_pipe(packets::Pipe::Pipe3D)) {
        not_modelled(dwords);
        return Step::Continue;
    }
    if (!front_end_is_free(packets::Pipe::Pipe3D)) return Step::Preempted;
    send(*row_, dwords);
    return Step::Continue;
}

void Interpreter::latch(Dwords dwords) {
    wait_for_users();
    take_state(dwords);
}

void Interpreter::take_state(Dwords dwords) {
    ++stats_.state_3d;
    if (!state.take(*row_, dwords))
        guest_error(row_->name, "names a place that does not exist, or is longer than its state");
}

namespace {
bool has_size(std::span<const std::uint32_t> dwords) {
    namespace row = packets::MONOFILTER_SIZE;
    return row::MonochromeFilterWidth.get(dwords) && row::MonochromeFilterHeight.get(dwords);
}
}  // namespace

void Interpreter::filter_size(Dwords dwords) {
    wait_for_users();
    if (has_size(dwords)) return take_state(dwords);
    ++stats_.state_3d;
    guest_error(row_->name, "a filter without width or height; it is ignored");
}

bool Interpreter::restore_filter_size(Dwords dwords) {
    return has_size(dwords) && state.take(*row_, dwords);
}

// The command is state for a draw; with an operation it draws by itself.
Interpreter::Step Interpreter::hz_op(Dwords dwords) {
    namespace row = packets::STATE_WM_HZ_OP;
    if (wants_preemption()) return Step::Preempted;
    state.take(*row_, dwords);
    if (row::StencilBufferClearEnable.get(dwords) || row::DepthBufferClearEnable.get(dwords) ||
        row::DepthBufferResolveEnable.get(dwords) ||
        row::HierarchicalDepthBufferResolveEnable.get(dwords))
        return draw_work(dwords);
    ++stats_.state_3d;
    return Step::Continue;
}

void Interpreter::pool_alloc(Dwords dwords) {
    wait_for_users();
    take_pool(dwords);
    const bool constants = row_->resource == packets::ResourceAction::Constants;
    const bool enabled = packets::RESOURCE_POOL_ALLOC::PoolEnable.get(dwords) != 0;
    if (enabled && (constants || !bus_.has_streamer())) return not_modelled(dwords);
    ++stats_.state_3d;
}

void Interpreter::take_pool(Dwords dwords) {
    namespace row = packets::RESOURCE_POOL_ALLOC;
    state.take(*row_, dwords);
    ResourcePool pool;
    pool.enabled = row::PoolEnable.get(dwords) != 0;
    pool.base = canonical(row::PoolBaseAddress.get(dwords));
    pool.size_bytes = row::PoolBufferSize.get(dwords) * kPageBytes;
    pool.mocs = static_cast<std::uint8_t>(row::SurfaceObjectControlState.get(dwords));
    switch (row_->resource) {
        case packets::ResourceAction::TablePool:
            tables_ = pool;
            break;
        case packets::ResourceAction::GatherPool:
            gathers_ = pool;
            break;
        default:
            constants_pool_ = pool.enabled;
            break;
    }
    const auto base_of = [](const ResourcePool& of) {
        return of.enabled ? std::optional(of.base) : std::nullopt;
    };
    StateBases bases = state.bases();
    bases.table_pool = base_of(tables_);
    bases.gather_pool = base_of(gathers_);
    state.set_bases(bases);
}

// CS-03: predicated away, or with rendering disabled, nothing is drawn.
Interpreter::Step Interpreter::draw(Dwords dwords) {
    if (wants_preemption()) return Step::Preempted;
    const bool disabled = (registers_.read(CS_DEBUG_MODE2) & kRenderingDisable) != 0;
    const bool skips = packets::PRIMITIVE_3D::PredicateEnable.get(dwords) && !predicate_is_set();
    if (disabled || skips || is_filtered(dwords)) return Step::Continue;
    const Step step = draw_work(dwords);
    if (step != Step::Continue) return step;
    if (has_stream_output()) stream_offsets_loaded();
    mark_draw();
    return Step::Continue;
}

// VF-29. The topology is the one that the vertex fetch takes (VF-02).
bool Interpreter::is_filtered(Dwords dwords) const {
    static const packets::CommandRow& filter_row = packets::command_named("MI_TOPOLOGY_FILTER");
    static const packets::CommandRow& topology_row = packets::command_named("3DSTATE_VF_TOPOLOGY");
    const auto filter =
        packets::MI_TOPOLOGY_FILTER::TopologyFilterValue.get(state.command(filter_row));
    if (filter == 0) return false;
    const Dwords given = state.command(topology_row);
    return filter != (given.empty() ? packets::PRIMITIVE_3D::PrimitiveTopologyType.get(dwords)
                                    : packets::STATE_VF_TOPOLOGY::PrimitiveTopologyType.get(given));
}

bool Interpreter::has_stream_output() const {
    static const packets::CommandRow& row = packets::command_named("3DSTATE_STREAMOUT");
    return packets::STATE_STREAMOUT::SOFunctionEnable.get(state.command(row)) != 0;
}

StreamOffsets Interpreter::stream_offsets() {
    StreamOffsets offsets;
    offsets.changed = std::exchange(mmio_.stream_offsets_set, std::uint8_t{0});
    for (unsigned buffer = 0; buffer < kStreamBuffers; ++buffer)
        offsets.value[buffer] = registers_.read(SO_WRITE_OFFSET + 4 * buffer);
    return offsets;
}

// SOL-18: a 3DSTATE_SO_BUFFER sets its write offset for one draw. It is kept without that wish, in
// the context's image as well.
void Interpreter::stream_offsets_loaded() {
    namespace BUFFER = packets::STATE_SO_BUFFER;
    static const packets::CommandRow& row = packets::command_named("3DSTATE_SO_BUFFER");
    for (unsigned buffer = 0; buffer < kStreamBuffers; ++buffer) {
        const Dwords given = state.command(row, buffer);
        if (!BUFFER::StreamOffsetWriteEnable.get(given)) continue;
        std::array<std::uint32_t, BUFFER::kStructure.dwords> kept{};
        std::copy_n(given.begin(), std::min(given.size(), kept.size()), kept.begin());
        BUFFER::StreamOffsetWriteEnable.set(kept, 0);
        state.take(row, kept);
    }
}

void Interpreter::noop(Dwords dwords) {
    namespace row = packets::MI_NOOP;
    if (row::IdentificationNumberRegisterWriteEnable.get(dwords))
        registers_.set(NOPID, static_cast<std::uint32_t>(row::IdentificationNumber.get(dwords)));
}

// The ordering rules name MI_FLUSH, but no Gen9 layout does: it is a full flush with stall.
void Interpreter::flush(Dwords) {
    drain();
    CacheControl flush;
    flush.flush_data = flush.invalidate_data = true;
    flush.empty_draw_caches();
    bus_.control(flush);
}

void Interpreter::report_head(Dwords) {
    StreamPointers now = pointers;
    now.store(registers_);
    const std::uint32_t head = registers_.read(RING_HEAD);
    store_bytes(AddressSpace::Ggtt, GpuAddr((registers_.read(HWS_PGA) & ~0xFFFu) + 4), &head,
                sizeof head);
}

void Interpreter::arbitration(Dwords dwords) {
    mmio_.arbitration = packets::MI_ARB_ON_OFF::ArbitrationEnable.get(dwords) != 0;
}

// No context waits while another one sends a signal: it reads its semaphore when it comes back.
void Interpreter::semaphore_signal(Dwords dwords) {
    if (packets::MI_SEMAPHORE_SIGNAL::PostSyncOperation.get(dwords)) drain();
}

void Interpreter::pipeline_select(Dwords dwords) {
    namespace row = packets::PIPELINE_SELECT;
    const auto mask = row::MaskBits.get(dwords) & 3;
    const auto selection = static_cast<std::uint32_t>(row::PipelineSelection.get(dwords));
    if (mask == 0) return;
    if (mask != 3) {
        guest_error("PIPELINE_SELECT",
                    "only one of its two mask bits is set; the selection is unchanged");
        return;
    }
    if (selection == 3) {
        guest_error("PIPELINE_SELECT", "selection 3 is reserved; the selection is unchanged");
        return;
    }
    if (settings_.strict && selection != commands.pipeline &&
        bus_.outstanding(packets::kEveryPipe) != 0)
        guest_error("PIPELINE_SELECT", "the pipe was not flushed before (CS-122)");
    wait_for_users();
    commands.pipeline = selection;
}

void Interpreter::restore_pipeline(Dwords dwords) {
    commands.pipeline =
        static_cast<std::uint32_t>(packets::PIPELINE_SELECT::PipelineSelection.get(dwords));
}

// CS-51: no thread may see a mix of bases.
void Interpreter::state_base_address(Dwords dwords) {
    wait_for_users();
    set_bases(dwords);
}

void Interpreter::set_bases(Dwords dwords) {
    state.set_bases(apply_state_base_address(state.bases(), dwords));
    commands.base_addresses = true;
}

// Work keeps the pointer that it was given with.
void Interpreter::state_sip(Dwords dwords) {
    StateBases next = state.bases();
    next.system_instruction_pointer =
        canonical(packets::STATE_SIP::SystemInstructionPointer.get(dwords));
    state.set_bases(next);
}

void Interpreter::csr_base_address(Dwords dwords) {
    wait_for_users();
    set_csr_base(dwords);
}

void Interpreter::set_csr_base(Dwords dwords) {
    StateBases next = state.bases();
    next.context_save_base =
        canonical(packets::GPGPU_CSR_BASE_ADDRESS::GPGPUCSRBaseAddress.get(dwords));
    state.set_bases(next);
}

}  // namespace gen9::cs
