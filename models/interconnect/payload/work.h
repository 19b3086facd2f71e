// SPDX-License-Identifier: Apache-2.0
/// Work: what a command starts threads for, from its first thread to the end of its last.
///
/// Bits 63:48 of a TraceId name the work that the transaction serves: its number modulo 65535, plus
/// 1; 0: none. Whatever a thread's messages and fetches cause carries them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/units.h"
#include "interconnect/payload/trace_id.h"

namespace gen9 {

enum class WorkKind : std::uint8_t {
    Walker,  ///< GPGPU_WALKER
    Media,   ///< MEDIA_OBJECT and its kin
    Draw,    ///< 3DPRIMITIVE
    Clear,   ///< what 3DSTATE_WM_HZ_OP asks for
};

struct Work {
    std::uint32_t number = 0;  ///< counts up from 0 over the life of the engine, over all kinds
    WorkKind kind = WorkKind::Walker;
    const char* name = "";  ///< of its command

    /// Its threads are of several kernels, and no kernel's groups.
    bool is_draw() const { return kind == WorkKind::Draw || kind == WorkKind::Clear; }
};

/// Why the next thread of a fixed function is not sent: every cycle of a client of the thread
/// dispatcher has exactly one of these.
enum class SendState : std::uint8_t {
    Idle,            ///< nothing to do
    Sending,         ///< a thread leaves, or the dispatch interval runs
    FrontEnd,        ///< a command is worked on, or its memory reads are under way
    WaitUrb,         ///< no free URB entry for the payload
    WaitSlot,        ///< no free thread slot where one is needed, or the thread limit is reached
    WaitRegisters,   ///< no EU with a free slot has registers enough
    WaitSlm,         ///< no free piece of shared local memory
    WaitBarrier,     ///< no free barrier, or no group counter
    WaitHandshake,   ///< the gateway has not yet accepted the barrier
    WaitPayload,     ///< the local dispatchers are still loading registers
    WaitDrain,       ///< running threads must end first (state change, other descriptor)
    WaitScoreboard,  ///< a thread that the next one depends on is in flight (MED-32)
    WaitSpawn,       ///< a synchronized root thread has not been called for yet
    WaitFence,       ///< the persistent root thread has not released its fence
    kCount,
};
inline constexpr std::size_t kSendStates = static_cast<std::size_t>(SendState::kCount);
/// Says in a sentence what it waits for.
const char* to_text(SendState state);

/// Work as it ran.
struct WorkRecord : Work {
    GpuAddr kernel_start;  ///< absolute
    std::uint32_t simd_width = 0;
    std::array<std::uint32_t, 3> groups{};  ///< started, by dimension
    std::uint64_t threads = 0;
    Cycles begin, end;               ///< first thread sent, last thread retired
    std::uint64_t instructions = 0;  ///< EU instructions of its threads
    std::uint64_t messages = 0;
    std::uint64_t thread_cycles = 0;  ///< from each thread's dispatch to its retirement
    Cycles all_sent;                  ///< its last thread has been sent; until then it has not
    std::array<std::uint64_t, kSendStates> sending{};  ///< cycles from begin to all_sent
};

/// Told when work begins and when its last thread has retired.
class WorkObserver {
  public:
    virtual ~WorkObserver() = default;
    virtual void work_began(const WorkRecord& work) = 0;
    virtual void work_ended(const WorkRecord& work) = 0;
};

inline constexpr unsigned kTraceWorkShift = 48;
inline constexpr std::uint32_t kTraceWorks = 0xFFFF;

/// The id of what serves a piece of work.
constexpr TraceId for_work(TraceId id, std::uint32_t number) {
    return id | TraceId{number % kTraceWorks + 1} << kTraceWorkShift;
}
/// The work of an id: the last with that number modulo 65535 of the first `count`; `count` if there
/// is none.
constexpr std::uint32_t work_of(TraceId id, std::uint32_t count) {
    const auto tag = static_cast<std::uint32_t>(id >> kTraceWorkShift);
    if (tag == 0 || count == 0) return count;
    const std::uint32_t last = count - 1;
    const std::uint32_t back = (last % kTraceWorks + kTraceWorks - (tag - 1)) % kTraceWorks;
    return back <= last ? last - back : count;
}

}  // namespace gen9
