// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "common/units.h"
#include "eu/thread/register_set.h"
#include "interconnect/payload/dispatch.h"

namespace gen9::eu {

/// The architectural state of one hardware thread (003:19422-20288; eu-isa guide B, C).
///
/// Channels follow the PcIP rule (EU-153, EU-154): a channel executes when its own instruction
/// pointer equals the thread's. Channels at the thread's IP are in `active`; the others that exist
/// are in `waiting`, each at its `channel_ip`. All instruction pointers are byte offsets from the
/// instruction base.
struct Thread {
    alignas(64) std::array<Grf, kGrfCount> grf;

    // Every instruction asks for these, in two cache lines.
    alignas(64) std::uint32_t ip = 0;
    std::uint32_t active = 0;
    std::uint32_t waiting = 0;
    /// Lowest `channel_ip` above `ip` of a waiting channel, kNoWake if none: straight-line code
    /// only compares with this instead of with 32 pointers. Kept by masks.h; whoever sets `waiting`
    /// by hand calls `resynchronise` afterwards.
    std::uint32_t wake_ip = kNoWake;
    /// No waiting channel's `channel_ip` is below: a jump to before it meets none of them.
    std::uint32_t low_ip = kNoWake;
    static constexpr std::uint32_t kNoWake = ~std::uint32_t{0};
    /// Channels of the last send executed, moved down by its channel offset: build_message reads it
    /// after the instruction pointer has moved on.
    std::uint32_t send_mask = 0;
    std::array<std::uint32_t, 4> control{};   ///< cr0.0 .. cr0.3
    std::array<std::uint32_t, 2> flag{};      ///< f0, f1
    std::array<std::uint16_t, 16> address{};  ///< a0
    std::uint32_t dispatch_mask = 0;
    std::uint32_t call_mask = 0;
    std::array<std::uint32_t, 4> notification{};  ///< n0.0 .. n0.2 counts

    alignas(64) std::array<std::array<std::uint8_t, 128>,
                           2> acc{};  ///< acc0, acc1: raw storage, see accumulator.h
    std::array<std::array<std::uint8_t, 8>, 8>
        special_acc{};                              ///< acc2..acc9: 2 bits for each of 8 DWords
    std::array<std::uint32_t, 4> state{};           ///< sr0.0 .. sr0.3
    std::array<std::uint32_t, 4> hardware_state{};  ///< sr1.0 .. sr1.3
    std::array<std::uint64_t, 2> stack{};           ///< sp, sp_limit
    std::array<std::uint16_t, 8> dependency{};      ///< tdr0
    std::array<std::uint32_t, 4> timestamp{};       ///< tm0: kept by the module
    std::array<std::uint32_t, kMaxChannels> channel_ip{};
    std::array<std::uint32_t, 8> debug{};  ///< dbg0: storage of the system routine's
    /// The reason why the system routine runs; Exception also when it does not run.
    enum class Routine : std::uint8_t { Exception, Save, Restore } routine = Routine::Exception;

    ThreadSideband sideband;
    std::uint32_t work = 0;

    /// What compiled code remembers from run to run: where sends that it repeats have found their
    /// slots. Good as long as nobody else writes the thread's registers; who does forgets it.
    struct Places {
        static constexpr unsigned kMost = 32;
        static constexpr std::uint64_t kRuns = ~std::uint64_t{0};
        std::uint64_t owner = 0;  ///< number of the code, or kRuns; 0: nothing is good
        std::uint64_t epoch = 0;  ///< PlainEpoch::number
        std::array<std::uint8_t*, kMost> at;
        void forget() { owner = 0; }
    } places;

    /// The control registers that the thread's dispatch gave it. Threads that repeat it begin with the
    /// same.
    struct Beginning {
        std::array<std::uint32_t, 4> control{};
        std::array<std::uint64_t, 2> stack{};
        std::array<std::uint16_t, 8> dependency{};
        std::array<std::uint32_t, 2> state{};
        std::uint32_t ip = 0;
    } beginning;

    /// Loads what the dispatcher gives (EU-019..021, TD-34..42). Registers that are not loaded hold
    /// a recognisable pattern so that a kernel's use of them shows; it is written to those of
    /// `changed`, the others have it already.
    void start(const ThreadDispatch& dispatch, const RegisterSet& changed = RegisterSet::all()) {
        start(dispatch, RegisterRuns(changed, loaded_by(dispatch)));
    }
    /// `changed`: those behind the registers that are loaded.
    void start(const ThreadDispatch& dispatch, const RegisterRuns& changed);
    /// The same after a thread that `repeats` names.
    void start_again(const ThreadDispatch& dispatch, const RegisterRuns& changed);
    /// Begins where its dispatch said, with nothing done yet; its registers are another matter.
    void begin(std::uint32_t mask, bool uses_vector_mask);
    static unsigned loaded_by(const ThreadDispatch& dispatch) {
        return std::min<unsigned>(dispatch.payload_registers, kGrfCount);
    }
    /// The registers that a dispatch does not touch are as another thread left them (EU-021).
    void follow(const Thread& other);

  private:
    void load(const ThreadDispatch& dispatch, const RegisterRuns& changed);
    Beginning beginning_of(const ThreadDispatch& dispatch) const;
};

/// The registers from r1 on as threads that follow one another in a slot find them: all are loaded
/// with some of them alike, and the others have the pattern.
class FreshRegisters {
  public:
    FreshRegisters();
    /// They are loaded with so many registers of `payload`, r0 included.
    void expect(const Grf* payload, unsigned loaded);
    /// Writes those that the thread before may have changed.
    void refill(Thread& thread, const RegisterRuns& changed) const {
        for (const RegisterRuns::Run run : changed)
            std::copy_n(registers_.begin() + run.first, run.count, thread.grf.begin() + run.first);
    }

  private:
    alignas(64) std::array<Grf, kGrfCount> registers_;
    unsigned loaded_ = 1;
};

}  // namespace gen9::eu
