// SPDX-License-Identifier: Apache-2.0
// A walk of the media front end, sent thread by thread through the dispatcher's core.
#pragma once
#include <bit>

#include "dispatcher/core.h"
#include "media/walk/group_request.h"
#include "media/walk/payload.h"
#include "tests/unit/media/commands.h"

namespace gen9::dispatcher::test {

using namespace media;
using namespace media::test;

class WalkPlacer : public DispatcherCore {
  public:
    WalkPlacer(const ThreadTopology& topology, const Settings& settings,
               media::DescriptorChange change = media::DescriptorChange::Drain)
        : DispatcherCore(topology, settings), topology_(topology), live_(change) {}

    bool must_drain(const Walk& walk) const { return live_.must_drain(walk, slots().live()); }
    void begin(const Walk& walk) {
        walk_ = &walk;
        live_.begin(walk);
        const auto segments = std::popcount(walk.vfe.subslice_mask(topology_));
        cursor_ = media::WalkCursor(walk, static_cast<unsigned>(segments), 0);
        open_ = false;
        room_for(walk.descriptor, 1, walk.vfe, walk.pools, walk.registers);
    }
    void stop() { walk_ = nullptr; }
    bool walking() const { return walk_ && !cursor_.done(); }
    bool group_open() const { return open_; }
    SendState open_group() {
        describe_group(*walk_, cursor_, topology_, {}, request_);
        const SendState why = open(request_, 0, group_);
        open_ = why == SendState::Sending;
        return why;
    }
    SendState take_slot(std::uint32_t ready, ThreadPlace& place) {
        describe_group(*walk_, cursor_, topology_, {}, request_);
        return DispatcherCore::take_slot(request_, 0, group_, ready, place);
    }
    SendState take_child_slot(std::uint32_t ready, const media::VfeState& vfe, unsigned registers,
                              ThreadPlace& place) {
        ThreadRequest request;
        set_limits(vfe, topology_, registers, request);
        OpenGroup none;
        const SendState why = DispatcherCore::take_slot(request, 0, none, ready, place);
        if (why == SendState::Sending) sent(place.fftid(topology_), none, true);
        return why;
    }
    void make_next(const ThreadPlace& place, ThreadDispatch& thread) {
        media::ThreadFacts facts;
        facts.place = place;
        cursor_.describe(facts);
        if (const Group* held = group()) {
            facts.barrier = held->barrier;
            facts.slm = held->slm;
            facts.slm_granule = held->slm_granule;
        }
        make_thread(*walk_, topology_, facts, thread);
        const bool last = cursor_.last_of_group();
        sent(place.fftid(topology_), group_, last);
        cursor_.next();
        if (last) open_ = false;
    }
    SendState room_for(const Descriptor& d, unsigned threads, const media::VfeState& vfe,
                       const EuPools& pools, unsigned registers = 0) {
        ThreadRequest request;
        set_limits(vfe, topology_, registers, request);
        request.group = !d.bound_to_subslice() ? ThreadRequest::Group::None
                        : pools.enabled        ? ThreadRequest::Group::Pool
                                               : ThreadRequest::Group::Subslice;
        request.group_threads = static_cast<std::uint16_t>(threads);
        request.barrier = d.barrier;
        request.slm_kilobytes = static_cast<std::uint16_t>(media::slm_kilobytes(d.slm_code));
        request.pools = pools;
        return DispatcherCore::room_for(request, 0);
    }
    void take_restored(const Walk& walk, const ThreadPlace& place, GroupIndex group,
                       unsigned registers) {
        ThreadRequest request;
        set_limits(walk.vfe, topology_, 0, request);
        DispatcherCore::take_restored(request, 0, place, group, registers);
    }
    /// That is being sent, if it holds something.
    const Group* group() const {
        return group_.index == kNoGroup ? nullptr : &tracker()[group_.index];
    }
    unsigned barrier() const { return group() ? group()->barrier : 0u; }
    std::array<std::uint32_t, 3> next_group() const { return cursor_.group(); }
    unsigned next_thread() const { return cursor_.local_thread(); }

  private:
    ThreadTopology topology_;
    media::LiveDescriptor live_;
    const Walk* walk_ = nullptr;
    media::WalkCursor cursor_;
    ThreadRequest request_;
    OpenGroup group_;
    bool open_ = false;
};

}  // namespace gen9::dispatcher::test
