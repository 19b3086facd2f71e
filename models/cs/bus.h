// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "common/units.h"
#include "cs/command/alu.h"
#include "cs/eu_event_controls.h"
#include "interconnect/payload/command.h"
#include "interconnect/payload/memory_request.h"
#include "interconnect/payload/resource.h"
#include "interconnect/payload/trace_id.h"
#include "packets/latch.h"

namespace gen9::cs {

/// The performance counters as a report shows them.
struct PerformanceCounters {
    std::uint64_t clocks = 0;           ///< of the engine
    std::array<std::uint64_t, 36> a{};  ///< A0 to A35 (Public: Mesa's oa-sklgt2.xml)

    PerformanceCounters operator-(const PerformanceCounters& other) const {
        PerformanceCounters out{clocks - other.clocks, a};
        for (std::size_t i = 0; i < a.size(); ++i)
            out.a[i] -= other.a[i];
        return out;
    }
    PerformanceCounters operator+(const PerformanceCounters& other) const {
        return *this - (PerformanceCounters{} - other);
    }
};

/// Does a word in memory let the stream go on?
using PassesWord = std::function<bool(std::uint32_t)>;

// These interfaces are the requests of the streamer's core to the world around it. The module
// answers with sockets and time, a test with a vector of bytes. Calls come in stream order, and
// each is complete on return unless it says otherwise.

/// Memory, and the caches before it.
class MemoryBus {
  public:
    virtual ~MemoryBus() = default;
    /// False: the address does not translate; the bytes read are zero, those written are lost.
    virtual bool read(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) = 0;
    /// Reads and writes without time and without a trace of it. False: it does not translate.
    virtual bool peek(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) = 0;
    virtual bool poke(AddressSpace space, GpuAddr address, std::span<const std::uint8_t> bytes) = 0;
    /// Commands. `sequential`: the block behind the last one, which was asked for ahead.
    virtual bool fetch(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes,
                       bool sequential) = 0;
    virtual bool write(AddressSpace space, GpuAddr address,
                       std::span<const std::uint8_t> bytes) = 0;
    /// Flushes and invalidations; done when it returns.
    virtual void control(const CacheControl& control) = 0;
    /// Bytes in memory are filled with what depends on time.
    virtual void wrote_time(AddressSpace, GpuAddr, std::size_t /*bytes*/) {}
};

/// The registers of other blocks, and the ALU.
class RegisterBus {
  public:
    virtual ~RegisterBus() = default;
    /// A register of another block. False: no block has it.
    virtual bool read_register(std::uint32_t offset, std::uint32_t& value) = 0;
    virtual bool write_register(std::uint32_t offset, std::uint32_t value) = 0;
    /// The ALU and the general purpose registers.
    virtual AluUnit& alu() = 0;
};

/// The pipes and the work in them.
class PipeBus {
  public:
    virtual ~PipeBus() = default;
    /// Does anybody take the work of this pipe? Nothing is sent to a pipe without such a one.
    virtual bool has_pipe(packets::Pipe pipe) const { return pipe == packets::Pipe::Media; }
    /// A command to fill in and send. send() returns when the front end may be given the next one
    /// or later; the work goes on.
    virtual PipelineCommand& new_command() = 0;
    virtual void send(packets::Pipe pipe, PipelineCommand& command) = 0;
    /// Commands sent to these pipes whose work has not ended.
    virtual unsigned outstanding(packets::PipeSet pipes) const = 0;
    /// Returns when there are none.
    virtual void drain(packets::PipeSet pipes) = 0;
    /// Waits as drain() does. False: `stop` said so first; it is asked at the beginning and when a
    /// submission comes.
    virtual bool drain_unless(packets::PipeSet pipes, const std::function<bool()>& stop) {
        if (stop()) return false;
        drain(pipes);
        return true;
    }
    /// Returns when the pipe's front end can take another command. While it cannot, `stop` is asked
    /// as by drain_unless.
    virtual bool await_front_end(packets::Pipe /*pipe*/, const std::function<bool()>& stop) {
        return !stop();
    }
    /// A walker that still has groups to send is to send no more, and the `threads` that run may be
    /// saved; drain() follows.
    virtual void stop_walker(bool /*threads*/) {}
    /// The same for a draw that still has objects to send.
    virtual void stop_draw() {}
    /// The running list has given way to the one that waited.
    virtual void preempted() {}
};

/// The resource streamer. Without one the other functions are not called.
class ResourceBus {
  public:
    virtual ~ResourceBus() = default;
    virtual bool has_streamer() const { return false; }
    /// Starts it: the fields of a Parse.
    virtual void start_streamer(const ResourceRequest& /*request*/) {}
    /// Says that nothing will be consumed before it stops; streamer_stopped() follows.
    virtual void join_streamer() {}
    /// Returns when it has stopped, with what it answered.
    virtual ResourceRequest streamer_stopped() { return {}; }
    /// Has it said that it went as far ahead as it may, and where? No value: it has not.
    virtual std::optional<GpuAddr> streamer_limit() { return {}; }
    /// Makes it stop at the next command; streamer_stopped() follows.
    virtual void halt_streamer() {}
    /// Returns when a product is there, which is taken. False: none will come.
    virtual bool consume(ResourceProduct /*product*/) { return false; }
    /// Saves or restores its part of the image whose register state is at a GGTT address.
    virtual void streamer_context(const ResourceRequest& /*request*/) {}
};

/// Time: what the streamer spends, what it waits for, and what comes at a certain time.
class TimeBus {
  public:
    virtual ~TimeBus() = default;
    // These cost the streamer time: a command is parsed, a context is switched. ALU instructions
    // take theirs in the ALU; computed() says that some have run.
    virtual void parsed(std::uint32_t dwords) = 0;
    virtual void computed() = 0;
    virtual void switched() = 0;
    /// Gives everybody else the time between two polls to change what the streamer waits for.
    virtual void poll() = 0;
    /// The same for a word that nothing in the machine can change any more, but the host may. True:
    /// the host has, it passes now, and no time has passed. False: poll, or look what was
    /// submitted.
    virtual bool await_host(AddressSpace, GpuAddr, const PassesWord&) { return false; }
    /// The stream goes on behind a wait, at once or not.
    virtual void passed_wait() {}
    /// Reports of the counters are due every so many ticks of TIMESTAMP, from now on; 0: none.
    virtual void sample(std::uint64_t /*ticks*/) {}
    /// The counters now. A7 to A20 count from now on what `events` chooses, and counted until now
    /// what was chosen last.
    virtual void performance(PerformanceCounters& /*counters*/, const EuEventControls& /*events*/) {
    }
    /// The watchdog expires at a tick of TIMESTAMP; no value: it does not. Replaces what was asked
    /// before.
    virtual void alarm(std::optional<std::uint64_t> /*tick*/) {}
    /// The free-running count behind TIMESTAMP (CS-19), not yet cut to its width.
    virtual std::uint64_t timestamp() const = 0;
    /// The length of so many of its ticks.
    virtual std::int64_t picoseconds(std::int64_t ticks) const = 0;
};

/// All of these, with interrupts, trace ids and a waveform.
class Bus : public MemoryBus,
            public RegisterBus,
            public PipeBus,
            public ResourceBus,
            public TimeBus {
  public:
    /// A command or a change of contexts begins; what it causes carries its id.
    void begin() { trace_id_ = trace_ids_.next(); }
    TraceId trace_id() const { return trace_id_; }
    /// An interrupt that the streamer's IMR lets pass (registers.h: kUserInterrupt, ...). Nobody
    /// need take it.
    virtual void interrupt(unsigned /*bit*/) {}
    // These are for a waveform and are called only when somebody watches: a command is parsed, the
    // registers may have changed.
    virtual bool watched() const { return false; }
    virtual void show_command() {}
    virtual void show_registers() {}

  private:
    TraceIds trace_ids_{TraceSource::CommandStreamer};
    TraceId trace_id_ = 0;
};

}  // namespace gen9::cs
