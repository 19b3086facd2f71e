// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

#include "common/enum_words.h"
#include "common/units.h"
#include "interconnect/payload/atomics.h"

namespace gen9 {

/// How an address is translated. Urb: not at all, it is an offset into the part of L3 that is the
/// URB (URB-06); only L3 takes it.
enum class AddressSpace : std::uint8_t { Ppgtt, Ggtt, Physical, Urb };

/// The requester is also the class of data, which decides what an invalidation drops
/// (gpgpu-media-l3 guide L3-18..20).
enum class Requester : std::uint8_t {
    DataPort,
    Sampler,
    InstructionCache,
    ConstantCache,
    StateCache,
    CommandStreamer,
    Urb,
    Host,
    ResourceStreamer,
    RenderTarget,   ///< colours
    RenderControl,  ///< auxiliary surfaces of colours
    Depth,
    Stencil,
    VertexFetch,  ///< vertices and indices
};
constexpr const char* to_text(Requester requester) {
    switch (requester) {
        case Requester::DataPort:
            return "data port";
        case Requester::Sampler:
            return "sampler";
        case Requester::InstructionCache:
            return "instruction cache";
        case Requester::ConstantCache:
            return "constant cache";
        case Requester::StateCache:
            return "state cache";
        case Requester::CommandStreamer:
            return "command streamer";
        case Requester::Urb:
            return "URB";
        case Requester::Host:
            return "host";
        case Requester::ResourceStreamer:
            return "resource streamer";
        case Requester::RenderTarget:
            return "render target";
        case Requester::RenderControl:
            return "auxiliary surface of a render target";
        case Requester::Depth:
            return "depth unit";
        case Requester::Stencil:
            return "stencil unit";
        case Requester::VertexFetch:
            return "vertex fetch";
    }
    return nullptr;
}
static_assert(count_of<Requester>() == static_cast<std::size_t>(Requester::VertexFetch) + 1);

/// How the last level cache treats an access (DP-034).
enum class LlcPolicy : std::uint8_t { WriteBack, WriteThrough, Uncached };

/// What a CacheControl asks for, a bit each.
using ControlBits = std::uint16_t;

/// Caches a PIPE_CONTROL, a fence or a context switch acts on.
struct CacheControl {
    bool flush_data = false;       ///< write back modified L3 data (DC flush)
    bool invalidate_data = false;  ///< and drop the lines
    bool invalidate_instruction = false;
    bool invalidate_state = false;
    bool invalidate_constant = false;
    bool invalidate_texture = false;
    bool invalidate_tlb = false;
    bool flush_render = false;  ///< write back what render targets have been given
    bool flush_depth = false;   ///< depth, stencil and HiZ
    bool invalidate_vertex = false;
    /// Nothing is done to caches: the call returns when all accesses taken so far have acted. Only
    /// the command streamer's thread asks for it, for the call may wait.
    bool settle = false;
    /// What the units of the 3D pipe keep: modified lines are written back, all are dropped.
    void empty_draw_caches() { flush_render = flush_depth = invalidate_vertex = true; }
    ControlBits bits() const {
        // Eight bytes of 0 or 1: the product has their lowest bits side by side in its top byte.
        std::uint64_t first;
        std::memcpy(&first, this, sizeof first);
        const std::uint64_t low = first * 0x0102'0408'1020'4080 >> 56;
        return static_cast<ControlBits>(low | unsigned{flush_depth} << 8 |
                                        unsigned{invalidate_vertex} << 9 | unsigned{settle} << 10);
    }
    bool any() const {
        CacheControl asked = *this;
        asked.settle = false;
        return asked.bits() != 0;
    }
};

/// A group of lane accesses that one bank performs together: atomics within a line of L3, or any
/// accesses to SLM. Values are little-endian in the low `width_bytes` of their field. Lanes of 16
/// bytes (compare-writes of double width, 8 lanes at most) have two fields each: 2n and 2n + 1.
struct LaneAccess {
    static constexpr unsigned kMaxLanes = 16;
    enum class Kind : std::uint8_t { Read, Write, Atomic };
    Kind kind = Kind::Read;
    AtomicOp op = AtomicOp::Add;
    std::uint8_t width_bytes = 4;                    ///< 1, 2, 4, 8 or 16
    std::uint8_t count = 0;                          ///< lanes in use
    std::array<std::uint32_t, kMaxLanes> offset{};   ///< bytes from the transaction's address
    std::array<std::uint64_t, kMaxLanes> source0{};  ///< written value, or first operand
    std::array<std::uint64_t, kMaxLanes> source1{};
    std::array<std::uint64_t, kMaxLanes> result{};  ///< read value, or the atomic's return value
};

}  // namespace gen9
