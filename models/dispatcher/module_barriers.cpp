// SPDX-License-Identifier: Apache-2.0
// What gateways are told of barriers.
#include <algorithm>
#include <bit>

#include "common/bits.h"
#include "common/check.h"
#include "dispatcher/module.h"

namespace gen9::dispatcher {
namespace {

/// Where the gateways take shares of global barriers (docs/architecture.md).
constexpr std::uint64_t kGlobalBarriers = 0x80;

}  // namespace

// TD-46: the first thread leaves when the gateway has accepted.
Cycles Dispatcher::announce(const Port& port, Cycles now) {
    const ThreadRequest& request = *port.request;
    const Group& group = core_.tracker()[port.group.index];
    sc_core::sc_time longest;
    if (port.group.global) {
        for (unsigned s = 0; s < topology_.total_subslices(); ++s)
            if (port.group.shares[s]) {
                sc_core::sc_time delay;
                arm_barrier(s, group.barrier, port.group.shares[s], request.trace_id, delay);
                longest = std::max(longest, delay);
            }
        global_barriers_.begin(group.barrier, port.group.shares);
    } else {
        set_barrier(group.subslice, group.barrier, request.barrier_threads, request.trace_id,
                    longest);
    }
    return std::max(now, clock_.now()) + clock_.cycles(longest);
}

void Dispatcher::set_barrier(unsigned subslice, unsigned barrier, unsigned count, TraceId cause,
                             sc_core::sc_time& delay) {
    MemoryTransaction* const write = barrier_pool_.get();
    write->access(tlm::TLM_WRITE_COMMAND, 4 * barrier, 4);
    write->attributes.trace_id = cause;
    const std::uint32_t value = count;
    store(write->data, value);
    (*barrier_out[subslice])->b_transport(*write, delay);
    GEN9_CHECK(write->is_response_ok(), "the gateway refused a barrier's set-up");
    write->release();
}

void Dispatcher::free_barrier(const DispatcherCore::Retirement& freed, TraceId cause) {
    if (!freed.barrier_freed) return;
    // Before the gateways are told, for they answer what was armed.
    global_barriers_.end(freed.barrier, static_cast<unsigned>(std::countr_zero(freed.subslices)));
    for (std::uint32_t left = freed.subslices; left; left &= left - 1) {
        sc_core::sc_time delay;
        set_barrier(static_cast<unsigned>(std::countr_zero(left)), freed.barrier, 0, cause, delay);
    }
}

// Global barriers (TD-52: 003:17388-17391).
void Dispatcher::arm_barrier(unsigned subslice, unsigned barrier, unsigned share, TraceId cause,
                             sc_core::sc_time& delay) {
    MemoryTransaction* const write = barrier_pool_.get();
    write->access(tlm::TLM_WRITE_COMMAND, kGlobalBarriers + 4 * barrier, 4);
    write->attributes.trace_id = cause;
    store(write->data, std::uint32_t{share});
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    const auto answer = (*barrier_out[subslice])->nb_transport_fw(*write, phase, delay);
    GEN9_CHECK(answer == tlm::TLM_UPDATED && phase == tlm::END_REQ,
               "the gateway refused a share of a global barrier");
}

tlm::tlm_sync_enum Dispatcher::on_share(unsigned subslice, tlm::tlm_generic_payload& write,
                                        tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    const auto barrier = static_cast<std::uint8_t>((write.get_address() - kGlobalBarriers) / 4);
    write.release();
    // The group has ended: the gateway gives up a round that nobody will come to.
    if (!global_barriers_.known(barrier, subslice)) return tlm::TLM_COMPLETED;
    shares_.push_back({clock_.now() + clock_.cycles(delay) + Cycles(env_.timed() ? 1 : 0),
                       static_cast<std::uint8_t>(subslice), barrier});
    wakeup_.at(shares_.back().due);
    return tlm::TLM_COMPLETED;
}

void Dispatcher::take_shares(Cycles now) {
    std::ranges::sort(shares_);
    while (!shares_.empty() && shares_.front().due <= now) {
        const Share share = shares_.front();
        shares_.erase(shares_.begin());
        const auto* complete = global_barriers_.report(share.barrier, share.subslice);
        if (complete == nullptr) continue;
        for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
            sc_core::sc_time delay;
            if (complete->shares[s]) arm_barrier(s, share.barrier, complete->shares[s], 0, delay);
        }
    }
}

}  // namespace gen9::dispatcher
