// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "packets/commands.h"

namespace gen9 {

/// The state commands that one unit has latched, each in its slot (packets/latch.h). Whoever works
/// with a unit's state has an immutable block by reference; the command streamer makes a new one
/// when a command changes it.
class StageState {
  public:
    using Dwords = std::span<const std::uint32_t>;
    explicit StageState(packets::Unit unit) : words_(packets::block_dwords(unit)) {}

    /// The command that acts, header first, of that number; empty: it has not been given, and all
    /// its fields are 0.
    Dwords command(const packets::CommandRow& row, unsigned number = 0) const {
        return at(row, acting(row, number));
    }
    /// A deferred command as it was given last, whether it acts or not.
    Dwords pending(const packets::CommandRow& row) const { return at(row, row.latch.offset); }
    /// An element of a list; empty: it has not been given.
    Dwords element(const packets::CommandRow& row, unsigned number) const;

    /// False: it names a number that does not exist, or is longer than what the unit keeps; what
    /// can be kept of it is.
    bool take(const packets::CommandRow& row, Dwords dwords);
    /// As if it had not been given.
    void forget(const packets::CommandRow& row);

  private:
    static unsigned acting(const packets::CommandRow& row, unsigned number) {
        const bool deferred = row.latch.form == packets::Form::Deferred;
        return row.latch.offset + (deferred ? 1 : number) * row.latch.dwords;
    }
    Dwords at(const packets::CommandRow& row, unsigned place) const {
        if (words_[place] == 0) return {};
        return Dwords(words_).subspan(place, row.dwords(words_[place]));
    }
    bool keep(const packets::CommandRow& row, unsigned place, Dwords dwords);
    bool keep_entries(const packets::CommandRow& row, Dwords dwords);
    bool keep_elements(const packets::CommandRow& row, Dwords dwords);

    std::vector<std::uint32_t> words_;
};
using StageStatePtr = std::shared_ptr<const StageState>;

}  // namespace gen9
