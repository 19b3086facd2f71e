// SPDX-License-Identifier: Apache-2.0
// A plugin of gen9sim: a memory with banks and open rows in the place of `gpu.dram`.
//
//   gen9sim run --plugin ddr_memory.so --set gpu.dram.model=ddr -- ./your_program
//
// It is an ordinary TLM-2.0 module: a socket of tlm_utils, a payload event queue, its own delays.
// It holds the machine's bytes, which come to it by transport_dbg when the simulation begins.
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <string>

#include "common/params.h"
#include "common/stats.h"
#include "memory/perform.h"
#include "platform/machine/plugin.h"

namespace {

using namespace gen9;
using Payload = tlm::tlm_generic_payload;

struct DdrParams : ParamSet {
    using ParamSet::ParamSet;
    Param row_hit{*this,
                  {"row_hit", "cycles", "From a request to its data, the row being open.",
                   "DDR4-2133, CL 15: 14 ns, and the controller; assumed"},
                  70,
                  1,
                  10000};
    Param row_miss{*this,
                   {"row_miss", "cycles", "The same with another row open: precharge, activate.",
                    "DDR4-2133 15-15-15: 42 ns, and the controller; assumed"},
                   102,
                   1,
                   10000};
    Param burst{*this,
                {"burst", "cycles", "A line occupies the data bus.",
                 "DDR4-2133, one channel: 17 GB/s at 1.15 GHz"},
                4,
                1,
                1000};
};

struct DdrStats : StatSet {
    using StatSet::StatSet;
    Counter row_hits{*this, "row_hits", "requests", "Requests to a bank's open row."};
    Counter row_misses{*this, "row_misses", "requests", "Requests to another row."};
};

/// One channel of 16 banks; rows of 8 KB, lines spread over the banks.
class DdrMemory : public sc_core::sc_module, public platform::DramBlock {
  public:
    tlm_utils::simple_target_socket<DdrMemory> mem_in{"mem_in"};

    DdrMemory(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
        : sc_module(module_name),
          DramBlock(env),
          params_(env.config, name()),
          stats_(name()),
          env_(env),
          clock_(clock),
          requests_("requests"),
          responses_("responses") {
        enlist(env, params_, stats_);
        mem_in.register_b_transport(this, &DdrMemory::b_transport);
        mem_in.register_nb_transport_fw(this, &DdrMemory::nb_transport_fw);
        mem_in.register_transport_dbg(this, &DdrMemory::transport_dbg);
        SC_HAS_PROCESS(DdrMemory);
        SC_METHOD(take_requests);
        sensitive << requests_.get_event();
        dont_initialize();
        SC_METHOD(send_responses);
        sensitive << responses_.get_event();
        dont_initialize();
    }
    memory::DramSockets sockets() override { return {mem_in}; }

  private:
    static constexpr unsigned kBanks = 16;

    void b_transport(Payload& payload, sc_core::sc_time& delay) {
        memory::perform(memory_, payload);
        if (env_.timed()) delay += clock_.time(Cycles(params_.row_miss));
    }
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
        requests_.notify(payload, delay);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    unsigned transport_dbg(Payload& payload) { return memory::perform_debug(memory_, payload); }

    void take_requests() {
        while (Payload* const payload = requests_.get_next_transaction()) {
            memory::perform(memory_, *payload);
            const std::uint64_t line = payload->get_address() / kLineBytes;
            const std::size_t bank = line % kBanks;
            const std::uint64_t row = line / kBanks / 128;
            const bool hit = open_row_[bank] == row;
            ++(hit ? stats_.row_hits : stats_.row_misses);
            open_row_[bank] = row;
            const auto now = sc_core::sc_time_stamp();
            auto& free = bank_free_[bank];
            const auto start = std::max(now, free);
            const auto ready =
                start + clock_.time(Cycles(hit ? params_.row_hit : params_.row_miss));
            free = start + clock_.time(Cycles(hit ? params_.burst.get() : params_.row_miss.get()));
            bus_free_ = std::max(ready, bus_free_) + clock_.time(Cycles(params_.burst));
            responses_.notify(*payload, bus_free_ - now);
        }
    }
    void send_responses() {
        while (Payload* const payload = responses_.get_next_transaction()) {
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            mem_in->nb_transport_bw(*payload, phase, delay);
        }
    }

    DdrParams params_;
    DdrStats stats_;
    Environment& env_;
    const Clock& clock_;
    memory::PhysicalMemory memory_;
    tlm_utils::peq_with_get<Payload> requests_, responses_;
    std::array<std::uint64_t, kBanks> open_row_{};
    std::array<sc_core::sc_time, kBanks> bank_free_;
    sc_core::sc_time bus_free_;
};

void add_models(platform::BlockModels& models) {
    models.dram.add("ddr", [](const platform::BlockPlace& at, const memory::MemorySetup&) {
        return std::make_unique<DdrMemory>(at.name.c_str(), at.env, at.clock);
    });
}

}  // namespace

GEN9_PLUGIN(add_models)
