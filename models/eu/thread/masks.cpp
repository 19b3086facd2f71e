// SPDX-License-Identifier: Apache-2.0
#include "eu/thread/masks.h"

#include <algorithm>
#include <bit>

namespace gen9::eu {

void resynchronise(Thread& thread) {
    std::uint32_t wake = Thread::kNoWake, low = Thread::kNoWake;
    for (std::uint32_t rest = thread.waiting; rest != 0; rest &= rest - 1) {
        const unsigned channel = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint32_t ip = thread.channel_ip[channel];
        if (ip == thread.ip) {
            thread.waiting &= ~(std::uint32_t{1} << channel);
            thread.active |= std::uint32_t{1} << channel;
            continue;
        }
        low = std::min(low, ip);
        if (ip > thread.ip) wake = std::min(wake, ip);
    }
    thread.wake_ip = wake;
    thread.low_ip = low;
}

void park(Thread& thread, std::uint32_t channels, std::uint32_t ip) {
    channels &= thread.active;
    if (channels == 0) return;
    thread.low_ip = std::min(thread.low_ip, ip);
    if (ip > thread.ip) thread.wake_ip = std::min(thread.wake_ip, ip);
    for (std::uint32_t rest = channels; rest != 0; rest &= rest - 1)
        thread.channel_ip[static_cast<unsigned>(std::countr_zero(rest))] = ip;
    thread.active &= ~channels;
    thread.waiting |= channels;
}

namespace {

/// OR (`any`) or AND of each aligned group of `size` bits, given to every bit of the group
/// (EU-161).
std::uint32_t by_group(std::uint32_t flags, unsigned size, bool any) {
    std::uint32_t result = 0;
    for (unsigned first = 0; first < 32; first += size) {
        const std::uint32_t group = low_mask(size) << first;
        const bool on = any ? (flags & group) != 0 : (flags & group) == group;
        if (on) result |= group;
    }
    return result;
}

std::uint32_t replicate_component(std::uint32_t flags, unsigned component) {
    const std::uint32_t chosen = flags >> component & 0x11111111u;
    return chosen * 15;
}

}  // namespace

std::uint32_t predicate_lanes(const Thread& thread, const isa::Instruction& in) {
    using isa::PredCtrl;
    if (in.pred_ctrl == PredCtrl::None) return ~std::uint32_t{0};
    std::uint32_t flags = thread.flag[in.flag_reg & 1];
    if (in.align16 && in.pred_ctrl >= PredCtrl::AnyV && in.pred_ctrl <= PredCtrl::All2H) {
        // Align16 codes 2..5 replicate one component over its group of four (EU-160).
        flags = replicate_component(flags, static_cast<unsigned>(in.pred_ctrl) - 2u);
    } else {
        switch (in.pred_ctrl) {
            case PredCtrl::None:
            case PredCtrl::Sequential:
                break;
            // f0 with f1 on Gen7 and later (EU-162).
            case PredCtrl::AnyV:
                flags = thread.flag[0] | thread.flag[1];
                break;
            case PredCtrl::AllV:
                flags = thread.flag[0] & thread.flag[1];
                break;
            case PredCtrl::Any2H:
                flags = by_group(flags, 2, true);
                break;
            case PredCtrl::All2H:
                flags = by_group(flags, 2, false);
                break;
            case PredCtrl::Any4H:
                flags = by_group(flags, 4, true);
                break;
            case PredCtrl::All4H:
                flags = by_group(flags, 4, false);
                break;
            case PredCtrl::Any8H:
                flags = by_group(flags, 8, true);
                break;
            case PredCtrl::All8H:
                flags = by_group(flags, 8, false);
                break;
            case PredCtrl::Any16H:
                flags = by_group(flags, 16, true);
                break;
            case PredCtrl::All16H:
                flags = by_group(flags, 16, false);
                break;
            case PredCtrl::Any32H:
                flags = by_group(flags, 32, true);
                break;
            case PredCtrl::All32H:
                flags = by_group(flags, 32, false);
                break;
        }
    }
    flags >>= flag_shift(in);
    return in.pred_invert ? ~flags : flags;
}

std::uint32_t channel_enable_lanes(const isa::Instruction& in) {
    if (!in.align16) return ~std::uint32_t{0};
    const std::uint32_t enable = in.dst.chan_enable & 15u;
    if (isa::size_bytes(in.dst.type) != 8) return enable * 0x11111111u;
    const std::uint32_t pair = (enable & 3u ? 1u : 0u) | (enable & 12u ? 2u : 0u);
    return pair * 0x55555555u;
}

}  // namespace gen9::eu
