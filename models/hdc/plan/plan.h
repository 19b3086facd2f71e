// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

#include "common/bits.h"
#include "hdc/decode/decode.h"
#include "hdc/plan/window.h"
#include "hdc/surface/shared.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::hdc {

/// Contiguous bytes of memory that go to or come from the registers: to contiguous bytes there, or,
/// with a stride, chunk after chunk a stride apart (the elements of one slot, DP-171); or, with
/// more copies than one, the same bytes over and over (a read of one place by many slots).
struct Piece {
    std::uint64_t address;  ///< virtual, or within the 64 KB of the subslice's SLM
    std::uint16_t at;       ///< first byte in the plan's registers (read: response, write: payload)
    std::uint16_t bytes;
    std::uint16_t stride = 0;
    std::uint16_t chunk = 0;
    std::uint16_t copies = 1;  ///< each is `bytes`, at `stride` from the last
};

/// One lane of an atomic operation.
struct AtomicLane {
    std::uint64_t address;
    std::uint64_t source0, source1;
    std::uint64_t source0_high, source1_high;  ///< of 16-byte operands
    std::uint16_t at;                          ///< of the returned value in the response
};

/// A message does this to memory, after all checks: nothing in it is out of bounds.
struct Plan : MemoryFacts {
    static constexpr unsigned kMaxPieces = 512;
    static constexpr unsigned kMaxLanes = 16;

    Operation operation = Operation::Read;
    std::uint16_t piece_count = 0;
    std::uint8_t lane_count = 0;
    std::uint8_t lane_bytes = 4;    ///< width of an atomic
    std::uint8_t split_stride = 0;  ///< if not 0, high DWords are returned so far from the low ones
    AtomicOp atomic = AtomicOp::Add;
    bool atomic_returns = false;
    std::uint16_t accesses = 0;  ///< in bounds (slot, element) accesses, for statistics
    std::uint16_t out_of_bounds = 0;
    /// Header, surface or addresses have an error; the plan is then not carried out.
    const char* guest_error = nullptr;
    const char* not_modelled = nullptr;  ///< ledger rows, found there too

    /// If it is not 0, `misaligned`, the address of a slot or block, is no multiple of it. The low
    /// bits are left out (DP-059).
    std::uint8_t alignment = 0;
    std::uint64_t misaligned = 0;

    /// Typed messages have elements as in memory, which are converted before a write or after a
    /// read.
    bool converts = false;
    bool pair = false;  ///< two slots, each with its four channels in half a register
    const Format* format = nullptr;
    const Surface* surface = nullptr;  ///< that the message names, until the next one is looked up
    ChannelSelects select{};
    std::uint8_t channels = 0;
    std::uint16_t slots_enabled = 0;
    std::uint16_t slots_inside = 0;

    std::array<Piece, kMaxPieces> pieces;
    std::array<AtomicLane, kMaxLanes> lanes;
    alignas(16) std::uint8_t elements[8][16];

    void clear();
    bool empty() const { return piece_count == 0 && lane_count == 0; }
    /// Do its requests consist of lanes rather than of bytes?
    bool by_lanes() const { return slm || operation == Operation::Atomic; }
    /// Adds bytes, joined to the last piece when they go on where it ends.
    void add(std::uint64_t address, unsigned at, unsigned bytes) {
        if (piece_count) {
            Piece& last = pieces[piece_count - 1u];
            if (last.address + last.bytes == address && last.at + last.bytes == at &&
                !last.stride) {
                last.bytes = static_cast<std::uint16_t>(last.bytes + bytes);
                return;
            }
        }
        if (piece_count < kMaxPieces)
            pieces[piece_count++] = {address, static_cast<std::uint16_t>(at),
                                     static_cast<std::uint16_t>(bytes)};
    }
    /// Adds `count` chunks that are contiguous in memory and `stride` bytes apart in the registers.
    void add_strided(std::uint64_t address, unsigned at, unsigned count, unsigned chunk,
                     unsigned stride) {
        if (piece_count < kMaxPieces)
            pieces[piece_count++] = {
                address, static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(count * chunk),
                static_cast<std::uint16_t>(stride), static_cast<std::uint16_t>(chunk)};
    }
    /// Adds a place whose bytes go to the registers `copies` times, one after the other.
    void add_repeated(std::uint64_t address, unsigned at, unsigned bytes, unsigned copies) {
        if (piece_count < kMaxPieces)
            pieces[piece_count++] = {address,
                                     static_cast<std::uint16_t>(at),
                                     static_cast<std::uint16_t>(bytes),
                                     static_cast<std::uint16_t>(bytes),
                                     static_cast<std::uint16_t>(bytes),
                                     static_cast<std::uint16_t>(copies)};
    }
    /// Notes an offset that is no multiple of `align`, if it is the first.
    void note_misaligned(const Window& window, std::uint64_t offset, unsigned align) {
        if ((offset & (align - 1u)) == 0 || alignment != 0) [[likely]]
            return;
        alignment = static_cast<std::uint8_t>(align);
        misaligned = window.address(offset);
    }
    /// Puts what a lane of an atomic returns into the response.
    void put_returned(const AtomicLane& lane, const std::uint64_t* value,
                      std::uint8_t* response) const {
        std::uint8_t* at = response + lane.at;
        if (split_stride) {
            store(at, static_cast<std::uint32_t>(value[0]));
            store(at + split_stride, static_cast<std::uint32_t>(value[0] >> 32));
            return;
        }
        std::memcpy(at, value, lane_bytes);
    }
    /// Pieces speak of these registers.
    std::uint8_t* data(Message& message) {
        if (converts) return elements[0];
        return operation == Operation::Write ? message.payload[0].bytes : message.response[0].bytes;
    }
    /// Writes take their bytes from here, and change nothing.
    const std::uint8_t* source(const Message& message) const {
        return converts ? elements[0] : message.payload[0].bytes;
    }
};

/// The rest of the machine contributes this to a plan.
struct PlanContext {
    SurfaceResolver& resolver;
    StateReader& reader;
    bool check_thread_space = false;      ///< GT_MODE Local Thread Checking (DP-098)
    std::uint32_t slm_bytes = kSlmBytes;  ///< of the subslice, a power of two
    bool slm_enabled = false;             ///< L3CNTLREG (SLM-07); as after reset
};

/// Turns a decoded, legal message into its accesses: resolves the surface, generates and checks the
/// addresses (DP-080..102), sets the response's byte enables, none of which is set before, and its
/// zeros for what lies outside.
void make_plan(const Decoded& decoded, Message& message, const PlanContext& context, Plan& plan);

/// General State Base, size and the header's Buffer Base Address (DP-042, S-4).
Window a32_window(const Decoded& decoded, const Message& message, const PlanContext& context);

/// Converts typed elements into the response, when the last byte of a read has come.
void finish_plan(Message& message, const Plan& plan);

/// A response without effect: zeros in every register that the message returns.
void zero_response(Message& message);

}  // namespace gen9::hdc
