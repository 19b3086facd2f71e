// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9 {

/// The read-modify-write operations of L3, SLM and the command streamer. Integer codes are those of
/// the message descriptor (dataport guide S-12, 003:6247-6249); float ones follow.
enum class AtomicOp : std::uint8_t {
    CmpWr2W = 0,
    And,
    Or,
    Xor,
    Mov,
    Inc,
    Dec,
    Add,
    Sub,
    RevSub,
    IMax,
    IMin,
    UMax,
    UMin,
    CmpWr,
    PreDec,
    FMax = 17,
    FMin = 18,
    FCmpWr = 19,
};

/// Number of source operands in the message payload: 0, 1 or 2.
unsigned atomic_sources(AtomicOp op);

struct AtomicResult {
    std::uint64_t memory;    ///< what the location holds afterwards
    std::uint64_t returned;  ///< what the message returns: the old value, PreDec the new one
};

/// One operation on a location of `width_bytes` (4 or 8). Arithmetic wraps; only IMax and IMin are
/// signed. CmpWr: src0 is compared, src1 written. Float operations take 4 bytes; a quiet
/// NaN operand of FMax and FMin loses against a number, and a signalling one wins (Public: piglit's
/// intel_shader_atomic_float_minmax, which says so of the hardware and passes on Kaby Lake). Of two
/// signalling ones memory keeps its own (Assumed).
AtomicResult apply_atomic(AtomicOp op, unsigned width_bytes, std::uint64_t old, std::uint64_t src0,
                          std::uint64_t src1);

}  // namespace gen9
