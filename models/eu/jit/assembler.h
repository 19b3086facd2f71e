// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <xbyak/xbyak.h>

#include "eu/execute/decoded.h"
#include "eu/jit/compiled_region.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/float_control.h"

namespace gen9::eu::jit {

/// Host code for single instructions. `rbx` is the thread, `r12` the frame; `rax`, `rcx`, `rdx`,
/// `rsi`, `rdi`, `r8` to `r11` and the vector registers are free between instructions: every
/// result is in the thread. Two of vector instructions may be at hand as well (Hand).
class Assembler : public Xbyak::CodeGenerator {
  protected:
    /// `control`: cr0.0 of the threads.
    Assembler(std::span<std::uint8_t> buffer, Level level, bool flushes, std::uint32_t control)
        : CodeGenerator(buffer.size(), buffer.data()),
          level_(level),
          flushes_(flushes),
          alternate_((control & cr0::kAlternate) != 0 && (control & cr0::kFloatDenormals) == 0) {}

    /// Is there code for what it does to the registers, if its specialised functions may be used?
    bool knows(const DecodedInstruction& d) const;
    /// Is there code for it in the alternate mode, in which these threads compute and which it minds?
    bool makes_finite(const DecodedInstruction& d) const;
    /// Writes it. `masked`: some of its channels may not be active.
    void write(const DecodedInstruction& d, bool masked);
    /// The same for immediates of packed vectors, while all channels of the instruction run.
    static bool knows_constant_vector(const DecodedInstruction& d);
    void write_constant_vector(const DecodedInstruction& d);
    /// The same for constants that become notification counts, as in front of a barrier.
    static bool sets_notification(const DecodedInstruction& d);
    void write_notification(const DecodedInstruction& d);
    /// Bits of the channels whose predicate is true, from lane 0 on; more bits may be set.
    void predicate_bits(const DecodedInstruction& d, const Xbyak::Reg32& to);
    /// Writes the constants that were asked for, behind the code.
    void write_constants();

    /// edx: the slots of a send's message.
    void message_mask(const DecodedInstruction& d);
    /// Is there code for plain messages of a form?
    bool knows_plain(const DecodedInstruction& d, PlainMessages::Form form) const;
    /// Writes it; `rdi` has the PlainMessages where the code goes on behind. A message that has been moved and counted by a call goes to `moved`. One that does
    /// not fit goes to `no`, and nothing has been done.
    /// True: all are moved and counted by a call. The labels are used later, too.
    /// `look` writes what finds `rdi` and looks at the window, once; `find` what finds `rdi`. `kept`:
    /// where the thread keeps the place of its slots; 0: nowhere.
    struct PlainWay {
        bool masked;
        std::size_t kept;
        const Xbyak::Label &no, &moved;
        std::function<void()> look, find;
    };
    bool write_plain(const DecodedInstruction& d, PlainMessages::Form form, const PlainWay& way);
    /// Writes what is out of the way of plain messages.
    void write_aside();
    static std::size_t place_of(const isa::Operand& operand);
    void load_inactive();

    /// A vector instruction cut into host vectors.
    struct Shape {
        unsigned parts, lanes;  ///< lanes of each
        bool operator==(const Shape&) const = default;
    };
    /// A result in the thread that is in vectors of the host, too, until another instruction changes
    /// one of them. Code that comes from elsewhere has to load it if it is still asked for.
    struct Hand {
        std::size_t place;
        Shape shape;
        unsigned first;        ///< the first vector
        std::size_t used = 0;  ///< the last instruction that takes it from there
    };
    static constexpr unsigned kHands = 2;
    using Hands = std::array<Hand*, kHands>;  ///< null: there is none
    void drop_hands() {
        hands_ = {};
        result_ = kFirst;
    }
    void load_hand(const Hand& hand);
    /// Loads those that are asked for by an instruction from `number` on.
    void load_hands(const Hands& hands, std::size_t number) {
        for (const Hand* const hand : hands)
            if (hand != nullptr && hand->used >= number) load_hand(*hand);
    }
    Hands hands_{};
    std::size_t number_ = 0;  ///< of the instruction that is written

    const Xbyak::Reg64 thread_ = rbx, frame_ = r12;
    const Level level_;
    const bool flushes_;
    const bool alternate_;  ///< the alternate float mode, which keeps no denormals
    /// The code keeps what `Frame::inactive` says of the first sixteen channels in kInactive and
    /// behind: for hosts without masks of their own, in the form for some channels.
    bool keeps_inactive_ = false;

    Xbyak::Address at(std::size_t offset, unsigned bits = 0) const {
        return bits == 8    ? byte[thread_ + offset]
               : bits == 16 ? word[thread_ + offset]
               : bits == 32 ? dword[thread_ + offset]
                            : ptr[thread_ + offset];
    }

    /// All ones in the lanes of a part whose bit in `bits` is set, or is not. Of several parts the
    /// first comes first, and the bits stay in kBits.
    void expand(const Xbyak::Xmm& to, const Xbyak::Reg32& bits, unsigned part, bool inverted);

  private:
    /// How a source comes to its lanes.
    enum class Way : std::uint8_t {
        None,
        Constant,
        Scalar,
        Packed,
        Narrow,        ///< packed elements of fewer bits
        Quad,          ///< one element for four lanes, as derivatives have it
        Spread,        ///< an element of fewer bits in each DWord
        SpreadInWord,  ///< a byte in each word
        EveryOther,    ///< every other DWord
        Region,        ///< any regular region
    };
    struct Source {
        Way way = Way::None;
        unsigned bytes = 4;  ///< of an element
        bool is_signed = false;
        bool is_half = false;  ///< a half that becomes a single
        std::uint16_t offset = 0;
        std::uint8_t modifier = 0;
        bool is_float = false;
        std::uint64_t constant = 0;
        isa::Type type = isa::Type::UD;
        const isa::Operand* operand = nullptr;
        unsigned lanes = 0;  ///< of the instruction
    };
    /// How a result of lanes comes to the destination.
    enum class Target : std::uint8_t {
        None,
        Packed,
        Narrow,      ///< packed elements of fewer bits
        Spread,      ///< an element of fewer bits in each DWord
        EveryOther,  ///< every other DWord
    };
    /// Tells where the second or third operand is: in vectors of its own, in one for all parts, or
    /// where the thread has it.
    struct Held {
        bool in_one = false, in_thread = false;
        std::size_t place = 0;  ///< of the first part, in the thread
        unsigned first = 0;     ///< otherwise the first vector
    };
    /// The lanes that an instruction writes: all; those whose channels are active; or others, which
    /// have to be worked out.
    enum class Lanes : std::uint8_t { All, Active, Listed };
    using Xmm = Xbyak::Xmm;
    using Reg32 = Xbyak::Reg32;
    using Lane = fast::Lane;

    Source source_of(const DecodedInstruction& d, unsigned i) const;
    static Way way_of_region(const DecodedInstruction& d, const isa::Operand& operand,
                             unsigned bytes);
    bool sources_known(const DecodedInstruction& d) const;
    bool knows_scalar(const DecodedInstruction& d) const;
    bool knows_vector(const DecodedInstruction& d) const;
    bool knows_words(const DecodedInstruction& d) const;

    void write_scalar(const DecodedInstruction& d, bool masked);
    void write_scalar_float(const DecodedInstruction& d);
    void write_scalar_integer(const DecodedInstruction& d);
    template <class Second>
    void scalar_operation(const DecodedInstruction& d, const Second& b);
    /// A DWord in the thread that is taken as it is.
    static bool lies_as_it_is(const Source& source) {
        return source.way != Way::Constant && source.bytes == 4 && source.modifier == 0;
    }
    void load_scalar(const Source& source, const Reg32& to);
    void modify_scalar(const Source& source, const Reg32& value);
    void store_scalar(const DecodedInstruction& d, const Reg32& value);
    void scalar_condition(const DecodedInstruction& d, isa::CondMod condition, bool is_signed);

    void write_vector(const DecodedInstruction& d, bool masked);
    void write_words(const DecodedInstruction& d);
    static bool is_one(const Source& source) {
        return source.way == Way::Constant || source.way == Way::Scalar;
    }
    static bool lies_packed(const Source& source) {
        return source.way == Way::Packed && source.modifier == 0;
    }
    bool compares_alike(const DecodedInstruction& d, const Shape& shape) const;
    bool joins_one(const DecodedInstruction& d) const;
    void join_one(const DecodedInstruction& d, const Shape& shape, bool at_hand);
    Shape shape_of(const DecodedInstruction& d) const;
    Lanes vector_lanes(const DecodedInstruction& d, bool masked) const;
    Xmm reg(unsigned number, const Shape& shape) const;
    void load(const Source& source, unsigned first, const Shape& shape);
    static bool lies_in(const Hand* hand, const Source& source, const Shape& shape);
    bool choose_result(const DecodedInstruction& d, const Source& first, const Shape& shape);
    const Hand* take_hand(const Source& source, const Shape& shape);
    void keep_hand(const DecodedInstruction& d, const Shape& shape);
    /// Has the second operand (1) or the third (2) at hand for `operate` and `relation`.
    void hold(const DecodedInstruction& d, unsigned i, const Shape& shape);
    bool changes_operands(const DecodedInstruction& d) const;
    bool is_first_of_host(const DecodedInstruction& d, unsigned i) const;
    /// Does the host compare the second operand with the first?
    static bool is_swapped(const DecodedInstruction& d);
    Xmm held_in(unsigned i, unsigned part, const Shape& shape) const;
    Xbyak::Address place_of_part(unsigned i, unsigned part, const Shape& shape) const {
        return at(held_[i].place + std::size_t{part} * shape.lanes * 4);
    }
    static bool shifts(fast::Op op) {
        return op == fast::Op::Shl || op == fast::Op::Shr || op == fast::Op::Asr;
    }
    static bool shifts_by_constant(const DecodedInstruction& d) {
        return shifts(d.form.op) && d.fast.immediate[1];
    }
    void shift_by_constant(const DecodedInstruction& d, const Xmm& value);
    void modify(const Source& source, unsigned first, const Shape& shape);
    void make_finite(unsigned first, const Shape& shape);
    static bool may_overflow(fast::Op op);
    bool clamps_ = false;  ///< the instruction that is written clamps its singles (makes_finite)
    // Regions that are not packed DWords (regions.cpp).
    void load_region(const Source& source, const Xmm& to, unsigned part, unsigned lanes);
    void extend(const Xmm& value, unsigned bits, bool is_signed);
    void halves_to_singles(const Xmm& value);
    Target target_of(const DecodedInstruction& d) const;
    /// k1, or the vector that it gives: the lanes of a part that are written (or, `off`, that are
    /// not).
    Xmm mask_of_part(const DecodedInstruction& d, const Shape& shape, unsigned part, Lanes lanes,
                     bool off);
    void store_narrow(const DecodedInstruction& d, const Shape& shape, Lanes lanes);
    void narrow(const Xmm& value, const Shape& shape, unsigned bytes);
    void store_spread(const DecodedInstruction& d, const Shape& shape, Lanes lanes);
    void store_every_other(const DecodedInstruction& d, const Shape& shape, Lanes lanes);
    Xbyak::Address table(const std::vector<std::uint8_t>& bytes, unsigned from);
    Xbyak::Address region_offsets(const Source& source, unsigned from_lane);
    void move_bytes(const Xmm& value, const Xbyak::Address& place, unsigned bytes, bool to_memory);

    // Lanes of 64 bits (wide.cpp).
    bool knows_wide(const DecodedInstruction& d) const;
    bool knows_wide_operation(const DecodedInstruction& d) const;
    Source wide_source(const DecodedInstruction& d, unsigned i) const;
    Target wide_target(const DecodedInstruction& d) const;
    void write_wide(const DecodedInstruction& d, bool masked);
    Shape wide_shape(const DecodedInstruction& d) const;
    static Xmm wide(unsigned number, const Shape& shape);
    void load_wide(const Source& source, unsigned first, const Shape& shape);
    void load_wide_scalar(const Source& source, const Xmm& to);
    void load_wide_part(const Source& source, const Xmm& to, unsigned part, const Shape& shape);
    void extend_wide(const Xmm& value, unsigned bits, bool is_signed);
    void modify_wide(const Source& source, unsigned first, const Shape& shape);
    void operate_wide(const DecodedInstruction& d, const Shape& shape);
    void multiply_wide(const Xmm& a, const Xmm& b);
    void select_wide(const DecodedInstruction& d, const Shape& shape);
    void saturate_wide(const Shape& shape);
    void relation_wide(const DecodedInstruction& d, isa::CondMod condition, const Shape& shape,
                       bool against_zero);
    void compare_part_wide(const Xmm& a, const Xmm& b, Lane lane, isa::CondMod condition,
                           unsigned part, const Shape& shape);
    void expand_wide(const Xmm& to, const Reg32& bits, unsigned part, bool inverted);
    void settle_wide_result(const DecodedInstruction& d, const Shape& shape);
    void store_wide(const DecodedInstruction& d, const Shape& shape, Lanes lanes);
    void store_wide_part(const Xmm& value, std::size_t place, unsigned part, const Shape& shape,
                         Lanes lanes, Target target);
    void operate(const DecodedInstruction& d, const Shape& shape);
    void extreme(const DecodedInstruction& d, const Shape& shape);
    static bool is_extreme_of_host(const DecodedInstruction& d);
    void integer_extreme(Lane lane, bool maximum, const Xmm& a, const Xbyak::Operand& b);
    void float_extreme(bool doubles, bool maximum, unsigned part, const Shape& shape);
    void plane(const DecodedInstruction& d, const Shape& shape);
    void to_integer(const Shape& shape);
    void to_unsigned(const Shape& shape);
    void settle(unsigned first, const Shape& shape);
    void saturate(const Shape& shape);
    void select(const DecodedInstruction& d, const Shape& shape);
    /// eax: the lanes for which it holds.
    void relation(const DecodedInstruction& d, const Shape& shape);
    void result_condition(const DecodedInstruction& d, const Shape& shape);
    void lanes_that_hold(unsigned part, const Shape& shape);
    void collect(unsigned part, const Shape& shape, const Xmm& lanes);
    void collect_mask(unsigned part, const Shape& shape);
    /// The flag gets the bits of eax in the lanes that `edx` names, or in all.
    void set_flag(const DecodedInstruction& d, bool all);
    void store(const DecodedInstruction& d, const Shape& shape, Lanes lanes);
    Lanes lanes_of(const DecodedInstruction& d, bool masked) const;
    void load_active(unsigned offset, std::uint32_t lanes, const Reg32& to);
    void keep_predicated(const DecodedInstruction& d, const Reg32& lanes);
    /// edx: the lanes.
    void list_lanes(const DecodedInstruction& d, bool masked);
    void store_enabled(const DecodedInstruction& d, const Shape& shape, Lanes lanes);

    /// A plain message: the vectors of the host that hold its offsets, and the place of its data.
    struct PlainMove {
        PlainMessages::Form form;
        std::size_t offsets, data;  ///< places in the thread
        unsigned offset_bytes, vectors;
        bool reads;
        std::uint32_t lanes;  ///< of the instruction
    };
    /// Goes to `other` unless each slot begins so many bytes behind the one before.
    void check_distances(const PlainMove& move, unsigned bytes, const Xbyak::Label& other);
    void find_start(const PlainMove& move, bool all, const Xbyak::Label& no);
    Xbyak::RegExp in_window(const PlainMove& move) const;
    void move_together(const PlainMove& move, const Xbyak::RegExp& from);
    void move_one_place(const PlainMove& move, const Xbyak::RegExp& from);
    void find_indices(const PlainMove& move, const Xbyak::Ymm& offsets, const Xbyak::Label& no);
    void gather(const PlainMove& move, const Xbyak::Label& no);
    /// Calls `PlainMessages::move`; esi: the slots. `all`: they are all on.
    void call_move(const PlainMove& move, bool all, const Xbyak::Label& no);

    Xbyak::Address constant(std::uint32_t value);
    Xbyak::Address wide_constant(std::uint64_t value);
    Xbyak::Address lane_bits(unsigned part);
    /// 0, 1, 2 ... times a step, in lanes of 4 or 8 bytes.
    Xbyak::Address ramp(unsigned step, unsigned lane_bytes, unsigned from_lane);

    std::array<Held, 3> held_;
    std::deque<Hand> all_hands_;
    static constexpr std::array<unsigned, kHands> kFirsts{kFirst, kOtherFirst};
    unsigned newest_ = 0;       ///< the hand that has the last result
    unsigned result_ = kFirst;  ///< first vector of the result, and of the first operand
    std::map<std::uint32_t, Xbyak::Label> constants_;
    std::map<std::uint64_t, Xbyak::Label> wide_constants_;
    std::map<std::vector<std::uint32_t>, Xbyak::Label>
        offsets_;  ///< tables: of the lanes of regions, and others
    std::map<std::pair<unsigned, unsigned>, Xbyak::Label> ramps_;
    std::vector<std::function<void()>> aside_;
    std::deque<Xbyak::Label> aside_labels_;
    Xbyak::Label lane_bits_, wide_lane_bits_;
    bool uses_lane_bits_ = false, uses_wide_lane_bits_ = false;
};

}  // namespace gen9::eu::jit
