// SPDX-License-Identifier: Apache-2.0
// A region's code: its instructions one after the other, branches among them, twice: for threads
// whose channels all run, and for any. Out of the way, behind both, lie the calls of what is rare.
#include "eu/jit/emitter.h"

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include <xbyak/xbyak_util.h>

#include "eu/jit/assembler.h"
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
    Emitter(std::vector<std::uint8_t>& buffer, CompiledRegion& region, std::uint32_t control,
            Level level, bool flushes)
        : Assembler(buffer, level, flushes), region_(region), control_(control) {}

    static bool run(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control,
                    Level level);

  private:
    /// What becomes of an instruction.
    enum class Way : std::uint8_t {
        Written,   ///< host code of its own
        Function,  ///< a call of its specialised function
        General,   ///< a call of its executor
        Branch,
        Send,
        Exit,  ///< the thread leaves before it
    };
    struct Site {
        const DecodedInstruction* instruction;
        unsigned send;
        Way way;
        bool joins;  ///< channels may wait here
    };
    struct Late {
        Label from;
        std::uint32_t ip;
        const DecodedInstruction* branch;  ///< null: channels may join at `ip`
    };

    Way way_of(const DecodedInstruction& d) const;
    bool choose(std::span<const Part> parts);
    void prologue();
    void form(bool masked);
    void put(std::size_t number, bool masked);
    void branch(const DecodedInstruction& d);
    void take_jump(std::uint32_t target, std::uint32_t from, Label& slow);
    void taken_channels(const DecodedInstruction& d);
    void call_slow(const DecodedInstruction& d, Label& from);
    void settle_count() {
        if (pending_ != 0) add(count_, pending_);
        pending_ = 0;
    }
    void call(const void* function) {
        vzeroupper();
        mov(rax, reinterpret_cast<std::uint64_t>(function));
        Xbyak::CodeGenerator::call(rax);
    }
    void resume_here();
    void go_on() {
        mov(ecx, dword[frame_ + offsetof(Frame, behind)]);
        sub(count_, rcx);
        jmp(rax);
    }
    bool is_inside(std::uint32_t ip) const { return labels_.contains(ip); }

    CompiledRegion& region_;
    const std::uint32_t control_;
    const Xbyak::Reg64 count_ = r13, limit_ = r14;
    std::vector<Site> sites_;
    std::map<std::uint32_t, Label> labels_;  ///< behind the look for channels, of one form
    std::deque<Late> late_;
    std::uint32_t pending_ = 0;  ///< instructions that the count does not have yet
    std::uint32_t block_ = 0;    ///< instructions of this block so far
    Label leave_;
};

Emitter::Way Emitter::way_of(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    if (d.always_next) return Way::Branch;
    if (d.always_sends) return Way::Send;
    if (d.fast.masked != nullptr) {
        const bool right_modes = (control_ & d.fast.modes) == d.fast.modes_wanted;
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
    return Way::General;
}

bool Emitter::choose(std::span<const Part> parts) {
    std::set<std::uint32_t> joins;
    std::uint32_t modes = 0;
    std::size_t inside = 0;
    for (const Part& part : parts) {
        const DecodedInstruction& d = *part.instruction;
        const Way way = way_of(d);
        sites_.push_back({&d, part.send, way, false});
        if (way == Way::Branch) {
            for (const std::uint32_t ip : meeting_places(d))
                joins.insert(ip);
            modes |= cr0::kSinglePath;
        }
        if (way == Way::Written || way == Way::Function) {
            modes |= d.fast.modes | d.fast.keeps_denormals;
            if (d.fast.every_channel == 0)
                region_.channels_needed_ |= d.fast.lanes << d.fast.channel_offset;
        }
        inside += way != Way::Exit;
    }
    if (inside == 0 || (control_ & cr0::kSinglePath) != 0) return false;
    for (Site& site : sites_)
        site.joins = joins.contains(site.instruction->ip);
    const std::uint32_t first = parts.front().instruction->ip,
                        end = parts.back().instruction->next_ip;
    const std::size_t places = (end - first) / 8;
    region_.first_ip_ = first;
    region_.end_ip_ = region_.straight_end_ = end;
    region_.size_ = static_cast<std::uint32_t>(parts.size());
    region_.modes_ = modes;
    region_.modes_wanted_ = control_ & modes;
    region_.flushes_ = flushes_;
    region_.parts_.assign(parts.begin(), parts.end());
    region_.places_.resize(places);
    region_.joins_bits_.resize((places + 63) / 64);
    for (const Site& site : sites_)
        if (site.joins) {
            const std::uint32_t place = (site.instruction->ip - first) / 8;
            region_.joins_bits_[place / 64] |= std::uint64_t{1} << place % 64;
        }
    region_.joins_ = region_.joins_bits_.data();
    region_.join_places_ = static_cast<std::uint32_t>(places);
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
    region_.leave_ = static_cast<std::uint32_t>(getSize());
    mov(rax, count_);
    vzeroupper();
    pop(r15);
    pop(r14);
    pop(r13);
    pop(r12);
    pop(rbx);
    ret();
}

void Emitter::resume_here() {
    mov(rdi, frame_);
    mov(rsi, count_);
    call(reinterpret_cast<const void*>(&CompiledRegion::resume));
    go_on();
}

void Emitter::form(bool masked) {
    labels_.clear();
    late_.clear();
    for (const Site& site : sites_)
        labels_[site.instruction->ip];
    pending_ = block_ = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i)
        put(i, masked);
    settle_count();
    mov(at(offsetof(Thread, ip), 32), region_.end_ip_);
    jmp(leave_, T_NEAR);
    for (Late& late : late_) {
        L(late.from);
        mov(at(offsetof(Thread, ip), 32), late.ip);
        if (late.branch == nullptr) {
            resume_here();
            continue;
        }
        mov(rdi, frame_);
        mov(rsi, reinterpret_cast<std::uint64_t>(late.branch));
        mov(rdx, count_);
        call(reinterpret_cast<const void*>(&CompiledRegion::branch));
        go_on();
    }
}

void Emitter::put(std::size_t number, bool masked) {
    const Site& site = sites_[number];
    const DecodedInstruction& d = *site.instruction;
    const bool joins_behind = number + 1 < sites_.size() && sites_[number + 1].joins;
    if (site.joins) {
        settle_count();
        block_ = 0;
        Late& late = late_.emplace_back(Late{Label(), d.ip, nullptr});
        cmp(at(offsetof(Thread, wake_ip), 32), d.ip);
        jbe(late.from, T_NEAR);
    }
    L(labels_[d.ip]);
    if (site.way != Way::Exit) {
        CompiledRegion::Place& place = region_.places_[(d.ip - region_.first_ip_) / 8];
        (masked ? place.masked : place.all) = static_cast<std::uint32_t>(getSize());
        place.behind = block_;
    }
    switch (site.way) {
        case Way::Exit:
            settle_count();
            block_ = 0;
            mov(at(offsetof(Thread, ip), 32), d.ip);
            jmp(leave_, T_NEAR);
            return;
        case Way::Branch:
            ++pending_;
            settle_count();
            block_ = 0;
            branch(d);
            return;
        case Way::Send:
            ++pending_;
            settle_count();
            block_ = 0;
            mov(rdi, frame_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&d));
            mov(edx, site.send);
            mov(rcx, count_);
            call(reinterpret_cast<const void*>(&CompiledRegion::send));
            test(al, al);
            jz(leave_, T_NEAR);
            if (joins_behind) resume_here();
            return;
        case Way::Written:
            write(d, masked);
            break;
        case Way::Function:
            mov(rdi, thread_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&d));
            call(reinterpret_cast<const void*>(masked ? d.fast.masked : d.fast.full));
            break;
        case Way::General:
            mov(rdi, frame_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&d));
            call(reinterpret_cast<const void*>(&CompiledRegion::general));
            if (joins_behind) {
                ++pending_;
                settle_count();
                block_ = 0;
                resume_here();
                return;
            }
            break;
    }
    ++pending_;
    ++block_;
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

void Emitter::call_slow(const DecodedInstruction& d, Label& from) {
    Late& late = late_.emplace_back(Late{Label(), d.ip, &d});
    late.from = from;
}

/// All active channels go to `target`.
void Emitter::take_jump(std::uint32_t target, std::uint32_t from, Label& slow) {
    if (!is_inside(target)) {
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
    jmp(labels_[target], T_NEAR);
}

void Emitter::branch(const DecodedInstruction& d) {
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
    call_slow(d, slow);
}

bool Emitter::run(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control,
                  Level level) {
    std::uint32_t keeps = 0;
    for (const Part& part : parts)
        keeps |= part.instruction->fast.keeps_denormals;
    static thread_local std::vector<std::uint8_t> buffer(kMostCode);
    try {
        Emitter emitter(buffer, region, control, level, (keeps & ~control) != 0);
        if (!emitter.choose(parts)) return false;
        emitter.prologue();
        emitter.form(false);
        emitter.form(true);
        emitter.write_constants();
        region.code_ = CodeMemory({buffer.data(), emitter.getSize()});
        return !region.code_.empty();
    } catch (const Xbyak::Error&) {
        return false;  // it is too long
    }
}

bool emit(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control, Level level) {
    return Emitter::run(region, parts, control, level);
}

}  // namespace gen9::eu::jit
