// SPDX-License-Identifier: Apache-2.0
#include "memory/mmu/walker.h"

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
    // Only now, so that every walk that waited for a line has found it.
    keep_arrived(now);
    return wake;
}

// True when the walk is done.
bool Walker::advance(Walk& walk, Cycles now, const Fetch& fetch, bool& refused, Cycles& wake) {
    for (; walk.next < walk.reads; ++walk.next) {
        const std::uint64_t line = walk.entries[walk.next] / kLineBytes * kLineBytes;
        if (is_there(line, now)) continue;
        const Coming* read = coming(line);
        if (!read) {
            const bool in_memory = !(line & kGlobalTableEntry);
            if (in_memory && !fetch(line, walk.cause)) {
                refused = true;
                return false;
            }
            coming_.push_back({line, in_memory, now + global_read_});
            read = &coming_.back();
        }
        if (!read->fetching) wake = wake.value ? std::min(wake, read->ready) : read->ready;
        return false;
    }
    return true;
}

bool Walker::arrived(std::uint64_t line, Cycles at) {
    Coming* read = coming(line);
    if (!read || !read->fetching) return false;
    read->fetching = false;
    read->ready = at;
    return true;
}

void Walker::forget() {
    std::fill(kept_.begin(), kept_.end(), kEmpty);
    std::erase_if(coming_, [](const Coming& read) { return !read.fetching; });
}

bool Walker::keep(std::uint64_t line) {
    if (find_kept(line)) return true;
    keep_new(line);
    return false;
}

bool Walker::find_kept(std::uint64_t line) {
    if (kept_.front() == line) return true;
    // Behind the last line there are empty places only.
    const auto kept = std::find_if(kept_.begin(), kept_.end(), [line](std::uint64_t each) {
        return each == line || each == kEmpty;
    });
    if (kept == kept_.end() || *kept != line) return false;
    std::move_backward(kept_.begin(), kept, kept + 1);
    kept_.front() = line;
    return true;
}

void Walker::keep_new(std::uint64_t line) {
    std::move_backward(kept_.begin(), kept_.end() - 1, kept_.end());
    kept_.front() = line;
}

bool Walker::is_there(std::uint64_t line, Cycles now) {
    if (find_kept(line)) return true;
    const Coming* read = coming(line);
    return read && read->there(now);
}

Walker::Coming* Walker::coming(std::uint64_t line) {
    const auto found = std::find_if(coming_.begin(), coming_.end(),
                                    [line](const Coming& read) { return read.address == line; });
    return found == coming_.end() ? nullptr : &*found;
}

void Walker::keep_arrived(Cycles now) {
    std::erase_if(coming_, [&](const Coming& read) {
        if (!read.there(now)) return false;
        keep(read.address);
        return true;
    });
}

}  // namespace gen9::memory
