// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/functional.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/bits.h"
#include "hdc/access/copy.h"
#include "hdc/plan/window.h"
#include "interconnect/payload/lane_access.h"

namespace gen9::hdc {

namespace {

template <unsigned chunk>
inline void transfer_chunks(bool reads, const Piece& piece, std::uint8_t* host, std::uint8_t* at) {
    for (unsigned done = 0; done < piece.bytes; done += chunk, at += piece.stride) {
        if (reads)
            std::memcpy(at, host + done, chunk);
        else
            std::memcpy(host + done, at, chunk);
    }
}

/// Moves a piece between host memory and the registers.
inline void transfer(bool reads, const Piece& piece, std::uint8_t* host, std::uint8_t* data) {
    if (!piece.stride) {
        if (reads)
            copy(data + piece.at, host, piece.bytes);
        else
            copy(host, data + piece.at, piece.bytes);
        return;
    }
    if (piece.copies > 1) return copy_repeated(data + piece.at, host, piece.bytes, piece.copies);
    if (piece.chunk == 4)
        transfer_chunks<4>(reads, piece, host, data + piece.at);
    else
        transfer_chunks<8>(reads, piece, host, data + piece.at);
}

using Returned = std::array<std::uint64_t, 2>;  ///< by an atomic, the low eight bytes first

Returned operate(std::uint8_t* place, const AtomicLane& lane, const Plan& plan) {
    if (plan.lane_bytes == 16) {
        LaneAccess access;
        fill_lane(access, 0, lane, plan);
        perform_lanes(access, {place, 16}, 0);
        return {access.result[0], access.result[1]};
    }
    const std::uint64_t old =
        plan.lane_bytes == 8 ? load<std::uint64_t>(place) : load<std::uint32_t>(place);
    const AtomicResult result =
        apply_atomic(plan.atomic, plan.lane_bytes, old, lane.source0, lane.source1);
    if (plan.lane_bytes == 8)
        store(place, result.memory);
    else
        store(place, static_cast<std::uint32_t>(result.memory));
    return {result.returned, 0};
}

}  // namespace

void PageCache::fill(Entry& entry, std::uint64_t page, FunctionalMemory& memory,
                     const MemoryFacts& facts) {
    const std::uint64_t address = page * kPageBytes;
    entry.direct = granted(address);
    if (entry.direct.host == nullptr) {
        entry.direct = memory.direct(address, facts);
        if (entry.direct.before + entry.direct.behind != 0)
            grants_[next_grant_++ % grants_.size()] = {address, entry.direct};
    }
    entry.requester = facts.requester;
    entry.mocs = facts.mocs;
    // Only what was granted is kept: a page that is not mapped now may be later.
    entry.page = !entry.direct.host ? ~0ull : entry.direct.lines ? page | kMarked : page;
    filled_.add(place_of(page));
}

DirectPage PageCache::granted(std::uint64_t address) const {
    for (const Grant& grant : grants_) {
        DirectPage direct = grant.direct;
        if (direct.host == nullptr || !direct.goes_to(grant.address, address)) continue;
        const std::uint64_t distance = address - grant.address;
        direct.host += static_cast<std::ptrdiff_t>(distance);
        direct.before += distance;
        direct.behind -= distance;
        return direct;
    }
    return {};
}

void PageCache::invalidate() {
    grants_.fill({});
    filled_.empty([this](std::size_t place) { entries_[place] = {}; });
}

std::uint8_t* FunctionalDriver::find_elsewhere(std::uint64_t address, unsigned bytes, bool reads,
                                               const MemoryFacts& facts) {
    const DirectPage& page = pages_.find(address, memory_, facts);
    if (!granted(page, address, bytes, reads)) return nullptr;
    const std::uint64_t in_page = address % kPageBytes;
    if (page.lines != nullptr) page.lines->mark(in_page, bytes, reads);
    return page.host + in_page;
}

bool FunctionalDriver::run(const Access& access, Message& message) {
    switch (access.form) {
        case Access::Form::Usual:
            return run_usual(access.usual, message);
        case Access::Form::Scattered:
            return run_scattered(access.scattered, message);
        case Access::Form::Planned:
            run_planned(access, message);
            break;
        // All earlier messages are complete (DP-196).
        case Access::Form::Fence:
        case Access::Form::Nothing:
            break;
    }
    return true;
}

void FunctionalDriver::run_planned(const Access& access, Message& message) {
    Plan& plan = access.planned->plan;
    if (!run_direct(plan, message)) [[unlikely]] {
        access.planned->requests.build(plan);
        memory_.by_requests(access, message);
    }
    finish_plan(message, plan);
}

bool FunctionalDriver::run_direct(Plan& plan, Message& message) {
    std::uint8_t* slm = plan.slm ? memory_.slm(message.sender->slm_base) : nullptr;
    if (plan.slm && !slm) return false;
    if (plan.operation == Operation::Atomic)
        return run_atomics(plan, message.response[0].bytes, slm);
    std::uint8_t* const data = plan.data(message);
    const bool reads = plan.operation == Operation::Read;
    if (!slm) return reads ? move<true>(plan, data) : move<false>(plan, data);
    for (unsigned i = 0; i < plan.piece_count; ++i)
        transfer(reads, plan.pieces[i], slm + plan.pieces[i].address, data);
    return true;
}

bool FunctionalDriver::run_usual(const UsualAccess& access, Message& message) {
    std::uint8_t* host;
    if (access.slm) {
        std::uint8_t* const slm = memory_.slm(message.sender->slm_base);
        if (!slm) return false;
        host = slm + access.address;
    } else {
        host = find(access.address, access.span_bytes(), access.reads, access);
        if (!host) return false;
    }
    access.move(host, access.reads ? message.response[0].bytes
                                   : message.payload[access.payload_at / kGrfBytes].bytes);
    return true;
}

bool FunctionalDriver::run_scattered(const ScatteredAccess& access, Message& message) {
    std::uint8_t* const registers = access.reads
                                        ? message.response[0].bytes
                                        : message.payload[access.payload_at / kGrfBytes].bytes;
    if (access.slm) {
        std::uint8_t* const slm = memory_.slm(message.sender->slm_base);
        if (!slm) return false;
        access.move(slm + access.address, registers);
        return true;
    }
    Stretch& stretch = stretch_of(message);
    std::uint8_t* const host = stretch.find(access.address, access.span, access.reads);
    if (host) [[likely]] {
        access.move(host, registers);
        return true;
    }
    ScatteredAccess::Places places;
    if (!find_places(access, stretch, places)) return false;
    access.move(places, registers);
    return true;
}

bool FunctionalDriver::find_places(const ScatteredAccess& access, Stretch& stretch,
                                   ScatteredAccess::Places& places) {
    const unsigned bytes = access.slot_bytes();
    for (unsigned slot = 0; slot < access.slots; ++slot) {
        const std::uint64_t address = access.address + access.offsets[slot];
        places[slot] = stretch.find(address, bytes, access.reads);
        if (!places[slot])
            places[slot] = find_by_page(stretch, address, bytes, access.reads, access);
        if (!places[slot]) return false;
    }
    return true;
}

/// By the page cache, and tells the stretch. A page whose accesses are marked is in none.
std::uint8_t* FunctionalDriver::find_by_page(Stretch& stretch, std::uint64_t address,
                                             unsigned bytes, bool reads, const MemoryFacts& facts) {
    const auto page = [this, &facts](std::uint64_t at) {
        const DirectPage& direct = pages_.find(at, memory_, facts);
        return direct.lines == nullptr ? direct : DirectPage{};
    };
    const std::uint64_t in_page = address % kPageBytes, last = (address + bytes - 1) / kPageBytes;
    DirectPage direct;
    for (std::uint64_t at = address - in_page; at <= last * kPageBytes; at += kPageBytes) {
        direct = page(at);
        if (!direct.host) return nullptr;
        stretch.add(at, direct, page);
    }
    if (std::uint8_t* const host = stretch.find(address, bytes, reads)) return host;
    return granted(direct, address, bytes, reads) ? direct.host + in_page : nullptr;
}

/// By the page cache as it is. The stretch is told of the pages next to it.
std::uint8_t* FunctionalDriver::find_at_hand(Stretch& stretch, std::uint64_t address,
                                             unsigned bytes, bool reads) {
    const DirectPage* const page = pages_.at_hand(address);
    if (page == nullptr) return nullptr;
    const std::uint64_t in_page = address % kPageBytes;
    if (stretch.borders(address - in_page))
        stretch.add(address - in_page, *page, [](std::uint64_t) { return DirectPage{}; });
    if (granted(*page, address, bytes, reads)) return page->host + in_page;
    return stretch.find(address, bytes, reads);
}

// Where memory is in many pieces, the page cache is the quicker way; now and then the stretch is
// told, for it may be in one.
std::uint8_t* FunctionalDriver::reach(Stretch& stretch, std::uint64_t address, unsigned bytes,
                                      bool reads, const MemoryFacts& facts) {
    if (inside_) return find_at_hand(stretch, address, bytes, reads);
    constexpr std::uint32_t kTold = 8;
    const DirectPage* const page = pages_.at_hand(address);
    if (page != nullptr && ++reached_ % kTold != 0 && granted(*page, address, bytes, reads))
        return page->host + address % kPageBytes;
    return find_by_page(stretch, address, bytes, reads, facts);
}

template <bool reads>
bool FunctionalDriver::move(const Plan& plan, std::uint8_t* data) {
    for (const Piece *piece = plan.pieces.data(), *const end = piece + plan.piece_count;
         piece != end; ++piece) {
        std::uint8_t* const host = find(piece->address, piece->bytes, reads, plan);
        if (!host) [[unlikely]] {
            if (!move_piece(plan, *piece, data)) return false;
        } else if (piece->bytes == 4 && piece->copies == 1) {
            // What a lane of a gather has.
            std::memcpy(reads ? data + piece->at : host, reads ? host : data + piece->at, 4);
        } else {
            transfer(reads, *piece, host, data);
        }
    }
    return true;
}

/// A piece over a page's end, or in a page without direct access.
bool FunctionalDriver::move_piece(const Plan& plan, const Piece& piece, std::uint8_t* data) {
    const unsigned chunk = piece.stride != 0 && piece.copies == 1 ? piece.chunk : piece.bytes;
    const unsigned chunks = piece.copies == 1 ? piece.bytes / chunk : piece.copies;
    const bool reads = plan.operation == Operation::Read;
    for (unsigned n = 0; n < chunks; ++n) {
        std::uint64_t address = piece.address + (piece.copies == 1 ? n * chunk : 0);
        std::uint8_t* at = data + piece.at + n * piece.stride;
        for (unsigned left = chunk; left != 0;) {
            const auto part =
                std::min(left, static_cast<unsigned>(kPageBytes - address % kPageBytes));
            std::uint8_t* const host = find(address, part, reads, plan);
            if (!host) return false;
            std::memcpy(reads ? at : host, reads ? host : at, part);
            address += part;
            at += part;
            left -= part;
        }
    }
    return true;
}

bool FunctionalDriver::run_atomics(Plan& plan, std::uint8_t* response, std::uint8_t* slm) {
    std::uint8_t* places[Plan::kMaxLanes];
    for (unsigned i = 0; i < plan.lane_count; ++i) {
        const std::uint64_t address = plan.lanes[i].address;
        places[i] = slm ? slm + address : find(address, plan.lane_bytes, false, plan);
        if (!places[i]) return false;
    }
    for (unsigned i = 0; i < plan.lane_count; ++i) {
        const Returned returned = operate(places[i], plan.lanes[i], plan);
        if (plan.atomic_returns) plan.put_returned(plan.lanes[i], returned.data(), response);
    }
    return true;
}

}  // namespace gen9::hdc
