// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "interconnect/payload/dispatch.h"

namespace gen9::eu {

/// Threads of one work that an EU is given in advance, for those of its slots that have threads of it
/// (module_ahead.cpp). They begin in their order.
class Dealt {
  public:
    unsigned left() const { return threads_.count - begun_; }
    std::uint32_t work() const { return work_; }
    const ThreadFollowers& threads() const { return threads_; }
    // The next one: its group, and its number there.
    const ThreadFollowers::Group& group() const { return threads_.groups[group_]; }
    unsigned local() const { return local_; }
    /// It has begun.
    void pass() {
        ++begun_;
        used = true;
        if (++local_ != threads_.group_threads) return;
        local_ = 0;
        ++group_;
    }
    /// Asks for as many as a thread of such a work is given, at most: twice what it was the last
    /// time, from `least` to kMost.
    void ask(const ThreadDispatch& dispatch, unsigned least);
    /// Those that are left are for others.
    void give_back(const ThreadDispatch& dispatch);
    // All of them are loaded with these registers alike, r0 included.
    const Grf* payload() const { return payload_.data(); }
    unsigned loaded() const { return static_cast<unsigned>(payload_.size()); }

    bool wanted = false;  ///< a thread has ended ahead and found none
    bool used = false;    ///< one has begun since the EU last looked

  private:
    static constexpr unsigned kMost = 240;
    ThreadFollowers threads_;
    unsigned begun_ = 0, group_ = 0, local_ = 0;  ///< of these
    std::uint32_t work_ = 0;
    unsigned most_ = 0;  ///< asked for last
    // The work may be over before the last of its threads here begins.
    std::vector<Grf> payload_;
    std::vector<std::uint8_t> rows_;
    std::vector<std::uint32_t> masks_;
};

}  // namespace gen9::eu
