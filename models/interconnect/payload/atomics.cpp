// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/atomics.h"

#include <bit>
#include <cmath>

#include "common/bits.h"

namespace gen9 {

unsigned atomic_sources(AtomicOp op) {
    switch (op) {
        case AtomicOp::Inc:
        case AtomicOp::Dec:
        case AtomicOp::PreDec:
            return 0;
        case AtomicOp::CmpWr:
        case AtomicOp::CmpWr2W:
        case AtomicOp::FCmpWr:
            return 2;
        default:
            return 1;
    }
}

namespace {

bool is_signaling(std::uint64_t bits) {
    return (bits & 0x7FC0'0000) == 0x7F80'0000 && (bits & 0x003F'FFFF) != 0;
}
/// The greater or the lesser of two floats, where a signalling NaN stays.
std::uint64_t of_floats(std::uint64_t old, std::uint64_t source, bool takes_source) {
    if (is_signaling(old)) return old;
    return takes_source || is_signaling(source) ? source : old;
}

}  // namespace

AtomicResult apply_atomic(AtomicOp op, unsigned width_bytes, std::uint64_t old, std::uint64_t src0,
                          std::uint64_t src1) {
    const unsigned width = width_bytes * 8;
    const std::uint64_t mask = width == 64 ? ~0ull : 0xFFFFFFFFull;
    old &= mask;
    src0 &= mask;
    src1 &= mask;
    const std::int64_t signed_old = sign_extend(old, width), signed_src = sign_extend(src0, width);
    const auto as_float = [](std::uint64_t v) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(v));
    };
    const float f_old = as_float(old), f_src = as_float(src0);
    std::uint64_t now = old;
    switch (op) {
        case AtomicOp::And:
            now = old & src0;
            break;
        case AtomicOp::Or:
            now = old | src0;
            break;
        case AtomicOp::Xor:
            now = old ^ src0;
            break;
        case AtomicOp::Mov:
            now = src0;
            break;
        case AtomicOp::Inc:
            now = old + 1;
            break;
        case AtomicOp::Dec:
        case AtomicOp::PreDec:
            now = old - 1;
            break;
        case AtomicOp::Add:
            now = old + src0;
            break;
        case AtomicOp::Sub:
            now = old - src0;
            break;
        case AtomicOp::RevSub:
            now = src0 - old;
            break;
        case AtomicOp::IMax:
            now = signed_old > signed_src ? old : src0;
            break;
        case AtomicOp::IMin:
            now = signed_old < signed_src ? old : src0;
            break;
        case AtomicOp::UMax:
            now = old > src0 ? old : src0;
            break;
        case AtomicOp::UMin:
            now = old < src0 ? old : src0;
            break;
        case AtomicOp::CmpWr:
        case AtomicOp::CmpWr2W:
            now = old == src0 ? src1 : old;
            break;
        case AtomicOp::FMax:
            now = of_floats(old, src0, std::isnan(f_old) || f_src > f_old);
            break;
        case AtomicOp::FMin:
            now = of_floats(old, src0, std::isnan(f_old) || f_src < f_old);
            break;
        case AtomicOp::FCmpWr:
            now = f_old == f_src ? src1 : old;
            break;
    }
    now &= mask;
    return {now, op == AtomicOp::PreDec ? now : old};
}

}  // namespace gen9
