// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "eu/execute/meeting_places.h"
#include "eu/jit/assembler.h"
#include "eu/jit/compiled_region.h"
#include "eu/jit/vector_parts.h"

namespace gen9::eu::jit {

/// Writes a region's code (emitter.cpp), its branches (branches.cpp) and its messages (sends.cpp).
class Emitter : public Assembler {
  public:
    Emitter(std::span<std::uint8_t> buffer, const CompiledRegion& region,
            const Messages::Direct& direct, CompiledRegion::Form& form)
        : Assembler(buffer, region.level_, region.flushes_, region.control_),
          region_(region),
          direct_(direct),
          form_(form) {}

    static bool plan(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control,
                     Level level);
    static bool emit(const CompiledRegion& region, bool masked, const Messages::Direct& direct);

  private:
    using Label = Xbyak::Label;
    /// An instruction becomes one of these.
    enum class Way : std::uint8_t {
        Written,   ///< host code of its own
        Function,  ///< a call of its specialised function
        General,   ///< a call of its executor
        Notification,
        ConstantVector,
        Nothing,
        Branch,
        Send,
        Checked,  ///< a send that waits for other threads
        Wait,     ///< for a notification
        Exit,     ///< the thread leaves before it
    };
    /// This code is rare, and lies behind the rest.
    struct Late {
        enum class What : std::uint8_t {
            Join,
            Branch,
            Send,
            Wait,
            Direct,
            Count,
            Check,
            Epoch
        } what;
        std::size_t number;  ///< of the instruction
        Label from, back, otherwise;
        std::uint32_t pending = 0;   ///< instructions that the count does not have there
        std::uint32_t messages = 0;  ///< direct messages that the frame has not counted there
        const Label* no = nullptr;   ///< where a window is not good
        Hands hands{};               ///< at `back`
    };
    /// An instruction in front of which there are results at hand that somebody may ask for.
    struct Entry {
        std::size_t number;
        Hands hands;
    };

    Way way_of(const Part& part) const;
    static bool meets_at_instructions(const Part& part, Way way, std::span<const Part> parts);
    void prologue();
    void put(std::size_t number, bool masked);
    void put_inside(std::size_t number, bool masked, Way way);
    void write_entries();
    static RegisterRange registers_of(const Hand& hand);
    static bool writes_any(const DecodedInstruction& d, const RegisterRange& range);
    CompiledRegion::Place& place_in_code(std::size_t number) {
        return form_.places[(region_.parts_[number].ip - region_.first_ip_) / 8];
    }
    void branch(std::size_t number);
    void take_jump(std::uint32_t target, std::uint32_t from, Label& slow, std::uint32_t passed = 0);
    void taken_channels(const DecodedInstruction& d);
    void all_leave(const DecodedInstruction& d, std::uint32_t target, Label& slow,
                   std::uint32_t passed = 0);
    void leave(const DecodedInstruction& d, std::uint32_t target, Label& slow);
    void leave_loop(const DecodedInstruction& d, Label& slow);
    void all_stay_or_leave(const DecodedInstruction& d, std::uint32_t target, Label& next,
                           Label& slow);
    void write_wait(std::size_t number);
    void write_checked(std::size_t number);
    void send(std::size_t number);
    void plain_send(std::size_t number, bool masked);
    bool sends_usually(const DecodedInstruction& d) const;
    bool has_plain() const;
    static void find_repeated(CompiledRegion& region);
    void forget_places(const DecodedInstruction& d);
    void look_at_epoch(std::size_t number);
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
        Late& late = late_.emplace_back(Late{what, number, {}, {}, {}});
        late.from = from;
        late.hands = hands_;
        return late;
    }
    void settle_count() {
        if (pending_ != 0) add(count_, pending_);
        if (messages_ != 0) add(dword[frame_ + offsetof(Frame, called)], messages_);
        pending_ = messages_ = 0;
    }
    void call(const void* function) {
        vzeroupper();
        mov(rax, reinterpret_cast<std::uint64_t>(function));
        Xbyak::CodeGenerator::call(rax);
    }
    /// The same where the code goes on behind it.
    void call_between(const void* function) {
        call(function);
        if (keeps_inactive_) load_inactive();
    }
    const CompiledRegion& region_;
    const Messages::Direct& direct_;
    CompiledRegion::Form& form_;  ///< which is written
    const Xbyak::Reg64 count_ = r13, epoch_ = r14, plain_ = r15;
    bool has_plain_ = false;                 ///< some send may be plain
    std::map<std::uint32_t, Label> labels_;  ///< of joins, behind the look for channels
    std::deque<Late> late_;
    std::vector<Entry> entries_;
    std::uint32_t pending_ = 0;   ///< instructions of this block, which the count does not have yet
    std::uint32_t messages_ = 0;  ///< those of them that are direct messages
    Label leave_, resume_, go_on_, branch_;
};

}  // namespace gen9::eu::jit
