// SPDX-License-Identifier: Apache-2.0
#include "memory/walker.h"

#include <algorithm>

namespace gen9::memory {

Walker::WalkId Walker::find(AddressSpace space, GpuAddr address) const {
    for (const Walk& walk : walks_)
        if (walk.space == space && walk.page == address.value >> walk.shift) return walk.id;
    return kNone;
}

Walker::WalkId Walker::start(AddressSpace space, GpuAddr address, const Translation& found,
                             TraceId cause) {
    walks_.push_back({++last_id_, space, address.value >> found.page_shift, found.page_shift,
                      found.levels, 0, found.entries, cause});
    return last_id_;
}

bool Walker::done(WalkId id) const {
    return std::none_of(walks_.begin(), walks_.end(), [id](const Walk& w) { return w.id == id; });
}

Cycles Walker::step(Cycles now, const Fetch& fetch, bool& refused) {
    Cycles wake;
    refused = false;
    // remove_if calls its predicate once for each walk, in order.
    walks_.erase(
        std::remove_if(walks_.begin(), walks_.end(),
                       [&](Walk& walk) { return advance(walk, now, fetch, refused, wake); }),
        walks_.end());
    return wake;
}

// True when the walk is done.
bool Walker::advance(Walk& walk, Cycles now, const Fetch& fetch, bool& refused, Cycles& wake) {
    for (; walk.next < walk.reads; ++walk.next) {
        const std::uint64_t address = walk.entries[walk.next] / kLineBytes * kLineBytes;
        Line* line = line_of(address);
        if (!line) {
            line = line_for(address);
            if (!line) return false;  // walks wait for all of them
            line->wanted = true;
            line->ready = now + global_read_;
            line->fetching = !(address & kGlobalTableEntry);
            // Until it is asked for, nobody may take the line for one that comes.
            if (line->fetching && !fetch(address, walk.cause)) {
                *line = {};
                refused = true;
                return false;
            }
        }
        line->last_use = ++use_;
        if (line->fetching) return false;
        if (line->ready > now) {
            wake = wake.value ? std::min(wake, line->ready) : line->ready;
            return false;
        }
        line->wanted = false;
    }
    return true;
}

bool Walker::arrived(std::uint64_t address, Cycles at) {
    Line* line = line_of(address);
    if (!line || !line->fetching) return false;
    line->fetching = false;
    line->ready = at;
    return true;
}

void Walker::forget() {
    for (Line& line : lines_)
        if (!line.fetching) line = {};
}

Walker::Line* Walker::line_of(std::uint64_t address) {
    const auto found = std::find_if(lines_.begin(), lines_.end(),
                                    [address](const Line& l) { return l.address == address; });
    return found == lines_.end() ? nullptr : &*found;
}

// The place of the line used longest ago.
Walker::Line* Walker::line_for(std::uint64_t address) {
    Line* oldest = nullptr;
    for (Line& line : lines_)
        if (!line.wanted && (!oldest || line.last_use < oldest->last_use)) oldest = &line;
    if (oldest) *oldest = {address, 0, false, false, Cycles()};
    return oldest;
}

}  // namespace gen9::memory
