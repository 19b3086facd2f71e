// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "common/page_source.h"
#include "common/units.h"

namespace gen9::platform {

/// Told of each submission, before it begins, which enqueue of which process it belongs to, from 1;
/// 0: unknown.
using OnLaunch = std::function<void(std::uint32_t process, std::uint32_t launch)>;

/// A host door (TBX, AUB, the in-process interface) drives an engine by this: registers, the GGTT's
/// entries and physical memory, as a driver sees them over the bus.
class Engine {
  public:
    virtual ~Engine() = default;
    virtual void write_register(std::uint32_t offset, std::uint32_t value) = 0;
    virtual std::uint32_t read_register(std::uint32_t offset) = 0;
    virtual void write_gtt(std::uint32_t index, std::uint64_t entry) = 0;
    virtual std::uint64_t read_gtt(std::uint32_t index) = 0;
    virtual void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) = 0;
    virtual void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) = 0;
    /// Makes memory of this process the physical memory at an address, without a copy, until it is
    /// detached. Whole pages; nothing may be there yet. False: the engine cannot.
    virtual bool attach_memory(PhysAddr, std::span<std::uint8_t>) { return false; }
    /// Others than the program and the engine may write memory that has been attached, at any time.
    virtual void others_write(PhysAddr, std::uint64_t /*bytes*/) {}
    /// Takes it away again; the engine must have dropped its translations that lead there.
    virtual void detach_memory(PhysAddr, std::uint64_t /*bytes*/) {}
    /// Makes a page physical memory that costs nothing until it is used. False: the engine cannot.
    virtual bool attach_when_used(PhysAddr, PageSource&) { return false; }
    virtual void detach_when_used(PhysAddr) {}
    /// Runs the engine until it is idle, waits for the host, or has stopped for good, which is
    /// reported.
    virtual void run() = 0;
    /// run() has returned because only what the host writes into memory lets the engine go on. The
    /// next run() looks whether it has. Never without `host_writes`.
    virtual bool waits_for_host() const { return false; }
    /// Asks an engine that waits, without time passing. False: run() would change nothing.
    virtual bool may_go_on() { return true; }
    /// The host will not write: an engine that waits for it hangs. `why` says how that is known.
    virtual void give_up_waiting(const std::string& /*why*/) {}
    /// Tells a person who waits for what.
    virtual std::string describe_waiting() const { return {}; }
    /// Stopped for good: a hang, the cycle limit, an interruption, or nobody wants the result any
    /// more; run() does nothing from then on.
    virtual bool stopped() const = 0;
    /// Engines beside this one have done so many steps more of work that has no time. False: they
    /// are to end.
    virtual bool goes_on(std::uint64_t /*steps*/) { return !stopped() && wanted(); }
    /// Asks a running run() to return soon and to stop for good. Called from a signal handler.
    virtual void interrupt() noexcept {}
    /// Asked now and then by a running run(): does anybody still wait for its result?
    std::function<bool()> wanted = [] { return true; };
    /// The host may write memory between two calls of run() of one submission.
    bool host_writes = false;
};

}  // namespace gen9::platform
