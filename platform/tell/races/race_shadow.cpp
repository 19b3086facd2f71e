// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/races/race_shadow.h"

#include <algorithm>

namespace gen9::platform {
namespace {

constexpr unsigned kDwordBytes = 4;
constexpr std::uint64_t kOfSlm = std::uint64_t{1} << 63;

}  // namespace

void RaceShadow::clear() {
    pages_.clear();
    threads_.clear();
    bytes_ = 0;
}

bool RaceShadow::grow(std::size_t bytes) {
    if (bytes_ + bytes > most_bytes_) return false;
    bytes_ += bytes;
    return true;
}

RaceShadow::Page* RaceShadow::page_of(const Access& access) {
    const std::uint64_t key = access.address / kPageBytes | (access.slm ? kOfSlm : 0);
    if (const auto found = pages_.find(key); found != pages_.end()) return &found->second;
    constexpr std::size_t kCells = kPageBytes / kDwordBytes;
    if (!grow(kCells * sizeof(Cell))) return nullptr;
    Page& page = pages_[key];
    page.cells.resize(kCells);
    return &page;
}

bool RaceShadow::split(Page& page) {
    if (!grow((kDwordBytes - 1) * page.cells.size() * sizeof(Cell))) return false;
    std::vector<Cell> bytes;
    bytes.reserve(kPageBytes);
    for (const Cell& cell : page.cells)
        bytes.insert(bytes.end(), kDwordBytes, cell);
    page.cells = std::move(bytes);
    page.by_byte = true;
    return true;
}

const std::vector<RaceShadow::Other>& RaceShadow::note(const Access& given) {
    found_.clear();
    const Thread& mine = threads_[given.thread];
    Access access = given;
    for (unsigned left = given.bytes; left != 0;
         left -= access.bytes, access.address += access.bytes) {
        const std::uint64_t in_page = access.address % kPageBytes;
        access.bytes = std::min(left, static_cast<unsigned>(kPageBytes - in_page));
        Page* const page = page_of(access);
        const bool whole = (in_page | access.bytes) % kDwordBytes == 0;
        if (page == nullptr || (!whole && !page->by_byte && !split(*page))) {
            ++unwatched_;
            continue;
        }
        const unsigned size = page->by_byte ? 1 : kDwordBytes;
        for (std::uint64_t at = in_page; at < in_page + access.bytes; at += size) {
            Cell& cell = page->cells[at / size];
            look(cell, access, mine);
            keep(cell, access, mine);
        }
    }
    return found_;
}

bool RaceShadow::lives(const Entry& entry, const Access& access, const Thread& mine) const {
    if (entry.thread == Entry{}.thread) return false;
    const Thread& other = threads_[entry.thread];
    return other.work == mine.work && (!access.slm || other.group == mine.group);
}

bool RaceShadow::unordered(const Entry& entry, const Access& access, const Thread& mine) const {
    if (!lives(entry, access, mine) || entry.thread == access.thread) return false;
    const Thread& other = threads_[entry.thread];
    if (other.slot == mine.slot) return false;
    return other.group != mine.group || entry.barriers == mine.barriers;
}

void RaceShadow::look(const Cell& cell, const Access& access, const Thread& mine) {
    for (const Kind kind : {Kind::Write, Kind::Atomic, Kind::Read}) {
        if (kind != Kind::Write && access.kind != Kind::Write) continue;
        for (const Entry& entry : cell.last[static_cast<std::size_t>(kind)]) {
            if (!unordered(entry, access, mine)) continue;
            const auto same = [&](const Other& other) {
                return other.instruction == entry.instruction && other.kind == kind;
            };
            if (std::ranges::none_of(found_, same))
                found_.push_back({entry.thread, entry.instruction, kind});
        }
    }
}

void RaceShadow::keep(Cell& cell, const Access& access, const Thread& mine) const {
    auto& [first, second] = cell.last[static_cast<std::size_t>(access.kind)];
    const Entry entry{access.thread, mine.barriers, static_cast<std::uint16_t>(access.instruction)};
    const auto free = [&](const Entry& old) {
        return old.thread == access.thread || !lives(old, access, mine);
    };
    if (free(first)) {
        first = entry;
    } else if (free(second) || same_group(second, mine) || !same_group(first, mine)) {
        // The first stays where it is of another group, or the only one.
        if (!free(second) && same_group(first, mine)) first = second;
        second = entry;
    } else {
        first = entry;
    }
}

}  // namespace gen9::platform
