// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/units.h"
#include "interconnect/payload/context_save.h"
#include "interconnect/payload/message.h"

namespace gen9 {

/// A thread tells what it did when it ends.
struct ThreadRetire {
    std::uint64_t instructions = 0;
    std::uint64_t messages = 0;
    bool saved = false;  ///< it has not ended but saved itself (kSaveThreads)
};

struct ThreadDispatch;

/// Observers are told this of a GPGPU or media thread.
struct GpgpuThread {
    std::array<std::uint32_t, 3> group_id{};
    std::uint16_t local_thread = 0;  ///< number within its group
};

/// Threads that may follow one another in a slot, group after group: what each has of its own.
struct ThreadFollowers {
    static constexpr unsigned kMost = 32;  ///< of groups
    struct Group {
        Grf header;  ///< of r0 what its threads share
    };
    unsigned count = 0;                         ///< threads
    unsigned first_thread = 0;                  ///< number of the first in its group, which is the
    unsigned group_threads = 1;                 ///< first of `groups`, each of so many
    Grf header_kept;                            ///< bits of r0 that are the slot's
    std::uint8_t first_row = 1, row_count = 0;  ///< registers that each thread of a group has,
    const std::uint8_t* rows = nullptr;         ///< and these, of one thread after the other
    const std::uint32_t* masks = nullptr;       ///< dispatch masks of the threads of a group
    std::array<Group, kMost> groups;
};

/// Gives the next thread of a slot at the end of its last, as a call of the dispatcher.
class ThreadRelay {
  public:
    /// The thread has ended in cycle `at`, with `retire` filled in: the same transaction is the
    /// request of the slot's next thread then, which the EU has accepted. False: nothing has been
    /// done, and the response is sent.
    virtual bool next(ThreadDispatch& thread, Cycles at) = 0;
    /// At most so many of the threads that `next` would give the slot one after the other, as far
    /// as that is certain while nobody else does anything. Nothing is done. They are kept until the
    /// relay is called again.
    virtual const ThreadFollowers& followers(const ThreadDispatch& thread, unsigned most) = 0;
    /// The first `count` of them have begun, each at the end of the one before it, the last one in
    /// cycle `at`. The transaction is the request of that one then; its `retire` has what those
    /// have done together that have ended.
    virtual void followed(ThreadDispatch& thread, unsigned count, Cycles at) = 0;

    /// Gives the EU of the thread, which holds none of them, at most so many threads of its work in
    /// advance, for those of its slots that have threads of it to run one after the other. `rows`
    /// and `masks` are good until the relay is called again.
    virtual void deal(const ThreadDispatch& thread, unsigned most, ThreadFollowers& dealt) = 0;
    /// The next `count` of these have begun in the thread's slot, as `followed` says.
    virtual void followed_dealt(ThreadDispatch& thread, unsigned count, Cycles at) = 0;
    /// The EU gives back those that have not begun.
    virtual void take_back(const ThreadDispatch& thread) = 0;

  protected:
    ~ThreadRelay() = default;
};

/// One thread given to an EU: what the thread dispatcher loads (gpgpu-media-l3 guide TD-20..TD-42).
///
/// The transaction's request is accepted when the EU has taken the payload; its response begins
/// when the thread has ended (end-of-thread message issued), with `retire` filled in.
struct ThreadDispatch {
    // Request.
    ThreadSideband sideband;  ///< kept by the EU for the thread's life, sent with its messages
    std::uint64_t instruction_pointer =
        0;  ///< of the first instruction, relative to the instruction base
    std::uint32_t dispatch_mask = 0;   ///< channels that exist (DMask)
    bool uses_vector_mask = false;     ///< all four channels of a group run if one exists (VMask)
    std::uint8_t simd_width = 8;       ///< 8, 16 or 32: for statistics and reports only
    std::uint8_t ffid = 0;             ///< fixed function that spawned it (sr0.0[27:24])
    bool alternate_float = false;      ///< cr0.0[0]
    bool single_program_flow = false;  ///< cr0.0[2]
    std::uint8_t rounding = 0;         ///< cr0.0[5:4]: 0 nearest even, 1 up, 2 down, 3 zero
    bool illegal_opcode_exception = false;
    bool software_exception = false;
    bool stack_exception = false;     ///< cr0.1[11]
    std::uint64_t stack_pointer = 0;  ///< sp
    std::uint64_t stack_limit = 0;    ///< sp_limit
    /// tdr0: [15] valid, [8:0] FFTID of a thread that must end before a sendc of this one may go.
    std::array<std::uint16_t, 8> dependency{};
    std::uint8_t client = 0;  ///< of the thread dispatcher that asked for it
    std::uint32_t work = 0;   ///< number of the work that it is of, for reports and traces
    /// URB handles that its client gets back when it has ended.
    std::array<std::uint16_t, 8> urb_handles{};
    std::uint8_t urb_handle_count = 0;
    GpgpuThread gpgpu;
    std::uint8_t payload_registers = 0;  ///< registers r0.. that are loaded
    bool restored = false;               ///< it was saved: begins in the system routine (EU-288)
    /// Its slot's last thread was the same but for payload, channels, group, trace id and place of
    /// the shared local memory.
    bool repeats = false;
    /// In functional mode the EU may ask this for the slot's next thread in place of the response;
    /// null: it may not. Its cycles are those of the EU's clock.
    ThreadRelay* relay = nullptr;
    std::array<Grf, kGrfCount> payload;

    /// A thread that is restored comes with it; one that was saved responds with it.
    HiddenThreadState hidden;

    // Response.
    ThreadRetire retire;
};

}  // namespace gen9
