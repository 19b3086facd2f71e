// SPDX-License-Identifier: Apache-2.0
// Results that stay in the host's vectors for the instructions behind them.
#include "eu/jit/assembler.h"
#include "eu/jit/form_facts.h"

namespace gen9::eu::jit {

/// Is a source at hand?
bool Assembler::lies_in(const Hand* hand, const Source& source, const Shape& shape) {
    return hand != nullptr && source.way == Way::Packed && source.offset == hand->place &&
           shape == hand->shape;
}

/// Chooses the vectors of the result: those in which the first source is at hand, or others. True:
/// they have the source.
bool Assembler::choose_result(const DecodedInstruction& d, const Source& first,
                              const Shape& shape) {
    for (unsigned i = 0; i < kHands; ++i)
        if (lies_in(hands_[i], first, shape)) {
            hands_[i]->used = number_;
            result_ = kFirsts[newest_ = i];
            return true;
        }
    unsigned chosen = 1 - newest_;
    const auto asked_for = [&](const Hand* hand) {
        for (unsigned i = 1; i < d.form.sources; ++i)
            if (lies_in(hand, source_of(d, i), shape)) return true;
        return false;
    };
    if (asked_for(hands_[chosen]) && !asked_for(hands_[newest_])) chosen = newest_;
    result_ = kFirsts[newest_ = chosen];
    return false;
}

/// Another source that is at hand; null: it is not, or the result takes its place.
const Assembler::Hand* Assembler::take_hand(const Source& source, const Shape& shape) {
    Hand* const hand = hands_[1 - newest_];
    if (!lies_in(hand, source, shape)) return nullptr;
    hand->used = number_;
    return hand;
}

/// Behind a vector instruction, which has stored its result last.
void Assembler::keep_hand(const DecodedInstruction& d, const Shape& shape) {
    const bool kept = !d.instruction.dst.is_null() && target_of(d) == Target::Packed;
    hands_[newest_] =
        kept ? &all_hands_.emplace_back(Hand{d.fast.destination, shape, result_}) : nullptr;
}

void Assembler::load_hand(const Hand& hand) {
    for (unsigned p = 0; p < hand.shape.parts; ++p)
        vmovups(reg(hand.first + p, hand.shape),
                at(hand.place + std::size_t{p} * hand.shape.lanes * 4));
}

}  // namespace gen9::eu::jit
