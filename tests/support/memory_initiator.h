// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <vector>

#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::test {

/// Sends memory transactions on one socket, in timed or blocking form, and notes when each ended.
struct MemoryInitiator : sc_core::sc_module {
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    MemoryPool pool;
    struct Ended {
        MemoryTransaction* transaction;
        std::uint64_t cycle;  ///< at which the response is there
    };
    std::vector<Ended> ended;  ///< in order of arrival; transactions are kept until clear()
    std::size_t sent = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;

    MemoryInitiator(sc_core::sc_module_name name, const Clock& clock)
        : sc_core::sc_module(name), clock_(clock), port_(mem_out, clock), wakeup_(clock) {
        mem_out.on_invalidate = [this](std::uint64_t start, std::uint64_t end) {
            invalidated.emplace_back(start, end);
        };
        port_.on_response = [this](tlm::tlm_generic_payload& p, Cycles at) {
            ended.push_back({static_cast<MemoryTransaction*>(&p), at.value});
        };
        port_.on_room = [this] { wakeup_.at(clock_.now() + Cycles(1)); };
        wakeup_.runs<&MemoryInitiator::process>(this);
    }
    ~MemoryInitiator() override { clear(); }

    /// Control state 2, write back everywhere (Linux's table).
    MemoryTransaction* fresh() {
        auto* t = pool.get();
        t->attributes.mocs = 2 << 1;
        return t;
    }
    MemoryTransaction* read(std::uint64_t address, unsigned size = 64) {
        auto* t = fresh();
        t->access(tlm::TLM_READ_COMMAND, address, size);
        return t;
    }
    MemoryTransaction* write(std::uint64_t address, unsigned size, std::uint8_t value) {
        auto* t = fresh();
        t->access(tlm::TLM_WRITE_COMMAND, address, size);
        std::fill(t->data, t->data + size, value);
        return t;
    }
    MemoryTransaction* atomic(std::uint64_t address, AtomicOp op, unsigned lanes, unsigned stride,
                              std::uint64_t source) {
        auto* t = fresh();
        t->access(tlm::TLM_READ_COMMAND, address, 64);
        t->attributes.operation = MemoryAttributes::Operation::Lanes;
        auto& l = t->attributes.lanes;
        l.kind = LaneAccess::Kind::Atomic;
        l.op = op;
        l.width_bytes = 4;
        l.count = static_cast<std::uint8_t>(lanes);
        for (unsigned i = 0; i < lanes; ++i)
            l.offset[i] = i * stride;
        l.source0.fill(source);
        return t;
    }
    /// Timed: sends as soon as the target lets it, one per cycle, not before cycle `at`.
    MemoryTransaction* send(MemoryTransaction* t, std::uint64_t at = 0) {
        waiting_.push_back({t, Cycles(at)});
        wakeup_.at(std::max(clock_.now(), Cycles(at)));
        return t;
    }
    /// Blocking; returns the delay in cycles and gives the transaction back with its data.
    MemoryTransaction* block(MemoryTransaction* t, std::uint64_t* cycles = nullptr) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        mem_out->b_transport(*t, delay);
        if (cycles) *cycles = clock_.cycles(delay).value;
        kept_.push_back(t);
        return t;
    }
    /// Gives everything that has ended back to the pool.
    void clear() {
        for (auto& e : ended)
            e.transaction->release();
        for (auto* t : kept_)
            t->release();
        ended.clear();
        kept_.clear();
    }

  private:
    struct Waiting {
        MemoryTransaction* transaction;
        Cycles at;
    };
    void process() {
        const Cycles now = clock_.now();
        if (waiting_.empty()) return;
        const Cycles due = std::max(waiting_.front().at, next_);
        if (due > now) return wakeup_.at(due);
        if (!port_.can_send()) return;
        auto* t = waiting_.front().transaction;
        waiting_.pop_front();
        next_ = now + Cycles(1);
        ++sent;
        port_.send(*t, now);
        if (!waiting_.empty() && port_.can_send()) wakeup_.at(std::max(next_, waiting_.front().at));
    }

    const Clock& clock_;
    RequestPort port_;
    Wakeup wakeup_;
    Cycles next_;
    std::deque<Waiting> waiting_;
    std::vector<MemoryTransaction*> kept_;
};

}  // namespace gen9::test
