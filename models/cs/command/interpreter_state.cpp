// SPDX-License-Identifier: Apache-2.0
// State commands, and commands that ask for little.
#include "cs/command/interpreter.h"
#include "cs/context/sampler_tables.h"
#include "packets/mi.h"
#include "packets/resource_streamer.h"
#include "packets/state.h"

namespace gen9::cs {

void Interpreter::not_modelled(Dwords) {
    reporter_.not_modelled(row_->ledger, std::string(row_->name) + " is skipped");
}

void Interpreter::skip_work(const std::string& purpose) {
    const std::string text =
        std::string(row_->name) + " is skipped" + (purpose.empty() ? "" : ": " + purpose);
    reporter_.not_modelled(row_->ledger, text);
    // The reporter says a row once.
    const bool is_first = skipped_work_.empty();
    if (skipped_work_.insert(text).second && !is_first)
        reporter_.log("gen9sim: not modelled: " + std::string(row_->ledger) + ": " + text);
}

// Not pipelined: what was given before goes on with the old tables (PRE-15).
void Interpreter::sampler_tables(Dwords dwords) {
    drain();
    if (!take_sampler_tables(dwords))
        guest_error(row_->name, "a filter without width or height; it is ignored");
    state_3d(dwords);
}

bool Interpreter::take_sampler_tables(Dwords dwords) {
    const auto tables = apply_sampler_command(
        state->sampler_tables ? *state->sampler_tables : SamplerTables{}, dwords);
    if (!tables) return false;
    PipelineState next = *state;
    next.sampler_tables = std::make_shared<SamplerTables>(*tables);
    state = std::make_shared<PipelineState>(next);
    return true;
}

// Without an operation it is state for a draw; with one it draws by itself.
void Interpreter::hz_op(Dwords dwords) {
    namespace row = packets::WM_HZ_OP;
    if (row::StencilBufferClearEnable.get(dwords) || row::DepthBufferClearEnable.get(dwords))
        return skip_work("a clear of depth or stencil");
    if (row::DepthBufferResolveEnable.get(dwords) ||
        row::HierarchicalDepthBufferResolveEnable.get(dwords))
        return skip_work("a resolve of depth");
    state_3d(dwords);
}

void Interpreter::pool_alloc(Dwords dwords) {
    take_pool(dwords);
    commands.kept.keep(*row_, dwords);
    const bool constants = (row_->value >> 16 & 0xFF) == 0x1B;
    const bool enabled = packets::RESOURCE_POOL_ALLOC::PoolEnable.get(dwords) != 0;
    if (enabled && (constants || !bus_.has_streamer())) return not_modelled(dwords);
    state_3d(dwords);
}

// Sub-opcodes 19h, 1Ah and 1Bh: binding tables, gather buffers, DX9 constants.
void Interpreter::take_pool(Dwords dwords) {
    namespace row = packets::RESOURCE_POOL_ALLOC;
    const std::uint32_t sub_opcode = dwords[0] >> 16 & 0xFF;
    const auto bit = static_cast<std::uint8_t>(1u << (sub_opcode & 7));
    ResourcePool pool;
    pool.enabled = row::PoolEnable.get(dwords) != 0;
    pool.base = canonical(row::PoolBaseAddress.get(dwords));
    pool.size_bytes = row::PoolBufferSize.get(dwords) * kPageBytes;
    pool.mocs = static_cast<std::uint8_t>(row::SurfaceObjectControlState.get(dwords));
    pools_on_ = static_cast<std::uint8_t>(pool.enabled ? pools_on_ | bit : pools_on_ & ~bit);
    if (sub_opcode == 0x19) tables_ = pool;
    if (sub_opcode == 0x1A) gathers_ = pool;
}

// CS-03: predicated away, or with rendering disabled, nothing is drawn.
void Interpreter::draw(Dwords dwords) {
    const bool disabled = (registers_.read(CS_DEBUG_MODE2) & kRenderingDisable) != 0;
    const bool skips = packets::PRIMITIVE_3D::PredicateEnable.get(dwords) && !predicate_is_set();
    if (disabled || skips) return;
    skip_work(draw_state_.purpose(dwords));
}

void Interpreter::noop(Dwords dwords) {
    namespace row = packets::MI_NOOP;
    if (row::IdentificationNumberRegisterWriteEnable.get(dwords))
        registers_.set(NOPID, static_cast<std::uint32_t>(row::IdentificationNumber.get(dwords)));
}

// Named by the ordering rules, without a Gen9 layout: a full flush with stall.
void Interpreter::flush(Dwords) {
    drain();
    CacheControl flush;
    flush.flush_data = flush.invalidate_data = true;
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
    if (settings_.strict && selection != commands.pipeline && bus_.outstanding() != 0)
        guest_error("PIPELINE_SELECT", "the pipe was not flushed before (CS-122)");
    drain();
    commands.pipeline = selection;
}

void Interpreter::state_base_address(Dwords dwords) {
    drain();  // CS-51: no thread may see a mix of bases
    state = std::make_shared<PipelineState>(apply_state_base_address(*state, dwords));
    commands.base_addresses = true;
}

void Interpreter::state_sip(Dwords dwords) {
    PipelineState next = *state;
    next.system_instruction_pointer =
        canonical(packets::STATE_SIP::SystemInstructionPointer.get(dwords));
    state = std::make_shared<PipelineState>(next);
}

void Interpreter::csr_base_address(Dwords dwords) {
    drain();
    set_csr_base(dwords);
}

void Interpreter::set_csr_base(Dwords dwords) {
    commands.csr_base = canonical(packets::GPGPU_CSR_BASE_ADDRESS::GPGPUCSRBaseAddress.get(dwords));
    PipelineState next = *state;
    next.context_save_base = commands.csr_base;
    state = std::make_shared<PipelineState>(next);
}

}  // namespace gen9::cs
