// SPDX-License-Identifier: Apache-2.0
// The streamer's function for each command. Commands with a name have a row here; the function of
// the others follows from the columns of their rows.
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "cs/command/interpreter.h"
#include "cs/no_effect.h"

namespace gen9::cs {

using packets::Command;
using packets::CommandRow;

namespace {

template <class Execute, class Restore>
struct ActionsOf {
    Execute execute;
    /// Takes the command from a context image, where nothing is waited for. Null: it does not
    /// belong there.
    Restore restore = nullptr;
    bool repeats = false;  ///< executed again, it changes nothing more
};
template <class Execute, class Restore>
struct NamedActions {
    Command command;
    Execute execute;
    Restore restore = nullptr;
};

}  // namespace

struct Interpreter::Table {
    using Execute = Step (*)(Interpreter&, Dwords);
    using Restore = bool (*)(Interpreter&, Dwords);
    using Actions = ActionsOf<Execute, Restore>;
    using Row = NamedActions<Execute, Restore>;

    template <auto kMember>
    static Step run(Interpreter& self, Dwords dwords) {
        if constexpr (std::is_void_v<decltype((self.*kMember)(dwords))>) {
            (self.*kMember)(dwords);
            return Step::Continue;
        } else {
            return (self.*kMember)(dwords);
        }
    }
    template <auto kMember>
    static bool back(Interpreter& self, Dwords dwords) {
        if constexpr (std::is_void_v<decltype((self.*kMember)(dwords))>) {
            (self.*kMember)(dwords);
            return true;
        } else {
            return (self.*kMember)(dwords);
        }
    }

    /// Commands that ask for something of their own, or of which the streamer keeps something else
    /// than their DWords.
    static constexpr Row kRows[] = {
        {Command::WM_HZ_OP, run<&Interpreter::hz_op>, back<&Interpreter::restore_state>},
        {Command::PRIMITIVE_3D, run<&Interpreter::draw>},
        {Command::MONOFILTER_SIZE, run<&Interpreter::filter_size>,
         back<&Interpreter::restore_filter_size>},
        {Command::BINDING_TABLE_POOL_ALLOC, run<&Interpreter::pool_alloc>,
         back<&Interpreter::take_pool>},
        {Command::GATHER_POOL_ALLOC, run<&Interpreter::pool_alloc>, back<&Interpreter::take_pool>},
        {Command::DX9_CONSTANT_BUFFER_POOL_ALLOC, run<&Interpreter::pool_alloc>,
         back<&Interpreter::take_pool>},
        {Command::MI_NOOP, run<&Interpreter::noop>, back<&Interpreter::nothing>},
        {Command::MI_SET_PREDICATE, run<&Interpreter::set_predicate>},
        {Command::MI_USER_INTERRUPT, run<&Interpreter::user_interrupt>},
        {Command::MI_WAIT_FOR_EVENT, run<&Interpreter::preemption_point>},
        {Command::MI_FLUSH, run<&Interpreter::flush>},
        {Command::MI_ARB_CHECK, run<&Interpreter::arb_check>},
        {Command::MI_RS_CONTROL, run<&Interpreter::resource_control>,
         back<&Interpreter::restore_streamer>},
        {Command::MI_RS_CONTEXT, run<&Interpreter::resource_context>},
        {Command::MI_REPORT_HEAD, run<&Interpreter::report_head>},
        {Command::MI_ARB_ON_OFF, run<&Interpreter::arbitration>},
        {Command::MI_BATCH_BUFFER_END, run<&Interpreter::batch_buffer_end>},
        {Command::MI_PREDICATE, run<&Interpreter::predicate>},
        {Command::MI_SET_CONTEXT, run<&Interpreter::set_context>},
        {Command::MI_MATH, run<&Interpreter::math>},
        {Command::MI_SEMAPHORE_SIGNAL, run<&Interpreter::semaphore_signal>},
        {Command::MI_SEMAPHORE_WAIT, run<&Interpreter::semaphore_wait>},
        {Command::MI_STORE_DATA_IMM, run<&Interpreter::store_data_imm>},
        {Command::MI_STORE_DATA_INDEX, run<&Interpreter::store_data_index>},
        {Command::MI_LOAD_REGISTER_IMM, run<&Interpreter::load_register_imm>,
         back<&Interpreter::restore_registers>},
        {Command::MI_STORE_REGISTER_MEM, run<&Interpreter::store_register_mem>},
        {Command::MI_FLUSH_DW, run<&Interpreter::flush_dw>},
        {Command::MI_REPORT_PERF_COUNT, run<&Interpreter::report_perf_count>},
        {Command::MI_LOAD_REGISTER_MEM, run<&Interpreter::load_register_mem>},
        {Command::MI_LOAD_REGISTER_REG, run<&Interpreter::load_register_reg>},
        {Command::MI_COPY_MEM_MEM, run<&Interpreter::copy_mem_mem>},
        {Command::MI_ATOMIC, run<&Interpreter::atomic>},
        {Command::MI_BATCH_BUFFER_START, run<&Interpreter::batch_buffer_start>},
        {Command::MI_CONDITIONAL_BATCH_BUFFER_END, run<&Interpreter::conditional_batch_buffer_end>},
        {Command::STATE_BASE_ADDRESS, run<&Interpreter::state_base_address>,
         back<&Interpreter::set_bases>},
        {Command::STATE_SIP, run<&Interpreter::state_sip>, back<&Interpreter::state_sip>},
        {Command::GPGPU_CSR_BASE_ADDRESS, run<&Interpreter::csr_base_address>,
         back<&Interpreter::set_csr_base>},
        {Command::PIPELINE_SELECT, run<&Interpreter::pipeline_select>,
         back<&Interpreter::restore_pipeline>},
        {Command::MEDIA_VFE_STATE, run<&Interpreter::media_state>,
         back<&Interpreter::take_media_state>},
        {Command::MEDIA_CURBE_LOAD, run<&Interpreter::media_state>,
         back<&Interpreter::take_media_state>},
        {Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD, run<&Interpreter::media_state>,
         back<&Interpreter::take_media_state>},
        {Command::MEDIA_STATE_FLUSH, run<&Interpreter::media_state_flush>},
        {Command::MEDIA_POOL_STATE, run<&Interpreter::media_state>,
         back<&Interpreter::take_media_state>},
        {Command::MEDIA_OBJECT, run<&Interpreter::media_work>},
        {Command::MEDIA_OBJECT_PRT, run<&Interpreter::media_work>},
        {Command::MEDIA_OBJECT_WALKER, run<&Interpreter::media_work>},
        {Command::GPGPU_WALKER, run<&Interpreter::walker>},
        {Command::MEDIA_OBJECT_GRPID, run<&Interpreter::media_work>},
        {Command::PIPE_CONTROL, run<&Interpreter::pipe_control>},
    };

    static constexpr bool complete() {
        for (std::size_t i = 0; i < std::size(kRows); ++i)
            if (kRows[i].command != static_cast<Command>(i + 1)) return false;
        return std::size(kRows) + 1 == static_cast<std::size_t>(Command::kCount);
    }

    /// Derives them from the columns of a row.
    static Actions actions_of(const CommandRow& row) {
        using packets::ResourceAction;
        if (row.command != Command::Other) {
            const Row& named = kRows[static_cast<std::size_t>(row.command) - 1];
            return {named.execute, named.restore,
                    row.command == Command::MI_NOOP || row.command == Command::PRIMITIVE_3D};
        }
        switch (row.resource) {
            case ResourceAction::BindingTable:
                return {run<&Interpreter::table_pointers>, back<&Interpreter::restore_state>, true};
            case ResourceAction::EditTable:
            case ResourceAction::Gather:
            case ResourceAction::StoreData:
                return {run<&Interpreter::resource_command>, back<&Interpreter::nothing>};
            case ResourceAction::Constants:
                return {run<&Interpreter::not_modelled>, back<&Interpreter::nothing>};
            default:
                break;
        }
        if (row.latch.dwords)
            return {run<&Interpreter::latch>, back<&Interpreter::restore_state>, true};
        const bool no_effect = std::ranges::any_of(no_effects_of(row),
                                                   [](const NoEffect& use) { return !*use.field; });
        if (no_effect) return {run<&Interpreter::nothing>};
        return {run<&Interpreter::not_modelled>, back<&Interpreter::nothing>};
    }
    static const Actions& of(const CommandRow& row) {
        static const auto all = [] {
            std::vector<Actions> actions;
            for (const CommandRow& one : packets::command_rows())
                actions.push_back(actions_of(one));
            return actions;
        }();
        return all[packets::index_of(row)];
    }
};

bool Interpreter::repeats(const CommandRow& row) {
    return Table::of(row).repeats;
}

Interpreter::Step Interpreter::execute(const CommandRow& row, Dwords dwords) {
    static_assert(Table::complete(), "one row for each command with a name, in their order");
    const bool media = packets::pipe_of(row) == packets::Pipe::Media;
    if (skipped(row) || (media && (registers_.read(CS_DEBUG_MODE2) & kMediaDisable)))
        return Step::Continue;
    const Step step = Table::of(row).execute(*this, dwords);
    if (step != Step::Continue) return step;
    mmio_.no_effect.command(row, dwords);
    return step;
}

bool Interpreter::restore(const CommandRow& row, Dwords dwords) {
    const CommandRow* const before = std::exchange(row_, &row);
    const Table::Restore back = Table::of(row).restore;
    const bool belongs = back && back(*this, dwords);
    row_ = before;
    return belongs;
}

}  // namespace gen9::cs
