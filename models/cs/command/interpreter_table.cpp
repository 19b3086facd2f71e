// SPDX-License-Identifier: Apache-2.0
// What the streamer does with each kind of command: one row a handler.
#include <algorithm>
#include <type_traits>

#include "cs/command/interpreter.h"

namespace gen9::cs {

using packets::CommandRow;
using packets::Handler;

struct Interpreter::Table {
    struct Row {
        Handler handler;
        Step (*execute)(Interpreter&, Dwords);
    };

    template <auto kMember>
    static Step run(Interpreter& self, Dwords dwords) {
        if constexpr (std::is_void_v<decltype((self.*kMember)(dwords))>) {
            (self.*kMember)(dwords);
            return Step::Continue;
        } else {
            return (self.*kMember)(dwords);
        }
    }

    static constexpr Row kRows[] = {
        {Handler::NotModelled, run<&Interpreter::not_modelled>},
        {Handler::NoEffect, run<&Interpreter::no_effect>},
        {Handler::State3D, run<&Interpreter::state_3d>},
        {Handler::SamplerTables, run<&Interpreter::sampler_tables>},
        {Handler::HzOp, run<&Interpreter::hz_op>},
        {Handler::PoolAlloc, run<&Interpreter::pool_alloc>},
        {Handler::Resource, run<&Interpreter::resource_command>},
        {Handler::TablePointers, run<&Interpreter::table_pointers>},
        {Handler::Draw, run<&Interpreter::draw>},
        {Handler::MI_NOOP, run<&Interpreter::noop>},
        {Handler::MI_SET_PREDICATE, run<&Interpreter::set_predicate>},
        {Handler::MI_USER_INTERRUPT, run<&Interpreter::user_interrupt>},
        {Handler::MI_WAIT_FOR_EVENT, run<&Interpreter::preemption_point>},
        {Handler::MI_FLUSH, run<&Interpreter::flush>},
        {Handler::MI_ARB_CHECK, run<&Interpreter::arb_check>},
        {Handler::MI_RS_CONTROL, run<&Interpreter::resource_control>},
        {Handler::MI_RS_CONTEXT, run<&Interpreter::resource_context>},
        {Handler::MI_REPORT_HEAD, run<&Interpreter::report_head>},
        {Handler::MI_ARB_ON_OFF, run<&Interpreter::arbitration>},
        {Handler::MI_BATCH_BUFFER_END, run<&Interpreter::batch_buffer_end>},
        {Handler::MI_PREDICATE, run<&Interpreter::predicate>},
        {Handler::MI_SET_CONTEXT, run<&Interpreter::set_context>},
        {Handler::MI_MATH, run<&Interpreter::math>},
        {Handler::MI_SEMAPHORE_SIGNAL, run<&Interpreter::semaphore_signal>},
        {Handler::MI_SEMAPHORE_WAIT, run<&Interpreter::semaphore_wait>},
        {Handler::MI_STORE_DATA_IMM, run<&Interpreter::store_data_imm>},
        {Handler::MI_STORE_DATA_INDEX, run<&Interpreter::store_data_index>},
        {Handler::MI_LOAD_REGISTER_IMM, run<&Interpreter::load_register_imm>},
        {Handler::MI_STORE_REGISTER_MEM, run<&Interpreter::store_register_mem>},
        {Handler::MI_FLUSH_DW, run<&Interpreter::flush_dw>},
        {Handler::MI_REPORT_PERF_COUNT, run<&Interpreter::report_perf_count>},
        {Handler::MI_LOAD_REGISTER_MEM, run<&Interpreter::load_register_mem>},
        {Handler::MI_LOAD_REGISTER_REG, run<&Interpreter::load_register_reg>},
        {Handler::MI_COPY_MEM_MEM, run<&Interpreter::copy_mem_mem>},
        {Handler::MI_ATOMIC, run<&Interpreter::atomic>},
        {Handler::MI_BATCH_BUFFER_START, run<&Interpreter::batch_buffer_start>},
        {Handler::MI_CONDITIONAL_BATCH_BUFFER_END, run<&Interpreter::conditional_batch_buffer_end>},
        {Handler::STATE_BASE_ADDRESS, run<&Interpreter::state_base_address>},
        {Handler::STATE_SIP, run<&Interpreter::state_sip>},
        {Handler::GPGPU_CSR_BASE_ADDRESS, run<&Interpreter::csr_base_address>},
        {Handler::PIPELINE_SELECT, run<&Interpreter::pipeline_select>},
        {Handler::MEDIA_VFE_STATE, run<&Interpreter::media_state>},
        {Handler::MEDIA_CURBE_LOAD, run<&Interpreter::media_state>},
        {Handler::MEDIA_INTERFACE_DESCRIPTOR_LOAD, run<&Interpreter::media_state>},
        {Handler::MEDIA_STATE_FLUSH, run<&Interpreter::media_state_flush>},
        {Handler::MEDIA_POOL_STATE, run<&Interpreter::media_state>},
        {Handler::MEDIA_OBJECT, run<&Interpreter::media_work>},
        {Handler::MEDIA_OBJECT_PRT, run<&Interpreter::media_work>},
        {Handler::MEDIA_OBJECT_WALKER, run<&Interpreter::media_work>},
        {Handler::GPGPU_WALKER, run<&Interpreter::walker>},
        {Handler::MEDIA_OBJECT_GRPID, run<&Interpreter::media_work>},
        {Handler::PIPE_CONTROL, run<&Interpreter::pipe_control>},
    };

    static constexpr bool complete() {
        for (std::size_t i = 0; i < std::size(kRows); ++i)
            if (kRows[i].handler != static_cast<Handler>(i)) return false;
        return std::size(kRows) == static_cast<std::size_t>(Handler::kCount);
    }
};

Interpreter::Step Interpreter::execute(const CommandRow& row, Dwords dwords) {
    static_assert(Table::complete(), "one row for each handler, in their order");
    // Media commands have type 3 and subtype 2.
    const bool media = row.value >> 27 == 0xE;
    if (skipped(row) || (media && (registers_.read(CS_DEBUG_MODE2) & kMediaDisable)))
        return Step::Continue;
    const Step step = Table::kRows[static_cast<std::size_t>(row.handler)].execute(*this, dwords);
    if (step != Step::Continue) return step;
    mmio_.no_effect.command(row, dwords);
    return step;
}

}  // namespace gen9::cs
