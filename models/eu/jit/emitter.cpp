// SPDX-License-Identifier: Apache-2.0
// A region's code: its instructions one after the other, branches among them, twice: for threads
// whose channels all run, and for any. Out of the way, behind both, lie the calls of what is rare.
#include "eu/jit/emitter.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include <xbyak/xbyak_util.h>

#include "eu/jit/assembler.h"
#include "eu/thread/exceptions.h"
#include "eu/thread/float_control.h"
#include "eu/thread/masks.h"

namespace gen9::eu::jit {

using isa::Opcode;
using Xbyak::Label;

Level host_level() {
    static const Level level = [] {
        using Cpu = Xbyak::util::Cpu;
        const Cpu cpu;
        if (!cpu.has(Cpu::tAVX2) || !cpu.has(Cpu::tFMA) || !cpu.has(Cpu::tBMI1) ||
            !cpu.has(Cpu::tBMI2))
            return Level::None;
        const bool newer = cpu.has(Cpu::tAVX512F) && cpu.has(Cpu::tAVX512VL) &&
                           cpu.has(Cpu::tAVX512DQ) && cpu.has(Cpu::tAVX512BW);
        return newer ? Level::Avx512 : Level::Avx2;
    }();
    return level;
}

namespace {

constexpr std::size_t kMostCode = std::size_t{1} << 20;

std::uint32_t relative(const DecodedInstruction& d, std::int32_t offset) {
    return d.ip + static_cast<std::uint32_t>(offset);
}

/// The IPs at which a branch leaves or finds channels, as far as it names them.
std::vector<std::uint32_t> meeting_places(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    std::vector<std::uint32_t> found{d.next_ip};
    if (in.jip_from_register) return found;
    if (in.opcode == Opcode::Jmpi) {
        found.push_back(d.next_ip + static_cast<std::uint32_t>(in.jip));
        return found;
    }
    found.push_back(relative(d, in.jip));
    found.push_back(relative(d, in.uip));
    if (in.opcode == Opcode::Break) found.push_back(relative(d, in.uip) + 16);
    return found;
}

}  // namespace

class Emitter : public Assembler {
  public:
    Emitter(std::span<std::uint8_t> buffer, const CompiledRegion& region,
            const Messages::Direct& direct)
        : Assembler(buffer, region.level_, region.flushes_), region_(region), direct_(direct) {}

    static bool plan(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control,
                     Level level);
    static bool emit(const CompiledRegion& region, bool masked, const Messages::Direct& direct);

  private:
    /// What becomes of an instruction.
    enum class Way : std::uint8_t {
        Written,   ///< host code of its own
        Function,  ///< a call of its specialised function
        General,   ///< a call of its executor
        Notification,
        Branch,
        Send,
        Exit,  ///< the thread leaves before it
    };
    /// What is rare, and lies behind the rest.
    struct Late {
        enum class What : std::uint8_t { Join, Branch, Send, Direct, Count } what;
        std::size_t number;  ///< of the instruction
        Label from, back;
    };

    Way way_of(const Part& part) const;
    void prologue();
    void put(std::size_t number, bool masked);
    void branch(std::size_t number);
    void take_jump(std::uint32_t target, std::uint32_t from, Label& slow);
    void taken_channels(const DecodedInstruction& d);
    void send(std::size_t number);
    void call_send(std::size_t number);
    void call_site(std::size_t number);
    const PlainMessages* plain(std::size_t number) const;
    void write_late(Late& late);
    const DecodedInstruction& instruction(std::size_t number) const {
        return *region_.parts_[number].instruction;
    }
    /// May channels wait at an instruction?
    bool joins(std::size_t number) const {
        return number < region_.parts_.size() && region_.joins_at(region_.parts_[number].ip);
    }
    Late& later(Late::What what, std::size_t number, const Label& from) {
        Late& late = late_.emplace_back(Late{what, number, Label(), Label()});
        late.from = from;
        return late;
    }
    void settle_count() {
        if (pending_ != 0) add(count_, pending_);
        pending_ = 0;
    }
    void call(const void* function) {
        vzeroupper();
        mov(rax, reinterpret_cast<std::uint64_t>(function));
        Xbyak::CodeGenerator::call(rax);
    }
    const CompiledRegion& region_;
    const Messages::Direct& direct_;
    const Xbyak::Reg64 count_ = r13, limit_ = r14;
    std::map<std::uint32_t, Label> labels_;  ///< of joins, behind the look for channels
    std::deque<Late> late_;
    std::uint32_t pending_ = 0;  ///< instructions that the count does not have yet
    std::uint32_t block_ = 0;    ///< instructions of this block so far
    Label leave_, resume_, go_on_, branch_;
};

Emitter::Way Emitter::way_of(const Part& part) const {
    if (part.instruction == nullptr) return Way::Exit;
    const DecodedInstruction& d = *part.instruction;
    const isa::Instruction& in = d.instruction;
    if (d.always_next) return Way::Branch;
    if (d.always_sends) return Way::Send;
    if (d.fast.masked != nullptr) {
        const bool right_modes = (region_.control_ & d.fast.modes) == d.fast.modes_wanted;
        // The host would flush doubles as well.
        const bool doubles = flushes_ && (d.fast.modes & cr0::kDoubleDenormals) != 0;
        if (right_modes && !doubles) return knows(d) ? Way::Written : Way::Function;
        return Way::General;
    }
    // What may wait, end, fail or change a mode is for the thread's own loop.
    for (unsigned i = 0; i < in.source_count && i < in.src.size(); ++i)
        if (in.src[i].is_arf(isa::Arf::Timestamp)) return Way::Exit;
    if (d.pipe == Pipe::Send || d.pipe == Pipe::Branch || d.pipe == Pipe::None) return Way::Exit;
    if (d.may_fail || in.dst.is_arf(isa::Arf::Ip)) return Way::Exit;
    return sets_notification(d) ? Way::Notification : Way::General;
}

bool Emitter::plan(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control,
                   Level level) {
    region.control_ = control;
    region.level_ = level;
    std::uint32_t keeps = 0;
    for (const Part& part : parts)
        if (part.instruction != nullptr) keeps |= part.instruction->fast.keeps_denormals;
    region.flushes_ = (keeps & ~control) != 0;
    std::array<std::uint8_t, 1> nowhere;
    const Emitter emitter(nowhere, region, {});
    const std::uint32_t first = parts.front().ip, end = parts.back().next_ip,
                        places = (end - first) / 8;
    region.joins_bits_.resize((places + 63) / 64);
    region.enter_bits_.resize((places + 63) / 64);
    const auto mark = [&](std::vector<std::uint64_t>& bits, std::uint32_t ip) {
        const std::uint32_t place = (ip - first) >> 3;
        if (place < places) bits[place / 64] |= std::uint64_t{1} << place % 64;
    };
    std::uint32_t modes = 0;
    std::size_t inside = 0;
    for (const Part& part : parts) {
        const Way way = emitter.way_of(part);
        if (way == Way::Exit) continue;
        ++inside;
        mark(region.enter_bits_, part.ip);
        const DecodedInstruction& d = *part.instruction;
        if (way == Way::Branch) {
            for (const std::uint32_t ip : meeting_places(d))
                mark(region.joins_bits_, ip);
            modes |= cr0::kSinglePath;
        }
        if (way == Way::Send) {
            region.sends_ = true;
            region.most_send_ = std::max(region.most_send_, part.send);
            modes |= cr0::kMaster | cr0::kAlternate;
        }
        if (way == Way::Written || way == Way::Function) {
            modes |= d.fast.modes | d.fast.keeps_denormals;
            if (d.fast.every_channel == 0)
                region.channels_needed_ |= d.fast.lanes << d.fast.channel_offset;
        }
    }
    if (inside == 0 || (control & cr0::kSinglePath) != 0) return false;
    region.sends_directly_ = (control & (cr0::kMaster | cr0::kAlternate)) == 0;
    region.first_ip_ = first;
    region.end_ip_ = region.straight_end_ = end;
    region.size_ = static_cast<std::uint32_t>(parts.size());
    region.modes_ = modes;
    region.modes_wanted_ = control & modes;
    region.parts_.assign(parts.begin(), parts.end());
    region.joins_ = region.joins_bits_.data();
    region.join_places_ = places;
    return true;
}

// uint64 enter(Frame*, where, executed): rdi, rsi, rdx.
void Emitter::prologue() {
    push(rbx);
    push(r12);
    push(r13);
    push(r14);
    push(r15);  // keeps the stack on 16 bytes
    mov(frame_, rdi);
    mov(count_, rdx);
    mov(thread_, ptr[frame_ + offsetof(Frame, thread)]);
    mov(limit_, ptr[frame_ + offsetof(Frame, limit)]);
    jmp(rsi);
    L(leave_);
    mov(rax, count_);
    vzeroupper();
    pop(r15);
    pop(r14);
    pop(r13);
    pop(r12);
    pop(rbx);
    ret();
    // All joins and branches share this code. rsi holds the branch.
    L(resume_);
    mov(rdi, frame_);
    mov(rsi, count_);
    call(reinterpret_cast<const void*>(&CompiledRegion::resume));
    L(go_on_);
    mov(ecx, dword[frame_ + offsetof(Frame, behind)]);
    sub(count_, rcx);
    jmp(rax);
    L(branch_);
    mov(rdi, frame_);
    mov(rdx, count_);
    call(reinterpret_cast<const void*>(&CompiledRegion::branch));
    jmp(go_on_);
}

/// What is rare: the code that asks how to go on.
void Emitter::write_late(Late& late) {
    L(late.from);
    if (late.what != Late::What::Direct && late.what != Late::What::Count)
        mov(at(offsetof(Thread, ip), 32), region_.parts_[late.number].ip);
    switch (late.what) {
        case Late::What::Join:
            jmp(resume_, T_NEAR);
            return;
        case Late::What::Branch:
            mov(rsi, reinterpret_cast<std::uint64_t>(&instruction(late.number)));
            jmp(branch_, T_NEAR);
            return;
        case Late::What::Send:
            call_send(late.number);
            if (joins(late.number + 1)) {
                jmp(resume_, T_NEAR);
                return;
            }
            jmp(late.back, T_NEAR);
            return;
        case Late::What::Direct:
            call_site(late.number);
            jmp(late.back, T_NEAR);
            return;
        case Late::What::Count:
            mov(rdi, ptr[frame_ + offsetof(Frame, direct.sites)]);
            mov(rdi, ptr[rdi + 8 * region_.parts_[late.number].send]);
            call(reinterpret_cast<const void*>(&CompiledRegion::begin_count));
            jmp(late.back, T_NEAR);
    }
}

void Emitter::put(std::size_t number, bool masked) {
    const Part& part = region_.parts_[number];
    const Way way = way_of(part);
    if (joins(number)) {
        settle_count();
        block_ = 0;
        cmp(at(offsetof(Thread, wake_ip), 32), part.ip);
        Late& late = later(Late::What::Join, number, Label());
        jbe(late.from, T_NEAR);
        L(labels_[part.ip]);
    }
    CompiledRegion::Place& place = region_.forms_[masked].places[(part.ip - region_.first_ip_) / 8];
    place.at = static_cast<std::uint32_t>(getSize());
    place.behind = block_;
    const auto end_block = [this] {
        ++pending_;
        settle_count();
        block_ = 0;
    };
    if (way == Way::Exit) {
        settle_count();
        block_ = 0;
        mov(at(offsetof(Thread, ip), 32), part.ip);
        jmp(leave_, T_NEAR);
        return;
    }
    const DecodedInstruction& d = *part.instruction;
    switch (way) {
        case Way::Branch:
            end_block();
            branch(number);
            return;
        case Way::Send:
            end_block();
            send(number);
            return;
        case Way::Written:
            write(d, masked);
            break;
        case Way::Notification:
            write_notification(d);
            break;
        case Way::Function:
            mov(rdi, thread_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&d));
            call(reinterpret_cast<const void*>(masked ? d.fast.masked : d.fast.full));
            break;
        default:  // General
            mov(rdi, frame_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&d));
            call(reinterpret_cast<const void*>(&CompiledRegion::general));
            if (joins(number + 1)) {
                end_block();
                jmp(resume_, T_NEAR);
                return;
            }
            break;
    }
    ++pending_;
    ++block_;
}

/// The message by the thread's Messages; leaves if the thread does not go on.
void Emitter::call_send(std::size_t number) {
    mov(rdi, frame_);
    mov(rsi, reinterpret_cast<std::uint64_t>(&instruction(number)));
    mov(edx, region_.parts_[number].send);
    mov(rcx, count_);
    call(reinterpret_cast<const void*>(&CompiledRegion::send));
    test(al, al);
    jz(leave_, T_NEAR);
}

/// The message as a call of its site, if it has one that carries it out.
void Emitter::send(std::size_t number) {
    const DecodedInstruction& d = instruction(number);
    const isa::Instruction& in = d.instruction;
    const bool usual = region_.sends_directly_ && !in.align16 && !in.descriptor_from_a0 &&
                       !in.extended_from_a0 && !in.src[0].indirect && !in.src[1].indirect &&
                       !in.dst.indirect && d.fast.predicate != FastOperands::Predicate::Other;
    if (!usual) {
        mov(at(offsetof(Thread, ip), 32), d.ip);
        call_send(number);
        if (joins(number + 1)) jmp(resume_, T_NEAR);
        return;
    }
    const PlainMessages* const known = plain(number);
    if (known == nullptr) return call_site(number);
    Label no;
    mov(rdi, ptr[frame_ + offsetof(Frame, direct.plain)]);
    mov(rdi, ptr[rdi + 8 * region_.parts_[number].send]);
    test(rdi, rdi);
    jz(no, T_NEAR);
    write_plain(d, known->form, no);
    inc(dword[frame_ + offsetof(Frame, called)]);
    inc(dword[rdi + offsetof(PlainMessages, uncounted)]);
    Label first;
    jz(first, T_NEAR);
    L(later(Late::What::Count, number, first).back);
    L(later(Late::What::Direct, number, no).back);
}

/// The record of the site that its messages had when the code was made; null: they are calls.
const PlainMessages* Emitter::plain(std::size_t number) const {
    if (direct_.plain == nullptr) return nullptr;
    const PlainMessages* const found = direct_.plain[region_.parts_[number].send];
    return found != nullptr && knows_plain(instruction(number), found->form) ? found : nullptr;
}

void Emitter::call_site(std::size_t number) {
    const DecodedInstruction& d = instruction(number);
    const isa::Instruction& in = d.instruction;
    Label slow;
    mov(rdi, ptr[frame_ + offsetof(Frame, direct.sites)]);
    mov(rdi, ptr[rdi + 8 * region_.parts_[number].send]);
    test(rdi, rdi);
    jz(slow, T_NEAR);
    message_mask(d);
    mov(rsi, ptr[frame_ + offsetof(Frame, direct.sender)]);
    lea(rcx, at(place_of(in.src[0])));
    lea(r8, at(place_of(in.src[1])));
    lea(r9, at(place_of(in.dst)));
    if (flushes_) ldmxcsr(dword[frame_ + offsetof(Frame, host_control)]);
    call(reinterpret_cast<const void*>(&CompiledRegion::direct));
    if (flushes_) ldmxcsr(dword[frame_ + offsetof(Frame, own_control)]);
    test(al, al);
    jz(slow, T_NEAR);
    inc(dword[frame_ + offsetof(Frame, called)]);
    L(later(Late::What::Send, number, slow).back);
}

/// eax: the active channels in the branch's range; ecx: those of them whose predicate is true.
void Emitter::taken_channels(const DecodedInstruction& d) {
    const unsigned offset = d.fast.channel_offset;
    const std::uint32_t range = low_mask(d.instruction.exec_size) << offset;
    mov(eax, at(offsetof(Thread, active), 32));
    if (range != ~0u) and_(eax, range);
    if (d.fast.predicate == FastOperands::Predicate::None) {
        mov(ecx, eax);
        return;
    }
    predicate_bits(d, ecx);
    if (offset != 0) shl(ecx, offset);
    and_(ecx, eax);
}

/// All active channels go to `target`.
void Emitter::take_jump(std::uint32_t target, std::uint32_t from, Label& slow) {
    const auto inside = labels_.find(target);
    if (inside == labels_.end()) {
        jmp(slow, T_NEAR);
        return;
    }
    // Whoever waits does so behind it, or the branch's own function looks.
    mov(ecx, at(offsetof(Thread, low_ip), 32));
    cmp(ecx, target);
    jbe(slow, T_NEAR);
    if (target <= from) {
        cmp(count_, limit_);
        ja(slow, T_NEAR);
    }
    mov(at(offsetof(Thread, wake_ip), 32), ecx);
    jmp(inside->second, T_NEAR);
}

void Emitter::branch(std::size_t number) {
    const DecodedInstruction& d = instruction(number);
    const isa::Instruction& in = d.instruction;
    const bool simple = d.fast.predicate != FastOperands::Predicate::Other;
    Label slow, next;
    switch (in.opcode) {
        case Opcode::Endif:
        case Opcode::Join:
            return;  // some channel runs
        case Opcode::Jmpi:
            if (!simple || in.jip_from_register) {
                jmp(slow, T_NEAR);
                break;
            }
            if (d.fast.predicate != FastOperands::Predicate::None) {
                predicate_bits(d, ecx);
                test(ecx, 1);
                jz(next, T_NEAR);
            }
            take_jump(d.next_ip + static_cast<std::uint32_t>(in.jip), d.ip, slow);
            break;
        case Opcode::While:
            if (!simple) {
                jmp(slow, T_NEAR);
                break;
            }
            taken_channels(d);
            test(ecx, ecx);
            jz(next, T_NEAR);
            cmp(ecx, at(offsetof(Thread, active), 32));
            jne(slow, T_NEAR);
            take_jump(relative(d, in.jip), d.ip, slow);
            break;
        case Opcode::Goto:
            if (!simple) {
                jmp(slow, T_NEAR);
            } else if (in.branch_ctrl) {
                taken_channels(d);
                cmp(ecx, at(offsetof(Thread, active), 32));
                jne(slow, T_NEAR);
                take_jump(relative(d, in.uip), d.ip, slow);
            } else {
                taken_channels(d);
                cmp(ecx, eax);
                jne(slow, T_NEAR);
            }
            break;
        case Opcode::If:
            if (!simple) {
                jmp(slow, T_NEAR);
                break;
            }
            taken_channels(d);
            cmp(ecx, eax);
            jne(slow, T_NEAR);
            break;
        case Opcode::Break:
        case Opcode::Cont:
        case Opcode::Halt:
            if (!simple) {
                jmp(slow, T_NEAR);
                break;
            }
            taken_channels(d);
            test(ecx, ecx);
            jnz(slow, T_NEAR);
            break;
        default:
            jmp(slow, T_NEAR);
    }
    L(next);
    later(Late::What::Branch, number, slow);
}

bool Emitter::emit(const CompiledRegion& region, bool masked, const Messages::Direct& direct) {
    // Enough for any page of instructions; what is not written costs nothing.
    static thread_local const auto buffer =
        std::make_unique_for_overwrite<std::uint8_t[]>(kMostCode);
    CompiledRegion::Form& form = region.forms_[masked];
    try {
        Emitter emitter({buffer.get(), kMostCode}, region, direct);
        form.places.assign(region.join_places_, {});
        emitter.prologue();
        for (std::size_t number = 0; number < region.parts_.size(); ++number)
            if (emitter.joins(number)) emitter.labels_[region.parts_[number].ip];
        for (std::size_t number = 0; number < region.parts_.size(); ++number)
            emitter.put(number, masked);
        emitter.settle_count();
        emitter.mov(emitter.at(offsetof(Thread, ip), 32), region.end_ip_);
        emitter.jmp(emitter.leave_, T_NEAR);
        // Code that is written late may add more of it.
        for (std::size_t i = 0; i < emitter.late_.size(); ++i)
            emitter.write_late(emitter.late_[i]);
        emitter.write_aside();
        emitter.write_constants();
        form.leave = static_cast<std::uint32_t>(emitter.leave_.getAddress() - buffer.get());
        form.code = CodeMemory({buffer.get(), emitter.getSize()});
        return !form.code.empty();
    } catch (const Xbyak::Error&) {
        return false;
    }
}

bool plan(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control, Level level) {
    return Emitter::plan(region, parts, control, level);
}
bool emit(const CompiledRegion& region, bool masked, const Messages::Direct& direct) {
    return Emitter::emit(region, masked, direct);
}

}  // namespace gen9::eu::jit
