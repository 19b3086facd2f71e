// SPDX-License-Identifier: Apache-2.0
/// Thread requests: what a fixed function asks the thread dispatcher for, a batch of threads at a
/// time: a thread group, a media object, the threads of eight vertices or of some quads of pixels.
///
/// The four phases have their usual meaning. BEGIN_REQ: the batch is there at now + delay, in timed
/// mode at least a cycle later, so that no result depends on which of two clients runs first in a
/// cycle; but a request that is begun within the END_REQ of the last one is there at once. END_REQ:
/// the last thread has its slot, and the next batch may be begun. BEGIN_RESP: all of them have
/// retired. A socket has one request without END_REQ at a time; of several sockets of one client
/// the first goes first.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "interconnect/payload/dispatch.h"
#include "interconnect/payload/saved_thread.h"
#include "interconnect/payload/thread_places.h"
#include "interconnect/payload/work.h"

namespace gen9 {

struct ThreadRequest;

/// A thread that comes back to the slot it was saved from.
struct RestoredThread {
    ThreadPlace place;
    SavedThread saved;
};

/// A thread gets this from the dispatcher.
struct ThreadGrant {
    ThreadPlace place;
    std::uint32_t number = 0;  ///< of the thread in its request
    bool same_work = false;    ///< the slot's last thread was of its client and work
    // Its group has this barrier.
    std::uint8_t barrier = 0;
    bool has_barrier = false;
    std::uint8_t slm = 0;  ///< the flat subslice whose SLM it has a part of
    std::uint8_t slm_granule = 0;
    std::uint16_t slm_kilobytes = 0;
    const RestoredThread* restored = nullptr;  ///< it was saved; its group may be lost
};

/// The client's side of its requests, which the dispatcher calls. No call may let time pass where
/// there are no strangers (docs/architecture.md).
class ThreadSource {
  public:
    virtual ~ThreadSource() = default;

    /// Fills in a thread for its slot. It may set `threads` of the request to make this the last.
    virtual void make(ThreadRequest& request, const ThreadGrant& grant, ThreadDispatch& thread) = 0;

    /// Says what the request waits for before anything is reserved for it; Sending if it waits for
    /// nothing. Called before each attempt, where the request says `asks`. It may withdraw the
    /// request.
    virtual SendState may_begin(ThreadRequest&, Cycles) { return SendState::Sending; }
    /// The needs of its group have been reserved.
    virtual void began(ThreadRequest&, Cycles) {}
    /// Says what the next thread waits for before it is given a slot, as may_begin. It may say
    /// which subslices that thread may go to.
    virtual SendState may_send(ThreadRequest&, Cycles) { return SendState::Sending; }
    /// Why the next thread of the request is not sent, from now on.
    virtual void shows(ThreadRequest&, SendState, Cycles) {}

    /// A thread of `last` has ended: it retires at once, and the next one of `next` is made in its
    /// place. Both say `back_to_back` and are of one work. False: nothing was done.
    virtual bool make_next(ThreadRequest& /*last*/, ThreadRequest& /*next*/, ThreadDispatch&,
                           Cycles /*at*/) {
        return false;
    }

    /// The threads that `make_next` would make of `next` in the slot, at most so many and as far as
    /// that is certain while nobody else does anything.
    virtual void foresee(const ThreadRequest& /*next*/, const ThreadDispatch&, unsigned /*most*/,
                         ThreadFollowers& followers) {
        followers.count = 0;
    }
    /// So many of the threads that `foresee` has told have begun as if `make_next` had been called
    /// for each of them; `thread.retire` has what those have done that have ended, the last of which
    /// in cycle `at`.
    virtual void make_foreseen(ThreadRequest& /*next*/, unsigned /*count*/, ThreadDispatch&,
                               Cycles /*at*/) {}

    /// Threads that an EU, named by its number, is given in advance (ThreadRelay::deal).
    virtual void deal(const ThreadRequest& /*next*/, const ThreadDispatch&, unsigned /*eu*/,
                      unsigned /*most*/, ThreadFollowers& dealt) {
        dealt.count = 0;
    }
    /// So many of these have begun, as `make_foreseen` says.
    virtual void make_dealt(ThreadRequest& /*next*/, unsigned /*eu*/, unsigned /*count*/,
                            ThreadDispatch&, Cycles /*at*/) {}
    virtual void take_back(unsigned /*eu*/) {}

    /// An EU has said that the thread has ended; its slot is free later, when it retires.
    virtual void ended(ThreadRequest&, const ThreadDispatch&) {}
    /// May a thread that has ended retire?
    virtual bool may_retire(const ThreadDispatch&, Cycles) { return true; }
    virtual void retired(ThreadRequest&, const ThreadDispatch&, Cycles) {}

    /// May its threads that run be saved? Asked at kSaveRequest.
    virtual bool can_save() const { return false; }
    /// They are being saved, or all of it is over.
    virtual void saving(bool /*on*/, Cycles) {}
    /// A thread has saved itself; this is what brings it back.
    virtual void save(ThreadRequest&, const ThreadDispatch&, const SavedThread&) {}
    /// A thread cannot come back.
    virtual void lost(ThreadRequest&, const char* /*where*/, const char* /*why*/) {}
};

struct ThreadRequest {
    /// The threads of a request share this.
    enum class Group : std::uint8_t {
        None,      ///< nothing; each takes any slot
        Subslice,  ///< barrier or SLM, within a subslice (TD-07, TD-08)
        Pool,      ///< the same, within a pool of EUs (POOL-01)
        Machine,   ///< a barrier, over all subslices (TD-49)
    };
    /// How many threads it is, is not known yet: the source says which is the last.
    static constexpr std::uint32_t kOpen = ~std::uint32_t{0};

    // Request.
    ThreadSource* source = nullptr;
    std::uint32_t work = 0;  ///< number
    TraceId trace_id = 0;    ///< of what asks
    std::uint32_t threads = 1;
    std::uint32_t max_threads = ~std::uint32_t{0};  ///< that its client may have at a time
    std::uint32_t subslices = ~std::uint32_t{0};    ///< (flat) that the threads may go to
    std::uint8_t eus = 0xFF;                        ///< the first so many of each subslice
    std::uint8_t registers = 0;    ///< of its EU's file that each takes; 0: they are not counted
    std::uint16_t load_rows = 1;   ///< registers that are loaded into each
    bool asks = false;             ///< may_begin and may_send are called
    bool awaits_messages = false;  ///< its threads retire when their messages have been answered
    /// In functional mode a thread may be made as soon as one of the same work ends in its slot
    /// (make_next): any slot does for all of these.
    bool back_to_back = false;
    std::uint64_t work_left = 0;  ///< threads that its work has behind it, or about as many
    Group group = Group::None;
    bool barrier = false;
    bool continues_group = false;  ///< its threads are of the group that the last request left open
    bool leaves_group_open = false;
    std::uint16_t group_threads = 0;          ///< that must have slots when the group begins
    std::uint16_t barrier_threads = 0;        ///< that the gateway is told to expect
    std::uint16_t slm_kilobytes = 0;          ///< a power of two, or none
    std::array<std::uint32_t, 3> group_id{};  ///< for reports
    EuPools pools;                            ///< of a group within one
    /// Threads that were saved, in place of new ones: they take their old slots at once, when the
    /// shared local memory of their groups is back from the save area at `save_base`.
    std::span<const RestoredThread> restored{};
    GpuAddr save_base;

    // Response.
    SendState state = SendState::Sending;  ///< of kProbe: what the request would wait for
    /// By the source: what has not been sent is not sent, and its group gets no more threads.
    bool withdrawn = false;
    std::uint32_t sent = 0, retired = 0;
    Cycles payload_read;  ///< when the dispatchers will have loaded the payload of those sent
};

}  // namespace gen9
