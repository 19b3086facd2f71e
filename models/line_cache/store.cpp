// SPDX-License-Identifier: Apache-2.0
#include "line_cache/store.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "interconnect/payload/lane_access.h"

namespace gen9::line_cache {

LineStore::LineStore(std::uint64_t bytes, std::uint64_t ways)
    : ways_(ways),
      sets_(std::max<std::uint64_t>(bytes / kLineBytes / ways, 1)),
      lines_(ways_ * sets_) {}

LineStore::Line* LineStore::find(const LineName& name) {
    Line* const set = set_of(name);
    for (std::uint64_t way = 0; way < ways_; ++way) {
        if (!set[way].used || set[way].name != name) continue;
        set[way].last_use = ++clock_;
        return &set[way];
    }
    return nullptr;
}

LineStore::Line* LineStore::place(const LineName& name) {
    Line* const set = set_of(name);
    Line* chosen = nullptr;
    for (std::uint64_t way = 0; way < ways_; ++way) {
        Line& line = set[way];
        if (!line.used) return &line;
        if (line.awaited) continue;
        if (chosen == nullptr || line.last_use < chosen->last_use) chosen = &line;
    }
    return chosen;
}

void LineStore::put(Line& place, const LineName& name) {
    place = Line();
    place.name = name;
    place.used = true;
    place.last_use = ++clock_;
}

void LineStore::fill(Line& line, const std::uint8_t* bytes) {
    if (line.valid == 0)
        std::memcpy(line.data.data(), bytes, kLineBytes);
    else
        for (std::uint64_t left = ~line.valid; left != 0; left &= left - 1) {
            const auto byte = static_cast<unsigned>(std::countr_zero(left));
            line.data[byte] = bytes[byte];
        }
    line.valid = ~std::uint64_t{0};
}

void LineStore::perform(Line& line, const LineAccess& access) {
    if (access.lanes != nullptr) {
        perform_lanes(*access.lanes, {line.data.data(), kLineBytes}, access.offset);
        if (access.lanes->kind == LaneAccess::Kind::Read) return;
        line.valid |= access.touched;
        line.dirty |= access.touched;
        return;
    }
    if (!access.write) {
        std::memcpy(access.data, line.data.data() + access.offset, access.size);
        return;
    }
    line.valid |= access.touched;
    line.dirty |= access.touched;
    if (std::popcount(access.touched) == static_cast<int>(access.size)) {
        std::memcpy(line.data.data() + access.offset, access.data, access.size);
        return;
    }
    for (std::uint64_t left = access.touched; left != 0; left &= left - 1) {
        const auto byte = static_cast<unsigned>(std::countr_zero(left));
        line.data[byte] = access.data[byte - access.offset];
    }
}

std::uint64_t LineStore::dirty_lines() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(lines_, [](const Line& line) { return line.dirty != 0; }));
}

}  // namespace gen9::line_cache
