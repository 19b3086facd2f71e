// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "eu/execute/operands.h"
#include "eu/fast/request.h"

namespace gen9::eu::fast {

/// Bytes of a lane while computing.
constexpr unsigned lane_bytes(Lane lane) {
    switch (lane) {
        case Lane::U16:
            return 2;
        case Lane::I64:
        case Lane::U64:
        case Lane::Double:
            return 8;
        default:
            return 4;
    }
}
constexpr bool is_float_lane(Lane lane) {
    return lane == Lane::Single || lane == Lane::Double;
}
constexpr bool is_integer(isa::Type type) {
    return !isa::is_float(type) && type != isa::Type::UV && type != isa::Type::V;
}

/// Finds the specialised function of one instruction and resolves its operands. What it turns away
/// runs on the general path; both give the same state (tests/unit/eu/execute/fast_test.cpp).
class Selector {
  public:
    Selector(DecodedInstruction& d, bool newer_host)
        : in_(d.instruction), f_(d.fast), newer_host_(newer_host) {}
    /// The specialised functions, if there are any.
    Choice run();
    bool writes_every_lane() const;
    /// The function that was asked for.
    const Request& request() const { return request_; }

  private:
    // Finds the operation (classify.cpp). False: there is no specialised function for it.
    bool classify();
    bool classify_move();
    bool classify_float_move();
    bool classify_negated_integer();
    bool classify_arithmetic(Op op);
    bool classify_integer(Op op);
    bool classify_bits(Op op);
    bool classify_math();
    bool classify_plane();
    bool classify_compare();
    bool classify_select();
    bool classify_conditional_select();
    bool classify_macro();
    bool classify_carry(Op op);
    void rewrite_subtraction();
    bool is_plain_word_move() const;
    bool all_float(bool halves_too) const;
    bool all_of_type(isa::Type type) const;
    bool all_integer() const;
    unsigned widest() const;
    Lane modular_lane() const { return widest() == 8 ? Lane::U64 : Lane::U32; }
    Lane ordered_lane() const;
    bool fits(const isa::Operand& operand, Int128 low, Int128 high) const;
    bool ask(Op op, Lane lane, unsigned sources) {
        request_.op = op;
        request_.lane = result_lane_ = lane;
        request_.sources = sources;
        return true;
    }

    // Looks where its operands lie (select.cpp).
    bool acceptable() const;
    bool has_place(const isa::Operand& operand) const;
    unsigned place_of(const isa::Operand& operand) const;
    unsigned element_bytes(const isa::Operand& operand) const;
    void set_modes();
    bool set_shape();
    int linear_stride(const isa::Operand& operand) const;
    void set_source(unsigned i);
    std::uint64_t constant_of(const isa::Operand& operand, Lane lane) const;
    bool set_destination();
    void settle_form();
    bool in_range() const;
    Choice pick() const;

    const isa::Instruction& in_;
    FastOperands& f_;
    const bool newer_host_;
    Request request_;
    Lane result_lane_ = Lane::None;
    bool raw_ = false;               ///< bits are moved as they are
    unsigned dropped_negate_ = ~0u;  ///< source whose negation became part of the operation
    bool packed_[3] = {};            ///< the source is packed lanes where it lies
};

}  // namespace gen9::eu::fast
