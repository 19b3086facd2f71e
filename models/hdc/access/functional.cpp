// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/functional.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "hdc/access/copy.h"
#include "hdc/access/requests.h"
#include "hdc/plan/window.h"
#include "interconnect/lane_access.h"

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

FunctionalMemory::Returned operate(std::uint8_t* place, const AtomicLane& lane, const Plan& plan) {
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

void PageCache::fill(Entry& entry, std::uint64_t page, FunctionalMemory& memory) {
    entry.direct = memory.direct(page * kPageBytes);
    // Only what was granted is kept: a page that is not mapped now may be later.
    entry.page = entry.direct.host ? page : ~0ull;
}

void PageCache::invalidate() {
    for (Entry& entry : entries_)
        entry = {};
}

void FunctionalDriver::run(Plan& plan, Message& message) {
    if (plan.empty()) return finish_plan(message, plan);
    std::uint8_t* slm = plan.slm ? memory_.slm() : nullptr;
    if (plan.slm && !slm) {
        memory_.slm_access(plan, message);
    } else if (plan.operation == Operation::Atomic) {
        run_atomics(plan, message.response[0].bytes, slm);
    } else if (slm) {
        std::uint8_t* data = plan.data(message);
        const bool reads = plan.operation == Operation::Read;
        for (unsigned i = 0; i < plan.piece_count; ++i) {
            const Piece& piece = plan.pieces[i];
            transfer(reads, piece, slm + piece.address, data);
        }
    } else {
        move(plan, plan.data(message));
    }
    finish_plan(message, plan);
}

bool FunctionalDriver::run_usual(const UsualAccess& access, Message& message) {
    std::uint8_t* host;
    if (access.slm) {
        std::uint8_t* const slm = memory_.slm();
        if (!slm) return false;
        host = slm + access.address;
    } else {
        const std::uint64_t in_page = access.address % kPageBytes;
        const DirectPage& page = pages_.find(access.address, memory_);
        if (!page.host || in_page + access.span_bytes() > kPageBytes ||
            !(access.reads || page.writable))
            return false;
        host = page.host + in_page;
    }
    access.move(host, access.reads ? message.response[0].bytes
                                   : message.payload[0].bytes + access.payload_at);
    return true;
}

void FunctionalDriver::move(Plan& plan, std::uint8_t* data) {
    const bool reads = plan.operation == Operation::Read;
    for (unsigned i = 0; i < plan.piece_count; ++i) {
        const Piece& piece = plan.pieces[i];
        const std::uint64_t in_page = piece.address % kPageBytes;
        const DirectPage& page = pages_.find(piece.address, memory_);
        if (page.host && (reads || page.writable) && in_page + piece.bytes <= kPageBytes)
            [[likely]] {
            transfer(reads, piece, page.host + in_page, data);
        } else {
            move_piece(plan, piece, data);
        }
    }
}

/// A piece over a page's end, or in a page without direct access.
void FunctionalDriver::move_piece(const Plan& plan, const Piece& piece, std::uint8_t* data) {
    if (piece.copies > 1) {
        for (unsigned n = 0; n < piece.copies; ++n)
            move_piece(plan,
                       {piece.address, static_cast<std::uint16_t>(piece.at + n * piece.stride),
                        piece.bytes},
                       data);
        return;
    }
    if (piece.stride) {
        for (unsigned n = 0; n * piece.chunk < piece.bytes; ++n)
            move_piece(plan,
                       {piece.address + n * piece.chunk,
                        static_cast<std::uint16_t>(piece.at + n * piece.stride), piece.chunk},
                       data);
        return;
    }
    const bool reads = plan.operation == Operation::Read;
    std::uint64_t address = piece.address;
    std::uint8_t* at = data + piece.at;
    for (unsigned left = piece.bytes; left;) {
        const auto part = std::min(left, static_cast<unsigned>(kPageBytes - address % kPageBytes));
        const DirectPage& page = pages_.find(address, memory_);
        if (page.host && (reads || page.writable)) {
            if (reads)
                std::memcpy(at, page.host + address % kPageBytes, part);
            else
                std::memcpy(page.host + address % kPageBytes, at, part);
        } else if (reads) {
            memory_.read(address, at, part, plan);
        } else {
            memory_.write(address, at, part, plan);
        }
        address += part;
        at += part;
        left -= part;
    }
}

void FunctionalDriver::run_atomics(Plan& plan, std::uint8_t* response, std::uint8_t* slm) {
    for (unsigned i = 0; i < plan.lane_count; ++i) {
        const AtomicLane& lane = plan.lanes[i];
        FunctionalMemory::Returned returned;
        if (slm) {
            returned = operate(slm + lane.address, lane, plan);
        } else {
            const DirectPage& page = pages_.find(lane.address, memory_);
            returned = page.host && page.writable
                           ? operate(page.host + lane.address % kPageBytes, lane, plan)
                           : memory_.atomic(lane.address, lane, plan);
        }
        if (plan.atomic_returns) plan.put_returned(lane, returned.data(), response);
    }
}

}  // namespace gen9::hdc
