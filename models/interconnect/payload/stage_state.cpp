// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/stage_state.h"

#include <algorithm>

#include "common/bits.h"

namespace gen9 {

using packets::CommandRow;
using packets::Form;
using packets::Latch;

StageState::Dwords StageState::element(const CommandRow& row, unsigned number) const {
    const Latch& latch = row.latch;
    const Dwords given = at(row, latch.offset);
    for (std::size_t i = 1; i + latch.element_dwords <= given.size(); i += latch.element_dwords)
        if (bits(given[i], latch.number_high, latch.number_low) == number)
            return given.subspan(i, latch.element_dwords);
    return {};
}

bool StageState::take(const CommandRow& row, Dwords dwords) {
    const Latch& latch = row.latch;
    bool good = true;
    switch (latch.form) {
        case Form::Whole:
        case Form::Deferred:
            good = keep(row, latch.offset, dwords);
            break;
        case Form::Entries:
            good = keep_entries(row, dwords);
            break;
        case Form::Numbered: {
            const std::uint32_t number = bits(dwords[1], latch.number_high, latch.number_low);
            good = number < latch.count && keep(row, latch.offset + number * latch.dwords, dwords);
            break;
        }
        case Form::List:
            good = keep_elements(row, dwords);
            break;
    }
    if (latch.commits)
        std::copy_n(words_.begin() + latch.commit_offset, latch.commit_dwords,
                    words_.begin() + latch.commit_offset + latch.commit_dwords);
    return good;
}

void StageState::forget(const CommandRow& row) {
    std::fill_n(words_.begin() + row.latch.offset, row.latch.slot_dwords(), 0u);
}

bool StageState::keep(const CommandRow& row, unsigned place, Dwords dwords) {
    const std::size_t count = std::min<std::size_t>(dwords.size(), row.latch.dwords);
    std::copy_n(dwords.begin(), count, words_.begin() + place);
    if (count == dwords.size()) return true;
    words_[place] = row.with_length(dwords[0], static_cast<std::uint32_t>(count));
    return false;
}

bool StageState::keep_entries(const CommandRow& row, Dwords dwords) {
    const unsigned place = row.latch.offset;
    const std::size_t before = at(row, place).size();
    const bool good = keep(row, place, dwords);
    if (const std::size_t now = at(row, place).size(); now < before)
        words_[place] = row.with_length(words_[place], static_cast<std::uint32_t>(before));
    return good;
}

bool StageState::keep_elements(const CommandRow& row, Dwords dwords) {
    const Latch& latch = row.latch;
    const unsigned place = latch.offset;
    std::size_t count = std::max<std::size_t>(at(row, place).size(), 1);
    bool good = true;
    for (std::size_t i = 1; i + latch.element_dwords <= dwords.size(); i += latch.element_dwords) {
        const Dwords element = dwords.subspan(i, latch.element_dwords);
        const auto number_of = [&](std::uint32_t dword) {
            return bits(dword, latch.number_high, latch.number_low);
        };
        if (number_of(element[0]) >= latch.count) {
            good = false;
            continue;
        }
        std::size_t at_element = 1;
        while (at_element < count && number_of(words_[place + at_element]) != number_of(element[0]))
            at_element += latch.element_dwords;
        std::ranges::copy(element,
                          words_.begin() + static_cast<std::ptrdiff_t>(place + at_element));
        count = std::max(count, at_element + latch.element_dwords);
    }
    if (count > 1) words_[place] = row.with_length(dwords[0], static_cast<std::uint32_t>(count));
    return good;
}

}  // namespace gen9
