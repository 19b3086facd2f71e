// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <memory>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/message_server.h"
#include "interconnect/observe/access_observer.h"
#include "interconnect/payload/direct_message.h"
#include "interconnect/payload/object_pool.h"
#include "interconnect/payload/stays_inside.h"
#include "sampler/core.h"
#include "sampler/interface.h"
#include "sampler/params.h"
#include "sampler/signals.h"
#include "sampler/socket_memory.h"
#include "sampler/timing/texture_cache.h"

namespace gen9::sampler {

/// Sampler of a subslice (module half; what messages mean is in core.h).
/// Role     takes the messages of function 2, looks up the lines of their texels in the texture
///          cache, fetches the missing ones from L3, answers
/// Sockets  msg_in[n]   target     Message            from EU n of the subslice
///          control_in  target     memory (Control)   invalidation of states and textures
///          mem_out     initiator  memory             to L3
///          target_out  initiator  Message            to the render target, if there is one
/// Params   params.h
/// Order    messages start in order of arrival, between EUs by the arbiter; they look up their
///          lines and are answered in the order in which they started (SMP-271). A cache_flush
///          waits for those before it and holds the lookups of those behind it (SMP-166). A message
///          whose results go to the render target is answered when the target has answered
/// Spec     SMP-01..SMP-260, SMP-270..SMP-275; 003:2965-4826, 003:10041-10987
class Sampler : public sc_core::sc_module,
                public SamplerBlock,
                public AccessSource,
                public DirectFunction,
                public StaysInside {
  public:
    SamplerParams params;
    MessageSockets msg_in;
    ControlTarget control_in{"control_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    std::unique_ptr<InitiatorSocket<MessageProtocol>> target_out;  ///< or null
    SamplerStats stats;
    SamplerSignals signals;

    Sampler(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus,
            bool with_target = false);
    ~Sampler() override;
    SamplerSockets sockets() override {
        return {every<AnyTarget<MessageProtocol>>(msg_in), control_in, mem_out, target_out.get()};
    }
    bool idle() const override { return server_.idle(); }
    /// Transactions of its own that are under way: 0 when idle.
    std::size_t transactions() const { return socket_memory_.in_flight(); }
    void settle() override {
        if (env_.timed()) account_.settle(clock_.now());
    }
    /// Functional mode then leaves the lines in the texture cache that timed mode would.
    void expect_changes() override { mixed_ = true; }
    std::unique_ptr<DirectSite> site(const SendForm& form) override;
    void stay_inside(bool on) override { inside_ = on; }

  private:
    struct Flight : MessageFlight {
        Core::Work work = Core::Work::None;
        Cycles ready;     ///< its lookups may begin
        Cycles complete;  ///< latest line so far
        unsigned looked_up = 0, missing = 0;
        bool filtered = false;  ///< it has its results
        unsigned written = 0,
                 unwritten = 0;  ///< lines of them that were sent, and are on their way
        enum class Target : std::uint8_t { Unsent, Sent, Written } target;
        Request request;
    };
    /// Results on their way to the render target.
    struct TargetWrite : Message {
        Flight* flight = nullptr;
    };
    /// A line on its way from L3, and who waits for it.
    struct Fetch {
        std::uint64_t line = 0, number = 0;   ///< number: of the request
        MemoryTransaction* answer = nullptr;  ///< it has come
        Cycles at;                            ///< and is used after this cycle
        bool keep = true;                     ///< false: the cache was invalidated meanwhile
        std::vector<std::pair<Flight*, unsigned>> waiting;
    };

    friend class SampleSite;
    void execute(Message& message);
    void execute_by_lines(Message& message);
    void pass_on(Message& message, const Request& request);
    void write_at_once(const Message& message, const Request& request);
    void step();
    void start(Flight& flight, Cycles now);
    void look_up(Cycles now);
    bool look_up_line(Flight& flight, Cycles now);
    Flight* looking(Cycles now) const;
    void fetch(std::uint64_t line, Flight& flight, Cycles now);
    void tell_lookup(const Flight& flight, bool hit) const;
    void answer(Cycles now);
    void write_results(Cycles now);
    bool writes(const Flight& flight) const;
    bool at_target(Flight& flight, Cycles now);
    tlm::tlm_sync_enum on_target(Message& write, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    Activity activity(Cycles now) const;
    void show(Cycles now);
    void fetched(MemoryTransaction& transaction, Cycles at);
    void take_fetched(Cycles now);
    void take(Fetch& fetch);
    Cycles filter_cycles(const Flight& flight) const;
    Cycles start_cycles(const Message& message) const;
    void control(const CacheControl& control);
    void flush_texture();
    bool fetching() const { return free_fetches_.size() < fetches_.size(); }

    Environment& env_;
    const Clock& clock_;
    SocketMemory socket_memory_;
    Core core_;
    Message direct_;       ///< the direct message that is carried out
    bool inside_ = false;  ///< direct messages get only what is at hand
    ObjectPool<TargetWrite> target_writes_;
    std::unique_ptr<Request> functional_ = std::make_unique_for_overwrite<Request>();
    Wakeup wakeup_;
    LineRequests line_requests_;
    MessageServer<Flight> server_;
    ResponseBus responses_;
    TextureCache cache_;
    std::array<std::uint64_t, 3> bilinear_cycles_, trilinear_cycles_;  ///< by Format::Width
    std::deque<Flight*> looking_;  ///< have lines to look up, in order
    std::deque<Flight*> order_;    ///< not answered, in order
    std::vector<std::unique_ptr<Fetch>> fetches_;
    std::vector<Fetch*> free_fetches_;
    boost::unordered_flat_map<std::uint64_t, Fetch*> on_way_;  ///< by line; those to be kept
    std::vector<Fetch*> come_;  ///< not used yet, by the cycle in which they came, then the request
    std::uint64_t requests_ = 0;
    CycleAccount<Activity, kActivities, Activity::Idle> account_{
        {&stats.idle_cycles, &stats.busy_cycles, &stats.lookup_cycles, &stats.stall_memory_cycles,
         &stats.stall_full_cycles, &stats.waiting_cycles, &stats.front_end_cycles,
         &stats.return_cycles}};
    bool mixed_ = false;    ///< the mode may change
    bool blocked_ = false;  ///< a missing line waits for L3 to take its request
    Cycles next_look_;
    Cycles filter_free_;  ///< the filter works until then
    Cycles returned_;     ///< the last answer is at its EU
};

}  // namespace gen9::sampler
