// SPDX-License-Identifier: Apache-2.0
#include "cs/context/state_store.h"

#include <algorithm>
#include <vector>

#include "cs/context/sampler_tables.h"

namespace gen9::cs {

using packets::CommandRow;
using packets::Form;
using packets::Unit;

// Whoever has a block by reference keeps what it has.
StageState& StateStore::own(Unit unit) {
    auto& block = blocks_[static_cast<unsigned>(unit)];
    if (packets::travels(unit)) {
        snapshot_.reset();
        live_.stages[static_cast<unsigned>(unit)].reset();
    }
    if (!block)
        block = std::make_shared<StageState>(unit);
    else if (block.use_count() > 1)
        block = std::make_shared<StageState>(*block);
    return *block;
}

void StateStore::reset() {
    const std::uint32_t number = live_.number;
    *this = {};
    live_.number = number + 1;
}

bool StateStore::take(const CommandRow& row, Dwords dwords) {
    return own(row.latch.unit).take(row, dwords);
}

void StateStore::forget(const CommandRow& row) {
    if (blocks_[static_cast<unsigned>(row.latch.unit)]) own(row.latch.unit).forget(row);
}

// A block of its own tells the stage that its constants are of another commit (FF-91).
void StateStore::commit_again() {
    for (const Unit unit : {Unit::Vs, Unit::Hs, Unit::Ds, Unit::Gs})
        if (blocks_[static_cast<unsigned>(unit)]) own(unit);
}

void StateStore::make_snapshot() {
    for (unsigned unit = 0; unit < packets::kTravellingUnits; ++unit) {
        if (live_.stages[unit] || !blocks_[unit]) continue;
        live_.stages[unit] = blocks_[unit];
        if (static_cast<Unit>(unit) == Unit::Sampler)
            live_.sampler_tables =
                std::make_shared<SamplerTables>(read_sampler_tables(*blocks_[unit]));
    }
    snapshot_ = std::make_shared<const PipelineState>(live_);
}

// CS-105, CS-108 to CS-113: executing the image gives the state again. A numbered command that
// says no more than its number says what reset says, and needs no place: there are more of them
// than the image has room for (CS-112). An element that is not instanced has no use for its step
// rate (VF-14).
const char* StateStore::put(
    const std::function<void(unsigned place, Dwords command)>& put_at) const {
    static const auto rows = [] {
        std::vector<const CommandRow*> held;
        for (const CommandRow& row : packets::command_rows())
            if (row.latch.image && row.latch.dwords) held.push_back(&row);
        return held;
    }();
    const char* too_long = nullptr;
    for (const CommandRow* const held : rows) {
        const CommandRow& row = *held;
        const packets::Latch& latch = row.latch;
        const auto& block = blocks_[static_cast<unsigned>(latch.unit)];
        if (!block) continue;
        if (latch.form != Form::Numbered) {
            put_at(latch.image, block->command(row));
            if (latch.pending_image) put_at(latch.pending_image, block->pending(row));
            continue;
        }
        unsigned used = 0;
        for (unsigned number = 0; number < latch.count; ++number) {
            const Dwords given = block->command(row, number);
            if (given.empty()) continue;
            const std::uint32_t beside_number =
                given[1] &
                ~(((2u << (latch.number_high - latch.number_low)) - 1) << latch.number_low);
            const bool is_element = latch.unit == Unit::Vf;
            if (beside_number == 0 &&
                (is_element ||
                 std::ranges::all_of(given.subspan(2), [](std::uint32_t dword) { return !dword; })))
                continue;
            if (used + given.size() > latch.image_dwords) {
                too_long = row.name;
                break;
            }
            put_at(latch.image + used, given);
            used += static_cast<unsigned>(given.size());
        }
    }
    return too_long;
}

}  // namespace gen9::cs
