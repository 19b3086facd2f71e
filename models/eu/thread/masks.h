// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "eu/execute/decoded.h"
#include "eu/thread/float_control.h"
#include "eu/thread/thread.h"

namespace gen9::eu {

/// All ones in the low `count` bits.
constexpr std::uint32_t low_mask(unsigned count) {
    return count >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

/// An instruction pointer has no bits below those that tell instructions apart (EU-107).
constexpr std::uint32_t place_of_instruction(std::uint32_t ip) {
    return ip & ~std::uint32_t{7};
}

/// Waiting channels whose pointer is the thread's join the active ones; `wake_ip` and `low_ip` are
/// found anew.
void resynchronise(Thread& thread);

/// The thread goes straight on to `ip`.
inline void advance(Thread& thread, std::uint32_t ip) {
    thread.ip = ip;
    if (ip >= thread.wake_ip) [[unlikely]]
        resynchronise(thread);
}

/// The thread goes to any `ip`, its active channels with it.
inline void jump(Thread& thread, std::uint32_t ip) {
    thread.ip = ip;
    if (thread.waiting == 0) return;
    if (ip < thread.low_ip)
        thread.wake_ip = thread.low_ip;
    else
        resynchronise(thread);
}

/// Active channels `channels` (by number) leave and wait at `ip`. `wake_ip` is kept, so that the
/// thread may go on by `advance`.
void park(Thread& thread, std::uint32_t channels, std::uint32_t ip);

/// Channels of the instruction by lane, before predication (EU-153): bit i is channel offset + i.
inline std::uint32_t lanes_enabled(const Thread& thread, const isa::Instruction& in) {
    const std::uint32_t channels =
        in.no_mask ? ~std::uint32_t{0} : thread.active >> in.channel_offset;
    return channels & low_mask(in.exec_size);
}

/// Predicate by lane (EU-157..EU-163); all ones when the instruction has none.
std::uint32_t predicate_lanes(const Thread& thread, const isa::Instruction& in);

/// The same by the operands resolved beforehand, which answer the usual cases at once.
inline std::uint32_t predicate_lanes(const Thread& thread, const DecodedInstruction& d) {
    const FastOperands& f = d.fast;
    if (f.predicate == FastOperands::Predicate::None) return ~std::uint32_t{0};
    if (f.predicate == FastOperands::Predicate::Sequential)
        return (thread.flag[f.flag_register] >> f.flag_shift) ^ f.predicate_invert;
    return predicate_lanes(thread, d.instruction);
}

/// Bit of the flag register that belongs to lane 0 (EU-157, guide 3.1 item 3).
inline unsigned flag_shift(const isa::Instruction& in) {
    return (16u * in.flag_subreg + in.channel_offset) & 31u;
}

/// Writes condition bits of the enabled lanes only (EU-090).
inline void update_flag(Thread& thread, const isa::Instruction& in, std::uint32_t enabled,
                        std::uint32_t values) {
    std::uint32_t& flag = thread.flag[in.flag_reg & 1];
    const unsigned shift = flag_shift(in);
    flag = (flag & ~(enabled << shift)) | (values & enabled) << shift;
}

/// Lanes ChanEn leaves on (EU-056); 64-bit types use bit pairs (EU-045).
std::uint32_t channel_enable_lanes(const isa::Instruction& in);

}  // namespace gen9::eu
