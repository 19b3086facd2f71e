// SPDX-License-Identifier: Apache-2.0
#include "cs/command/interpreter.h"

#include <algorithm>
#include <cstdio>

#include "packets/media.h"
#include "packets/mi.h"
#include "packets/state.h"

namespace gen9::cs {

using packets::Command;
using packets::CommandRow;

Interpreter::Interpreter(Bus& bus, Reporter& reporter, RegisterFile& registers, Mmio& mmio,
                         const Execlists& execlists, CsStats& stats,
                         const InterpreterSettings& settings)
    : bus_(bus),
      reporter_(reporter),
      registers_(registers),
      mmio_(mmio),
      execlists_(execlists),
      stats_(stats),
      settings_(settings),
      fetch_(settings.fetch_bytes) {
    mmio.show({&pointers, &origin_, &streamer_runs_});
}

void Interpreter::reset_context() {
    state.reset();
    commands = {};
    mmio_.stream_offsets_set = 0xF;
    skipping_ = after_stall_ = streamer_on_ = new_batch_ = late_loads_ = false;
    constants_pool_ = false;
    tables_ = gathers_ = {};
    last_tables_ = Tables::None;
    use_ = {};
    barriers_ = {};
    after_draw_.reset();
}

Interpreter::Step Interpreter::step() {
    origin_ = pointers;
    row_ = nullptr;
    bus_.begin();
    Dwords dwords;
    if (!fetch(1, dwords))
        return stop("command fetch", "the address does not translate; the engine stops");
    const std::uint32_t header = dwords[0];
    registers_.set(IPEHR, header);
    row_ = packets::find_command(header);
    const std::uint32_t count = row_ ? row_->dwords(header) : 0;
    if (!row_ || count < row_->minimum_dwords) {
        registers_.set(ESR, kInstructionError);
        latch_error(kInstructionError);
        if (!row_)
            return stop("unknown command", "no such command on this engine; the engine stops");
        return stop("command length", "shorter than its fields; the engine stops");
    }
    if (pointers.level() == Level::Ring && count > pointers.ring_dwords_left())
        return stop("command length", "goes beyond the ring's tail; the engine stops");
    if (!fetch(count, dwords))
        return stop("command fetch", "the address does not translate; the engine stops");

    ++stats_.commands;
    stats_.dwords += count;
    if (pointers.level() == Level::Ring) ++progress_;
    const bool watched = bus_.watched();
    if (watched) bus_.show_command();
    bus_.parsed(count);
    pointers.advance(count);
    meet_streamer(dwords);
    const Step result = execute(*row_, dwords);
    if (watched) bus_.show_registers();
    if (result != Step::Continue) {
        pointers = origin_;
        halt_streamer();
    } else if (after_draw_ && !repeats(*row_)) {
        after_draw_.reset();
    }
    return result;
}

bool Interpreter::fetch(std::uint32_t count, Dwords& dwords) {
    const AddressSpace space = pointers.space();
    dwords = fetch_.run(bus_, space, pointers.address(), count);
    if (dwords.size() == count) return true;
    gathered_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto dword = fetch_.dword(bus_, space, pointers.address(i));
        if (!dword) return false;
        gathered_[i] = *dword;
    }
    dwords = gathered_;
    return true;
}

// CS-06: between MI_SET_PREDICATE commands only these may stand; anything else is undefined and is
// executed.
bool Interpreter::skipped(const CommandRow& row) {
    if (!skipping_ || row.command == Command::MI_SET_PREDICATE) return false;
    static const packets::CommandSet allowed{"MI_NOOP",
                                             "MI_LOAD_REGISTER_IMM",
                                             "MEDIA_VFE_STATE",
                                             "MEDIA_INTERFACE_DESCRIPTOR_LOAD",
                                             "MEDIA_OBJECT",
                                             "MEDIA_OBJECT_WALKER",
                                             "3DSTATE_URB_VS",
                                             "3DSTATE_URB_HS",
                                             "3DSTATE_URB_DS",
                                             "3DSTATE_URB_GS",
                                             "3DSTATE_WM_HZ_OP",
                                             "3DSTATE_PUSH_CONSTANT_ALLOC_VS",
                                             "3DSTATE_PUSH_CONSTANT_ALLOC_HS",
                                             "3DSTATE_PUSH_CONSTANT_ALLOC_DS",
                                             "3DSTATE_PUSH_CONSTANT_ALLOC_GS",
                                             "3DSTATE_PUSH_CONSTANT_ALLOC_PS"};
    if (allowed.contains(row)) return true;
    guest_error("predicated command",
                "may not stand between MI_SET_PREDICATE commands; it is executed");
    return false;
}

bool Interpreter::wants_preemption() const {
    return mmio_.arbitration && execlists_.pending() &&
           !execlists_.pending_list()[0].same_context(execlists_.running());
}

void Interpreter::drain(packets::PipeSet pipes) {
    waiting_ = Waiting::Drain;
    bus_.drain(pipes);
    waiting_ = Waiting::No;
}

std::string Interpreter::place() const {
    std::string text = origin_.text();
    if (row_) text += std::string(" ") + row_->name;
    return text;
}

void Interpreter::guest_error(const std::string& kind, const std::string& text) {
    reporter_.guest_error("cs: " + kind, place(), text);
}

// EIR keeps an error that EMR lets pass until software clears it. ESR, which says what is wrong
// now, is left to errors that do not pass.
void Interpreter::latch_error(std::uint32_t error) {
    if (registers_.read(EMR) & error) return;
    registers_.set(EIR, registers_.read(EIR) | error);
    raise(kErrorInterrupt);
}

// CS-149: the header stays in IPEHR and the head stays here.
Interpreter::Step Interpreter::stop(const std::string& kind, const std::string& text) {
    std::string shown = text;
    shown += "; DWords";
    for (std::uint32_t i = 0; i < 4; ++i) {
        const auto dword = fetch_.peek(pointers.space(), pointers.address(i));
        if (!dword) break;
        char hex[16];
        std::snprintf(hex, sizeof hex, " %08x", *dword);
        shown += hex;
    }
    guest_error(kind, shown);
    halt_streamer();
    return Step::Stopped;
}

std::string Interpreter::describe() const {
    std::string text = place();
    switch (waiting_) {
        case Waiting::No:
            break;
        case Waiting::Drain:
            text += ": waits for " + std::to_string(bus_.outstanding(packets::kEveryPipe)) +
                    " pipeline command(s) to end";
            break;
        case Waiting::Accept:
            text += ": waits until the pipe takes it";
            break;
        case Waiting::Semaphore:
        case Waiting::Register: {
            constexpr const char* kCompare[] = {">", ">=", "<", "<=", "==", "!="};
            char wanted[96];
            std::snprintf(wanted, sizeof wanted, ": waits for its semaphore: %s 0x%llx %s 0x%x",
                          waiting_ == Waiting::Register ? "register" : "memory at",
                          static_cast<unsigned long long>(semaphore_.address.value),
                          kCompare[semaphore_.compare % std::size(kCompare)], semaphore_.data);
            text += wanted;
            break;
        }
        case Waiting::Signal:
            text += ": waits at a semaphore in signal mode, and nobody signalled";
            break;
        case Waiting::Streamer:
            text += ": waits for the resource streamer";
            break;
    }
    return text;
}

AddressSpace Interpreter::space(bool global_gtt) {
    // Ring and GGTT batches are privileged; elsewhere the bit has no effect (CS-144).
    if (global_gtt && !privileged() && settings_.strict)
        guest_error("privilege", "asks for the GGTT from a PPGTT batch; the PPGTT is used");
    return global_gtt && privileged() ? AddressSpace::Ggtt : AddressSpace::Ppgtt;
}

std::uint32_t Interpreter::load_dword(AddressSpace space, GpuAddr address) {
    std::uint8_t bytes[4]{};
    bus_.read(space, canonical(address.value), bytes);
    return load<std::uint32_t>(bytes);
}

std::uint64_t Interpreter::load_qword(AddressSpace space, GpuAddr address) {
    std::uint8_t bytes[8]{};
    bus_.read(space, canonical(address.value), bytes);
    return load<std::uint64_t>(bytes);
}

void Interpreter::store_bytes(AddressSpace space, GpuAddr address, const void* bytes,
                              std::size_t count) {
    const GpuAddr target = canonical(address.value);
    bus_.write(space, target, {static_cast<const std::uint8_t*>(bytes), count});
    fetch_.written(target, count);
}

Interpreter::StorePlace Interpreter::store_place(bool indexed, bool global, std::uint64_t address) {
    if (!indexed) return {space(global), GpuAddr(address)};
    const std::uint64_t page = global ? registers_.read(HWS_PGA) & ~0xFFFu : status_page.value;
    return {AddressSpace::Ggtt, GpuAddr(page + (address & 0xFF8))};
}

}  // namespace gen9::cs
