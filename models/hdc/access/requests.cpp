// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/requests.h"

#include <algorithm>

#include "common/check.h"
#include "common/units.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::hdc {

void fill_lane(LaneAccess& access, unsigned n, const AtomicLane& lane, const Plan& plan) {
    access.kind = LaneAccess::Kind::Atomic;
    access.op = plan.atomic;
    access.width_bytes = plan.lane_bytes;
    access.count = static_cast<std::uint8_t>(n + 1);
    if (plan.lane_bytes != 16) {
        access.source0[n] = lane.source0;
        access.source1[n] = lane.source1;
        return;
    }
    access.source0[2 * n] = lane.source0;
    access.source0[2 * n + 1] = lane.source0_high;
    access.source1[2 * n] = lane.source1;
    access.source1[2 * n + 1] = lane.source1_high;
}

namespace {

/// The batch of a read's data that the elements of a slot belong to.
unsigned batch_of(const Piece& piece, unsigned batch_bytes) {
    const unsigned lane_bytes = piece.chunk == 8 ? 8 : 4;  // in the registers
    const unsigned slot = piece.at % piece.stride / lane_bytes;
    return slot * (piece.bytes / piece.chunk) * lane_bytes / batch_bytes;
}

}  // namespace

void RequestList::build(const Plan& plan, Channels channels, unsigned batch_bytes) {
    count_ = part_count_ = 0;
    unsigned batch = 0;
    for (unsigned i = 0; i < plan.lane_count; ++i) {
        const AtomicLane& lane = plan.lanes[i];
        if (plan.slm)
            add_lanes(lane.address, i, plan.lane_bytes, 1, 0, 0);
        else
            add_to_line(lane.address, i, plan.lane_bytes);
    }
    for (unsigned i = 0; i < plan.piece_count; ++i) {
        const Piece& piece = plan.pieces[i];
        if (plan.slm) {
            add_slm_piece(piece);
        } else if (piece.copies > 1) {
            add_to_line(piece.address, piece.at, piece.bytes, piece.copies);
        } else if (piece.stride) {
            // Slots that read one place share it.
            if (plan.operation == Operation::Read &&
                (i == 0 || plan.pieces[i - 1].address != piece.address))
                batch = batch_of(piece, batch_bytes);
            for (unsigned n = 0; n * piece.chunk < piece.bytes; ++n)
                add_run(piece.address + n * piece.chunk, piece.at + n * piece.stride, piece.chunk,
                        channels == Channels::Apart ? n : batch);
        } else {
            add_run(piece.address, piece.at, piece.bytes);
        }
    }
}

void RequestList::add_slm_piece(const Piece& piece) {
    const bool repeated = piece.copies > 1;
    const unsigned chunk = piece.stride && !repeated ? piece.chunk : piece.bytes;
    const unsigned chunks = repeated ? piece.copies : piece.bytes / chunk;
    const unsigned step = repeated ? 0 : chunk;  // from chunk to chunk in memory
    const unsigned width = chunk % 4 == 0 ? 4 : chunk == 2 ? 2 : 1;
    if (chunk == width)
        return add_lanes(piece.address, piece.at, width, chunks, step, piece.stride);
    for (unsigned n = 0; n < chunks; ++n)
        add_lanes(piece.address + n * step, piece.at + n * piece.stride, width, chunk / width,
                  width, width);
}

void RequestList::add_run(std::uint64_t address, unsigned at, unsigned bytes, unsigned share) {
    for (unsigned done = 0; done < bytes;) {
        const auto room = static_cast<unsigned>(kLineBytes - (address + done) % kLineBytes);
        const unsigned part = std::min(bytes - done, room);
        add_to_line(address + done, at + done, part, 1, share);
        done += part;
    }
}

std::uint16_t RequestList::add_part(std::uint64_t address, unsigned at, unsigned bytes,
                                    unsigned copies) {
    GEN9_CHECK(part_count_ < kMaxParts, "more parts than a message can have");
    parts_[part_count_] = {address,
                           static_cast<std::uint16_t>(at),
                           static_cast<std::uint8_t>(bytes),
                           static_cast<std::uint8_t>(copies),
                           Part::kEnd,
                           0,
                           0};
    return static_cast<std::uint16_t>(part_count_++);
}

void RequestList::append(Request& request, std::uint16_t part) {
    parts_[request.last].next = part;
    request.last = part;
}

void RequestList::add_to_line(std::uint64_t address, unsigned at, unsigned bytes, unsigned copies,
                              unsigned share) {
    const std::uint16_t part = add_part(address, at, bytes, copies);
    const std::uint64_t line = address & ~std::uint64_t{kLineBytes - 1};
    // The line used last is the likeliest.
    for (unsigned i = count_; i-- > 0;)
        if (requests_[i].line == line && requests_[i].share == share)
            return append(requests_[i], part);
    requests_[count_++] = {line, part, part, 0, 0, static_cast<std::uint8_t>(share)};
}

void RequestList::add_lanes(std::uint64_t address, unsigned at, unsigned bytes, unsigned count,
                            unsigned address_step, unsigned at_step) {
    while (count != 0) {
        const Request* const open = count_ ? &requests_[count_ - 1] : nullptr;
        const bool joins = open && open->width == bytes && open->lanes < LaneAccess::kMaxLanes;
        const unsigned room = LaneAccess::kMaxLanes - (joins ? open->lanes : 0u);
        const unsigned lanes = std::min(count, room);
        const std::uint16_t part = add_part(address, at, bytes, lanes);
        parts_[part].address_step = static_cast<std::uint8_t>(address_step);
        parts_[part].at_step = static_cast<std::uint16_t>(at_step);
        if (joins)
            append(requests_[count_ - 1], part);
        else
            requests_[count_++] = {0, part, part, 0, static_cast<std::uint8_t>(bytes), 0};
        Request& request = requests_[count_ - 1];
        request.lanes = static_cast<std::uint16_t>(request.lanes + lanes);
        address += lanes * address_step;
        at += lanes * at_step;
        count -= lanes;
    }
}

}  // namespace gen9::hdc
