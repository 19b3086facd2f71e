// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/control_target.h"
#include "l3/bank/bank.h"
#include "l3/front/ingress.h"
#include "l3/front/sweep.h"
#include "l3/front/urb_store.h"
#include "l3/interface.h"
#include "l3/registers.h"

namespace gen9::l3 {

/// L3: the banked cache of the slices (module half; the banks are in bank.h).
/// Role     front of the banks: takes its clients' line accesses to the queues in front of the
///          banks that own the lines; arbitrates; holds back what comes after a flush; keeps the
///          L3's registers and the URB's bytes.
/// Sockets  mem_in[client] target     base protocol  graphics addresses
///          control_in     target     b_transport    Control: flush_data, invalidate_*
///          reg_in         target     b_transport    32-bit registers (registers.h)
///          snoop_in       target     base protocol  physical lines, no data: a read shares the
///                                                   line, TLM_IGNORE takes it away
///          bank_out[bank] initiator  base protocol  requests of at most a line; Control
///          mem_out(bank)  initiator  base protocol  the bank's own way to memory
/// Params   params.h
/// Order    accesses of one line oldest first; of one client to one bank in order of arrival;
///          snoops, URB, fills, replays, engines that save SLM (PRE-24), then clients by the
///          bank's arbiter (L3-26, L3-29)
/// Not here what URB messages mean (urb/); SLM (slm/); translation of IA coherent accesses (L3-57);
///          ECC (L3-83); which level MOCS gives the LLC
/// Spec     L3-01..L3-82; 003:18219-18911
///
/// Banks of this model are modules within the L3; the L3's process runs the steps of their cycle.
/// Any other bank is reached by its sockets alone: it knows nothing of the URB, of snoops and of
/// the L3's partition, and a flush that waits for requests under way keeps all others in front of
/// it. In functional mode everything passes to memory, by the first bank; lines from the time
/// before stay, are dropped when they are told to be, and are read again when timed mode comes
/// back.
class L3 : public sc_core::sc_module, public L3Block {
  public:
    L3Params params;
    std::deque<TargetSocket<MemoryProtocol>> mem_in;
    ControlTarget control_in{"control_in"};
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};
    TargetSocket<MemoryProtocol> snoop_in{"snoop_in"};
    std::deque<InitiatorSocket<MemoryProtocol>> bank_out;
    L3Stats stats;

    /// `nodes`: the slices, each with the same share of the banks. Without `make_bank` the banks
    /// are of this model. `savers`: the last clients, so many, are engines that save SLM.
    L3(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned clients,
       unsigned banks, unsigned nodes = 1, const MakeBank& make_bank = {}, unsigned savers = 0);
    ~L3() override;

    tlm::tlm_initiator_socket<32, MemoryProtocol>& mem_out(unsigned bank) {
        return *banks_[bank].mem_out;
    }
    /// The counters of a bank of this model.
    const BankStats& bank_stats(unsigned bank) const { return banks_[bank].own->stats; }
    /// Transactions of its own that are under way: 0 when the L3 is quiet.
    std::size_t in_flight() const;
    L3Sockets sockets() override;
    bool idle() const override;
    /// Settles the banks as well.
    void settle() override {
        if (env_.timed())
            for (const BankPlace& bank : banks_)
                if (bank.own) bank.own->begin_cycle(clock_.now());
    }
    /// Brings the lines, or memory, up to date.
    void change_timing() override;
    /// Are all banks of this model?
    bool can_change_timing() const override;
    std::uint64_t dirty_lines() const;

  private:
    using Payload = tlm::tlm_generic_payload;
    struct Client {
        RequestQueue queue;  ///< on their way to the banks' queues
        bool decoded = false;
        Request head;
        unsigned bank = 0;
        Cycles try_at;              ///< its next request may be tried from then on
        Cycles issued;              ///< cycle in which its last request went to a bank's queue
        Cycles return_free;         ///< first cycle the way back can carry another line
        std::uint64_t credits = 0;  ///< more that may wait in banks' queues
    };

    enum class Admission : std::uint8_t { Serve, Wait, Hold };

    /// A request that its bank has taken and not answered.
    struct UnderWay {
        Payload* payload;
        unsigned client;
        bool write;
    };
    struct BankPlace {
        InitiatorSocket<MemoryProtocol>* out;
        tlm::tlm_initiator_socket<32, MemoryProtocol>* mem_out;
        Bank* own;                          ///< null: of another model
        std::unique_ptr<RequestPort> port;  ///< to one of another model
        Arbiter arbiter;
        Ingress<Request> ingress;
        std::vector<UnderWay> under_way;
        bool idle() const { return ingress.empty() && (own ? own->idle() : under_way.empty()); }
    };
    /// The answer of a bank that is not of this model.
    struct Return {
        Cycles at;
        unsigned bank;
        UnderWay request;
    };

    unsigned node_of(unsigned bank) const {
        return bank * nodes_ / static_cast<unsigned>(banks_.size());
    }
    unsigned bank_of(LineKey key) const {
        return static_cast<unsigned>(
            bank_count_.remainder(folded_ ? folded(key.number()) : key.number()));
    }
    std::uint64_t folded(std::uint64_t line) const;
    void make_bank(unsigned index, unsigned clients, const MakeBank& make);
    void decode_client(Payload& payload, Request& request) const;
    void check_client(const MemoryAttributes& a, const Payload& payload) const;

    // Timed mode (timed.cpp).
    void process();
    Cycles distribute(Cycles now);
    [[gnu::always_inline]] inline void decode_head(Client& client);
    [[gnu::always_inline]] inline bool enter(Client& client, Cycles now);
    Cycles arbitrate(PortSet clients, Cycles now);
    [[gnu::always_inline]] inline bool offer(BankPlace& bank, Request& request, Cycles now);
    void activate(unsigned bank, Cycles now);
    bool serve_urb(const Request& request, BankPlace& bank, Cycles now);
    void send(const Request& request, BankPlace& bank);
    bool send_to_other(const Request& request, BankPlace& bank, Cycles now);
    std::uint64_t all_banks() const { return ~std::uint64_t{0} >> (64 - banks_.size()); }
    void answered(unsigned bank, Payload& payload, Cycles at);
    static UnderWay taken_out(BankPlace& bank, const Payload& payload);
    Cycles bring_back(Cycles now);
    void respond(const UnderWay& request, Cycles at);

    // Snoops (snoop.cpp).
    Cycles serve_snoop(Cycles now);
    void blocking_snoop(Payload& payload, sc_core::sc_time& delay);

    // Flushes and invalidations (sweep.cpp).
    void control(const MemoryAttributes& attributes, sc_core::sc_time& delay);
    bool drained(const Sweep& sweep) const;
    void start_sweep(Sweep sweep, sc_core::sc_time& delay);
    void walk(Sweep& sweep, Cycles from);
    void advance_sweeps(Cycles now);
    Cycles next_of_sweeps(Cycles now) const;
    Admission admit(Client& client, Cycles now);

    // Access outside of the queues (module.cpp).
    void blocking(Payload& payload, sc_core::sc_time& delay);
    void blocking_urb(Payload& payload, sc_core::sc_time& delay);
    bool grant_urb(tlm::tlm_dmi& dmi);
    /// Tells clients that the host pointers they have been given are not good any more.
    void take_back(std::uint64_t start, std::uint64_t end);
    void perform_urb(Payload& payload, const MemoryAttributes& attributes);
    void blocking_line(Payload& payload, unsigned offset, unsigned length, sc_core::sc_time& delay);
    MemoryTransaction& part_of(const Payload& payload, unsigned offset, unsigned length);
    unsigned debug(Payload& payload);
    void access_register(Payload& payload, sc_core::sc_time& delay);
    void write_register(std::uint32_t offset, std::uint32_t value, sc_core::sc_time& delay);
    void invalidate_global(sc_core::sc_time& delay);
    void repartition(std::uint32_t value, sc_core::sc_time& delay);

    Environment& env_;
    const Clock& clock_;
    const Divisor bank_count_;
    const bool folded_;        ///< params.bank_hash
    const bool fetch_writes_;  ///< params.write_misses
    const unsigned nodes_;
    const Cycles request_cycles_, bank_cycles_, return_cycles_;  ///< as the parameters say
    Registers registers_;
    UrbStore urb_;
    MemoryPool pool_;
    RequestQueue snoops_;
    Wakeup wakeup_;
    const BankSetup setup_;
    std::vector<std::unique_ptr<Bank>> bank_store_;  ///< those that nobody else has made
    std::vector<BankPlace> banks_;
    std::vector<Return> returns_;  ///< the earliest first
    std::vector<Client> clients_;
    PortSet queued_clients_;             ///< those with a request on its way
    PortSet urb_clients_;                ///< those whose requests go to the URB
    const PortSet savers_;               ///< those that go before all others (PRE-24)
    std::uint64_t waiting_banks_ = 0;    ///< those with requests in their queues
    PortSet crowded_clients_;            ///< those that wait for room there
    std::uint64_t active_banks_ = 0;     ///< own ones with something to do besides clients
    std::uint64_t expecting_banks_ = 0;  ///< those with nothing to do but wait for memory
    Cycles next_arrival_;                ///< the earliest that one of them waits for; 0: none
    std::deque<Sweep> sweeps_;           ///< one after the other, the oldest first
    Cycles global_invalidation_ends_;
};

}  // namespace gen9::l3
