// SPDX-License-Identifier: Apache-2.0
// The commands the streamer executes itself, on registers, memory and batches.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "cs/command/interpreter.h"
#include "cs/command/predicate.h"
#include "cs/registers/privilege.h"
#include "interconnect/payload/atomics.h"
#include "packets/mi.h"
#include "packets/power_request.h"

namespace gen9::cs {

void Interpreter::set_predicate(Dwords dwords) {
    const auto mode = static_cast<unsigned>(packets::MI_SET_PREDICATE::PredicateEnable.get(dwords));
    const auto skips = predicate_mode_skips(
        mode, registers_.read(MI_PREDICATE_RESULT) & 1, registers_.read(MI_PREDICATE_RESULT_2) & 1,
        std::min(settings_.slices, requested_slices(registers_.read(R_PWR_CLK_STATE))));
    if (!skips)
        guest_error("predicate mode",
                    "mode " + std::to_string(mode) + " is reserved; commands are executed");
    skipping_ = skips.value_or(false);
}

void Interpreter::predicate(Dwords dwords) {
    namespace row = packets::MI_PREDICATE;
    const PredicateInputs in{
        registers_.read64(MI_PREDICATE_SRC0), registers_.read64(MI_PREDICATE_SRC1),
        registers_.read64(MI_PREDICATE_DATA), (registers_.read(MI_PREDICATE_RESULT) & 1) != 0};
    const auto result = predicate_result(static_cast<unsigned>(row::CompareOperation.get(dwords)),
                                         static_cast<unsigned>(row::CombineOperation.get(dwords)),
                                         static_cast<unsigned>(row::LoadOperation.get(dwords)), in);
    if (!result)
        guest_error("predicate", "load operation 1 is reserved; the predicate is kept");
    else
        registers_.set(MI_PREDICATE_RESULT, *result);
}

void Interpreter::math(Dwords dwords) {
    for (const std::uint32_t instruction : dwords.subspan(1))
        if (!bus_.alu().execute(instruction))
            guest_error("ALU instruction",
                        alu_text(instruction) + " does not exist; it does nothing");
    stats_.alu_instructions += dwords.size() - 1;
    bus_.computed();
}

// The wait is left only when it is satisfied or something else may use the engine. With nobody
// waiting for the engine the context stays on it in every mode (deviation: hardware may switch it
// out to idle, from where only software brings it back).
Interpreter::Step Interpreter::semaphore_wait(Dwords dwords) {
    namespace row = packets::MI_SEMAPHORE_WAIT;
    const auto compare = static_cast<unsigned>(row::CompareOperation.get(dwords));
    const auto data = static_cast<std::uint32_t>(row::SemaphoreDataDword.get(dwords));
    const GpuAddr address(row::SemaphoreAddress.get(dwords));
    const bool from_register = row::RegisterPollMode.get(dwords) != 0;
    if (from_register && !privileged() && settings_.privilege) {
        guest_error("privilege", "polls a register from a PPGTT batch; the wait is passed");
        latch_error(kPrivilegeError);
        return Step::Continue;
    }
    const AddressSpace from = space(row::MemoryType.get(dwords) != 0);
    const auto leave = [&](Step step) {
        waiting_ = Waiting::No;
        return step;
    };
    if (compare > 5) guest_error("semaphore", "compare operation is reserved; the wait is passed");
    const auto passes = [=](std::uint32_t value) { return semaphore_passes(compare, value, data); };
    // In signal mode memory is read again when a signal comes. Only other engines could send one to
    // the context that runs, so it is read when the context has come back.
    const bool polls = from_register || row::WaitMode.get(dwords) != 0;
    while (true) {
        if (polls || waiting_ == Waiting::No) {
            const std::uint32_t value = from_register
                                            ? mmio_.read(static_cast<std::uint32_t>(address.value))
                                            : load_dword(from, address);
            if (passes(value)) break;
        }
        if (waiting_ == Waiting::No) {
            raise(kSemaphoreInterrupt);
            if (settings_.strict && !polls)
                guest_error("semaphore",
                            "waits for a signal, and no other engine is there to send it");
        }
        waiting_ = from_register ? Waiting::Register : polls ? Waiting::Semaphore : Waiting::Signal;
        semaphore_ = {address, compare, data};
        if (wants_preemption()) return leave(Step::Preempted);
        const bool may_switch = (registers_.read(CTXT_SR_CTL) & 8) == 0;
        if (may_switch && execlists_.has_next_element()) return leave(Step::Blocked);
        if (waiting_ == Waiting::Semaphore && bus_.await_host(from, address, passes)) break;
        bus_.poll();
    }
    bus_.passed_wait();
    ++progress_;
    fetch_.drop();
    return leave(Step::Continue);
}

void Interpreter::store_data_imm(Dwords dwords) {
    namespace row = packets::MI_STORE_DATA_IMM;
    std::size_t count = dwords.size() - row::kDataDword;
    if (row::StoreQword.get(dwords)) count &= ~std::size_t{1};
    store_bytes(space(row::UseGlobalGTT.get(dwords) != 0), GpuAddr(row::Address.get(dwords)),
                dwords.data() + row::kDataDword, count * 4);
}

void Interpreter::store_data_index(Dwords dwords) {
    namespace row = packets::MI_STORE_DATA_INDEX;
    const bool per_process = row::UsePerProcessHardwareStatusPage.get(dwords) != 0;
    const std::uint64_t page = per_process ? status_page.value : registers_.read(HWS_PGA) & ~0xFFFu;
    const std::uint64_t offset = row::Offset.get(dwords);
    const std::size_t room = (kPageBytes - offset) / 4;
    store_bytes(AddressSpace::Ggtt, GpuAddr(page + offset), dwords.data() + row::kDataDword,
                std::min({dwords.size() - row::kDataDword, room, std::size_t{2}}) * 4);
}

// CS-152: pairs apply in order, each before the next command is parsed.
void Interpreter::load_pairs(Dwords dwords, Writer writer) {
    namespace row = packets::MI_LOAD_REGISTER_IMM;
    const auto disables = static_cast<unsigned>(row::ByteWriteDisables.get(dwords));
    for (std::size_t i = 0; i + 2 < dwords.size(); i += 2) {
        const Dwords pair = dwords.subspan(i, 3);
        const auto offset = static_cast<std::uint32_t>(row::RegisterOffset.get(pair));
        write_register(offset, static_cast<std::uint32_t>(row::DataDword.get(pair)), writer,
                       disables);
    }
}

void Interpreter::write_register(std::uint32_t offset, std::uint32_t value, Writer writer,
                                 unsigned byte_disables) {
    // CS-144: a batch that is not privileged writes the registers of its list only.
    if (writer == Writer::Stream && settings_.privilege && !privileged() &&
        !user_may_write(registers_, offset)) {
        guest_error("privilege",
                    registers_.name(offset) +
                        " may not be written from a PPGTT batch; the write is dropped");
        latch_error(kPrivilegeError);
        return;
    }
    if (settings_.strict && offset == L3CNTLREG && writer == Writer::Stream &&
        !use_.may_divide_l3())
        guest_error("L3CNTLREG",
                    "L3 is divided anew without two PIPE_CONTROLs with CS stall and DC flush "
                    "before it (CS-132)");
    mmio_.write(offset, value, byte_disables, writer);
    if (chooses_counted(offset)) choose_counted(true);
}

void Interpreter::store_register_mem(Dwords dwords) {
    namespace row = packets::MI_STORE_REGISTER_MEM;
    if (row::PredicateEnable.get(dwords) && !predicate_is_set()) return;
    const auto offset = static_cast<std::uint32_t>(row::RegisterAddress.get(dwords));
    const std::uint32_t value = mmio_.read(offset);
    const AddressSpace where = space(row::UseGlobalGTT.get(dwords) != 0);
    const GpuAddr address(row::MemoryAddress.get(dwords));
    if (offset == TIMESTAMP || offset == TIMESTAMP_UDW || offset == CTX_TIMESTAMP)
        bus_.wrote_time(where, address, sizeof value);
    store_bytes(where, address, &value, sizeof value);
}

void Interpreter::load_register_mem(Dwords dwords) {
    namespace row = packets::MI_LOAD_REGISTER_MEM;
    const std::uint32_t value = load_dword(space(row::UseGlobalGTT.get(dwords) != 0),
                                           GpuAddr(row::MemoryAddress.get(dwords)));
    write_register(static_cast<std::uint32_t>(row::RegisterAddress.get(dwords)), value,
                   Writer::Stream);
}

void Interpreter::load_register_reg(Dwords dwords) {
    namespace row = packets::MI_LOAD_REGISTER_REG;
    const std::uint32_t value =
        mmio_.read(static_cast<std::uint32_t>(row::SourceRegisterAddress.get(dwords)));
    write_register(static_cast<std::uint32_t>(row::DestinationRegisterAddress.get(dwords)), value,
                   Writer::Stream);
}

void Interpreter::copy_mem_mem(Dwords dwords) {
    namespace row = packets::MI_COPY_MEM_MEM;
    const std::uint32_t value = load_dword(space(row::UseGlobalGTTSource.get(dwords) != 0),
                                           GpuAddr(row::SourceMemoryAddress.get(dwords)));
    store_bytes(space(row::UseGlobalGTTDestination.get(dwords) != 0),
                GpuAddr(row::DestinationMemoryAddress.get(dwords)), &value, sizeof value);
}

void Interpreter::atomic(Dwords dwords) {
    namespace row = packets::MI_ATOMIC;
    const auto opcode = static_cast<unsigned>(row::ATOMICOPCODE.get(dwords));
    const unsigned operation = opcode & 0x1F, size_code = opcode >> 5;
    const bool wide = size_code == 2;
    const bool exists = opcode == 0x4E || (size_code < 2 && operation >= 1 && operation <= 0x0F);
    if (!exists || size_code != row::DataSize.get(dwords)) {
        guest_error("atomic", "operation and size do not go together; it does nothing");
        return;
    }
    // DWords of an operand: inline they interleave, otherwise R0, R1 and R2, R3 hold them.
    const bool is_inline = row::InlineData.get(dwords) != 0;
    const auto operand = [&](unsigned which, unsigned part) -> std::uint64_t {
        if (!is_inline) return registers_.read64(CS_GPR + 16 * which + 8 * part);
        const auto word = [&](unsigned i) -> std::uint64_t {
            const std::size_t at = row::kOperandDword + 2 * i + which;
            return at < dwords.size() ? dwords[at] : 0;
        };
        return word(2 * part + 1) << 32 | word(2 * part);
    };
    if (row::PostSyncOperation.get(dwords)) drain();
    const AddressSpace where = space(row::MemoryType.get(dwords) != 0);
    const GpuAddr address(row::MemoryAddress.get(dwords));
    std::array<std::uint64_t, 2> old{};
    if (wide) {
        old = {load_qword(where, address), load_qword(where, address + 8)};
        const std::array<std::uint64_t, 2> written{operand(1, 0), operand(1, 1)};
        if (old[0] == operand(0, 0) && old[1] == operand(0, 1))
            store_bytes(where, address, written.data(), 16);
    } else {
        const unsigned width = size_code ? 8 : 4;
        const std::uint64_t mask = size_code ? ~0ull : 0xFFFFFFFFull;
        const std::uint64_t memory =
            size_code ? load_qword(where, address) : load_dword(where, address);
        const AtomicResult result = apply_atomic(static_cast<AtomicOp>(operation), width, memory,
                                                 operand(0, 0) & mask, operand(1, 0) & mask);
        store_bytes(where, address, &result.memory, width);
        old[0] = result.returned;
    }
    if (!row::ReturnDataControl.get(dwords)) return;
    if (size_code == 0)
        registers_.set(CS_GPR + 8 * 4, static_cast<std::uint32_t>(old[0]));
    else
        registers_.set64(CS_GPR + 8 * 4, old[0]);
    if (wide) registers_.set64(CS_GPR + 8 * 5, old[1]);
}

void Interpreter::flush_dw(Dwords dwords) {
    namespace row = packets::MI_FLUSH_DW;
    drain();
    CacheControl control;
    control.flush_data = control.invalidate_data = true;
    control.empty_draw_caches();
    control.invalidate_tlb = row::TLBInvalidate.get(dwords) != 0;
    bus_.control(control);
    const auto operation = row::PostSyncOperation.get(dwords);
    if (operation == 2)
        guest_error("MI_FLUSH_DW", "post-sync operation 2 is reserved; nothing is written");
    if (operation == 1 || operation == 3) {
        const bool indexed = row::StoreDataIndex.get(dwords) != 0;
        const bool qword = dwords.size() > 4 || operation == 3 || indexed;
        const std::uint64_t value =
            operation == 3 ? timestamp_value(bus_.timestamp()) : row::ImmediateData.raw(dwords);
        const StorePlace place = store_place(indexed, row::DestinationAddressType.get(dwords) != 0,
                                             row::Address.get(dwords));
        store_bytes(place.space, place.address, &value, qword ? 8 : 4);
        if (operation == 3) bus_.wrote_time(place.space, place.address, sizeof value);
    }
    if (row::NotifyEnable.get(dwords)) raise(kUserInterrupt);
}

PerformanceReport Interpreter::performance(std::uint32_t first) const {
    // Assumed: counters that are off are 0.
    PerformanceCounters counters;
    const std::uint32_t control = registers_.read(OACONTROL);
    if (control & kOaEnable) {
        bus_.performance(counters, eu_events());
        counters = counter_gate_.shown(counters);
    }
    return performance_report(counters, control, first, bus_.timestamp(),
                              execlists_.running().context_id());
}

EuEventControls Interpreter::eu_events() const {
    EuEventControls events;
    for (std::size_t i = 0; i < events.size(); ++i)
        events[i] = registers_.read(kEuEventControls[i]);
    return events;
}

bool Interpreter::chooses_counted(std::uint32_t offset) {
    return offset == OACONTROL || offset == OACTXID ||
           std::ranges::find(kEuEventControls, offset) != std::end(kEuEventControls);
}

// Assumed: reports come all the same while another context runs.
void Interpreter::choose_counted(bool runs) {
    const std::uint32_t control = registers_.read(OACONTROL);
    const bool counts = !(control & kOaOneContext) ||
                        (runs && registers_.read(OACTXID) == execlists_.running().context_id());
    if (counts == counter_gate_.open() && !(control & kOaEnable)) return;
    PerformanceCounters now;
    bus_.performance(now, eu_events());
    counter_gate_.set(counts, now);
}

void Interpreter::report_perf_count(Dwords dwords) {
    namespace row = packets::MI_REPORT_PERF_COUNT;
    if (oa_report_bytes(registers_.read(OACONTROL)) == 0)
        return guest_error("performance report",
                           "OACONTROL has a layout that does not exist; nothing is written");
    const PerformanceReport report =
        performance(static_cast<std::uint32_t>(row::ReportID.get(dwords)));
    const AddressSpace where = space(row::UseGlobalGTT.get(dwords) != 0);
    const GpuAddr address(row::MemoryAddress.get(dwords));
    bus_.wrote_time(where, address, report.size_bytes);
    store_bytes(where, address, report.words.data(), report.size_bytes);
}

std::optional<Interpreter::BufferedReport> Interpreter::buffered_report(std::uint32_t reason) {
    const auto place = next_report_place(registers_);
    if (!place) return {};
    const std::uint32_t context = execlists_.active() ? kOaContextValid : 0;
    return BufferedReport{*place, performance(reason | context)};
}

void Interpreter::raise(unsigned interrupt) {
    ++stats_.interrupts;
    if (!(registers_.read(IMR) >> interrupt & 1)) bus_.interrupt(interrupt);
}

void Interpreter::batch_buffer_start(Dwords dwords) {
    namespace row = packets::MI_BATCH_BUFFER_START;
    if (row::PredicationEnable.get(dwords) && !(registers_.read(MI_PREDICATE_RESULT_1) & 1)) return;
    if (pointers.level() == Level::Ring || row::ResourceStreamerEnable.get(dwords))
        streamer_on_ = row::ResourceStreamerEnable.get(dwords) != 0;
    if (row::ResourceStreamerEnable.get(dwords) && !bus_.has_streamer())
        reporter_.not_modelled("RS-03",
                               "MI_BATCH_BUFFER_START with the resource streamer; it stays off");
    new_batch_ = true;
    std::uint64_t address = row::BatchBufferStartAddress.get(dwords);
    if (row::AddOffsetEnable.get(dwords)) address += registers_.read(BB_OFFSET) & ~3u;
    pointers.start_batch(canonical(address), row::AddressSpaceIndicator.get(dwords) != 0,
                         row::SecondLevelBatchBuffer.get(dwords) != 0,
                         row::ResourceStreamerEnable.get(dwords) != 0);
    fetch_.drop();
    ++stats_.batches;
}

void Interpreter::batch_buffer_end(Dwords) {
    if (pointers.level() == Level::Ring) {
        guest_error("batch end", "in the ring; it is ignored");
        return;
    }
    pointers.end_batch();
    ++progress_;
}

void Interpreter::conditional_batch_buffer_end(Dwords dwords) {
    namespace row = packets::MI_CONDITIONAL_BATCH_BUFFER_END;
    if (!row::CompareSemaphore.get(dwords)) return;
    const AddressSpace where = space(row::UseGlobalGTT.get(dwords) != 0);
    const GpuAddr address(row::CompareAddress.get(dwords));
    std::uint32_t value = 0;
    if (row::CompareMaskMode.get(dwords)) {
        const std::uint64_t pair = load_qword(where, address);
        value = static_cast<std::uint32_t>(pair) & static_cast<std::uint32_t>(pair >> 32);
    } else {
        value = load_dword(where, address);
    }
    if (value > static_cast<std::uint32_t>(row::CompareDataDword.get(dwords))) return;
    pointers.return_to_ring();
    ++progress_;
}

}  // namespace gen9::cs
