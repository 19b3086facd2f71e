// SPDX-License-Identifier: Apache-2.0
/// A bench whose threads send messages to the thread spawner.
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "packets/media_payload.h"
#include "tests/unit/media/bench.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test {

struct Ask {
    bool spawn = false, child_sender = false, select = false, end = false;
    unsigned handle = 0, offset = 0, rows = 0, descriptor = 0;
    std::array<std::uint32_t, 8> others{};  ///< further bits of the payload, by DWord
    unsigned ahead = 0;  ///< cycles before its time that it is sent, by an EU that has run ahead
};

/// Threads live until they have sent what the test has them send, and a little longer.
struct SpawnBench : ModuleBench {
    /// What a thread sends so many cycles after its first instruction; each is told of its
    /// dispatch.
    std::function<std::vector<std::pair<unsigned, Ask>>(const ThreadDispatch&)> script =
        [](const ThreadDispatch&) { return std::vector<std::pair<unsigned, Ask>>{}; };
    bool last_first = false;  ///< of one cycle's messages the last planned is sent first
    std::vector<std::vector<Grf>> payloads;  ///< by thread, as they were sent
    std::vector<ThreadSideband> sides;

    explicit SpawnBench(Timing timing = Timing::Timed, std::vector<std::string> settings = {},
                        const ThreadTopology& topology = {}, RegisterFile registers = {})
        : ModuleBench(topology, timing, std::move(settings), "bench", 0, registers) {
        inspect = [this](ThreadDispatch& d) {
            payloads.emplace_back(d.payload.begin(), d.payload.begin() + d.payload_registers);
            sides.push_back(d.sideband);
            for (const auto& [delay, ask] : script(d)) {
                auto& plan = plans_.emplace_back(Plan{ask, d.sideband, {}});
                const Cycles at = clock.now() + Cycles(40 + delay - ask.ahead);
                when_.emplace_hint(last_first ? when_.lower_bound(at) : when_.upper_bound(at), at,
                                   &plan);
            }
            if (!when_.empty()) next_.notify(sc_core::SC_ZERO_TIME);
        };
        SC_HAS_PROCESS(SpawnBench);
        SC_METHOD(act);
        sensitive << next_;
        dont_initialize();
    }
    void begin(const VfeFields& vfe = {.entries = 8, .entry_rows = 8, .curbe_rows = 4}) {
        for (unsigned i = 0; i < 4; ++i)
            memory.put(i, {.kernel_start = 0x1000u * (i + 1), .per_thread_rows = i == 1 ? 2u : 0u});
        memory.put_rows(kDynamicBase + 0x1000, vfe.curbe_rows, 100);
        add(vfe_command(state, vfe));
        add(idd_load(state, 128));
        add(curbe_load(state, vfe.curbe_rows * 32, 0x1000));
    }
    std::size_t object(const ObjectFields& fields) { return add(object_command(state, fields)); }
    /// Rows of the URB from an entry's on, filled with first, first + 1, ...
    void fill_urb(unsigned handle, unsigned row, unsigned rows, unsigned first) {
        urb.resize(std::max<std::size_t>(urb.size(), handle * 64 + (row + rows) * 32));
        for (unsigned r = 0; r < rows; ++r)
            std::memset(&urb[handle * 64 + (row + r) * 32], int(first + r), 32);
    }
    MessageStatus status(std::size_t n) const { return messages.at(n)->status; }
    std::deque<std::unique_ptr<Message>> messages;  ///< in order of sending

  private:
    struct Plan {
        Ask ask;
        ThreadSideband sender;
        std::unique_ptr<Message> message;
    };
    void act() {
        while (!when_.empty() && when_.begin()->first <= clock.now()) {
            Plan& plan = *when_.begin()->second;
            when_.erase(when_.begin());
            send(plan);
        }
        if (!when_.empty())
            next_.notify(clock.time(when_.begin()->first) - sc_core::sc_time_stamp());
    }
    void send(Plan& plan) {
        namespace row = packets::THREAD_SPAWNER_MESSAGE;
        Message& m = *messages.emplace_back(std::make_unique<Message>());
        m.sfid = Sfid::ThreadSpawner;
        m.descriptor = 0x02000000u | unsigned(plan.ask.spawn) |
                       unsigned(plan.ask.child_sender) << 1 | unsigned(plan.ask.select) << 4;
        m.length = 1;
        m.end_of_thread = plan.ask.end;
        m.sender = &plan.sender;
        std::array<std::uint32_t, 8> d{};
        row::UrbHandle.set(d, plan.ask.handle);
        row::UrbHandleOffset.set(d, plan.ask.offset);
        row::DispatchUrbLength.set(d, plan.ask.rows);
        row::InterfaceDescriptorOffset.set(d, plan.ask.descriptor);
        row::Fftid.set(d, plan.sender.fftid);
        for (unsigned i = 0; i < 8; ++i)
            d[i] ^= plan.ask.others[i];
        std::memcpy(m.payload[0].bytes, d.data(), 32);
        sc_core::sc_time delay = clock.time(Cycles(plan.ask.ahead));
        auto& socket = *msg_out[plan.sender.fftid / topology.threads];
        if (!env.environment.timed()) return socket->b_transport(m, delay);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        socket->nb_transport_fw(m, phase, delay);
    }
    sc_core::sc_event next_;
    std::multimap<Cycles, Plan*> when_;
    std::deque<Plan> plans_;
};

inline unsigned handle_of(const ThreadDispatch& d) {
    return load<std::uint32_t>(d.payload[0].bytes) & 0xFFFF;
}
inline bool first(const ThreadDispatch& d) {
    return d.instruction_pointer == 0x1000;
}

}  // namespace gen9::media::test
