// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "common/bits.h"
#include "common/units.h"

namespace gen9::eu {

/// A set of registers of a thread.
class RegisterSet {
  public:
    static constexpr RegisterSet all() {
        RegisterSet set;
        set.words_.fill(~std::uint64_t{0});
        return set;
    }
    /// `count` registers from `first` on; behind the last comes the first of the file (EU-025).
    void add(unsigned first, unsigned count) {
        first %= kGrfCount;
        for (count = std::min<unsigned>(count, kGrfCount); count != 0;) {
            const unsigned bit = first % 64, here = std::min(count, 64 - bit);
            words_[first / 64] |= ~std::uint64_t{0} >> (64 - here) << bit;
            first = (first + here) % kGrfCount;
            count -= here;
        }
    }
    void add(const RegisterSet& other) {
        for (unsigned i = 0; i < words_.size(); ++i)
            words_[i] |= other.words_[i];
    }
    bool operator==(const RegisterSet& other) const {
        return ((words_[0] ^ other.words_[0]) | (words_[1] ^ other.words_[1])) == 0;
    }
    bool has(unsigned reg) const { return words_[reg / 64] >> reg % 64 & 1; }

    /// Calls act(first, end) for each run of adjacent registers from `from` on; a run may be told in
    /// two parts.
    template <class Act>
    void for_each_range(unsigned from, Act act) const {
        for (unsigned word = from / 64; word < words_.size(); ++word) {
            const unsigned below = word == from / 64 ? from % 64 : 0;
            std::uint64_t left = words_[word] >> below << below;
            while (left != 0) {
                const auto first = static_cast<unsigned>(std::countr_zero(left));
                const auto count = static_cast<unsigned>(std::countr_one(left >> first));
                act(word * 64 + first, word * 64 + first + count);
                left = first + count == 64 ? 0 : left >> (first + count) << (first + count);
            }
        }
    }

  private:
    static_assert(kGrfCount == 128);
    std::array<std::uint64_t, 2> words_{};
};

/// The registers of a set from one on, as runs of adjacent ones. Runs with few registers between
/// them are one: to write these as well costs less than to begin anew behind them.
class RegisterRuns {
  public:
    struct Run {
        std::uint8_t first, count;
    };
    static constexpr unsigned kGap = 8;

    RegisterRuns() = default;
    RegisterRuns(const RegisterSet& set, unsigned from) : set_(set), from_(from) {
        set.for_each_range(from, [this](unsigned first, unsigned end) {
            if (count_ == 0 || first > end_of_last() + kGap)
                runs_[count_++] = {static_cast<std::uint8_t>(first), 0};
            Run& run = runs_[count_ - 1];
            run.count = static_cast<std::uint8_t>(end - run.first);
        });
    }
    bool are_of(const RegisterSet& set, unsigned from) const {
        return from_ == from && set_ == set;
    }
    const Run* begin() const { return runs_.data(); }
    const Run* end() const { return runs_.data() + count_; }

  private:
    unsigned end_of_last() const { return runs_[count_ - 1].first + runs_[count_ - 1].count; }

    RegisterSet set_;
    unsigned from_ = 0, count_ = 0;
    std::array<Run, kGrfCount / (kGap + 2) + 1> runs_{};
};

}  // namespace gen9::eu
