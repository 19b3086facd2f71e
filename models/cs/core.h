// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cs/command/interpreter.h"
#include "cs/context/context_image.h"
#include "cs/context/execlists.h"
#include "cs/registers/mmio.h"
#include "cs/registers/registers.h"

namespace gen9::cs {

/// CsCore: submissions and contexts around the interpreter (no SystemC; what needs time or other
/// blocks goes through the Bus).
/// Role     takes lists from the submission port, loads and saves contexts, runs each ring from its
///          head to its tail, reports by EXECLIST_STATUS, the context status buffer and the status
///          page.
/// Order    a list's element 0, then element 1; a waiting list replaces the running one at an
///          arbitration point, or moves the tail if it names the context that runs.
/// Spec     CS-93..CS-121, CS-130..CS-141; 003:1707-2383
class CsCore {
  public:
    CsCore(Bus& bus, Reporter& reporter, CsStats& stats, const InterpreterSettings& settings);

    /// A host access. A write that completes a submission returns true: call run().
    std::uint32_t read_register(std::uint32_t offset) { return mmio_.read(offset); }
    std::uint32_t peek_register(std::uint32_t offset) const {
        return mmio_.peek(offset & (RegisterFile::kSpaceBytes - 4));
    }
    bool write_register(std::uint32_t offset, std::uint32_t value);

    bool pending() const { return execlists_.pending() || mmio_.ring_asked; }
    /// Runs everything that has been submitted. Returns early when the engine stops.
    void run();

    /// A walker has ended that sent threads with so many enabled channels (CS-22): the count stands
    /// still while its work runs.
    void count_channels(std::uint64_t channels) {
        registers_.set64(GPGPU_THREADS_DISPATCHED,
                         registers_.read64(GPGPU_THREADS_DISPATCHED) + channels);
    }

    /// Adds to the statistics registers what the stages have counted of a draw.
    void count_draw(const DrawCounts& counts);

    /// The time of Bus::alarm has come.
    void watchdog_expired() { interpreter_.raise(kWatchdogInterrupt); }

    /// The report of the counters that is due now; none when the buffer has no place for it.
    std::optional<Interpreter::BufferedReport> sample() {
        return interpreter_.buffered_report(kOaTimerReason);
    }

    /// A pipe has stopped a walker or a draw, which goes on when its context does.
    void keep_walker(const PipelineCommand& command) { interpreter_.keep_walker(command); }

    /// Nothing runs and nothing waits.
    bool idle() const { return !execlists_.active() && !pending() && !ring_runs_; }
    /// The engine stopped for good; it has been reported.
    bool stopped() const { return stopped_; }
    std::uint64_t progress() const { return interpreter_.progress() + finished_contexts_; }
    std::string describe() const;
    bool reads_memory() const { return interpreter_.reads_memory(); }
    /// The number of the context that runs, or ran last.
    std::uint32_t context_id() const { return execlists_.running().context_id(); }
    const Interpreter& interpreter() const { return interpreter_; }

  private:
    /// Runs a batch of the context's own before its ring goes on; `bytes` 0: to its end command.
    bool run_workaround(GpuAddr address, std::uint64_t bytes);
    enum class Outcome : std::uint8_t { Complete, Preempted, Blocked, Stopped };

    void run_lists();
    // Rings without execlists (core_ring.cpp).
    void run_ring();
    void switch_context(const Interpreter::ContextRequest& request);
    Outcome execute();
    bool lite_restore();
    /// False: a batch the context names stops the engine.
    bool load_context(const Element& element);
    void save_context(const Element& element);
    /// The image but for its execlist section.
    void load_engine(const Element& element);
    void save_engine(const Element& element);
    void read_image(const Element& element, ImageChunk chunk, std::vector<std::uint32_t>& words);
    void restore(const Element& element, ImageChunk chunk);
    void restore_state(const Element& element);
    /// Reads a chunk without time and without a mark in the TLBs. False: nothing is there.
    bool look_at_image(const Element& element, ImageChunk chunk);
    void execute_image(const Element& element, ImageChunk chunk);
    static GpuAddr place_in_image(const Element& element, ImageChunk chunk) {
        return GpuAddr(element.page() + kImageOffsetBytes + 4u * chunk.dword);
    }
    void build_image();
    void take_walker(const Element& element);
    void sum_slices();
    void resume_walker(const Element& element);
    bool write_image(const Element& element, ImageChunk chunk, const std::uint32_t* words);
    bool write_image(const Element& element, ImageChunk chunk) {
        return write_image(element, chunk, saved_image_.chunk(chunk).data());
    }
    /// A report of the performance counters at a change of contexts.
    void report_switch();
    void event(std::uint32_t reason, std::uint32_t context_id);

    Bus& bus_;
    Reporter& reporter_;
    CsStats& stats_;
    RegisterFile registers_;
    Execlists execlists_;
    Mmio mmio_;
    Interpreter interpreter_;
    std::vector<std::uint32_t> image_;  ///< what is read of an image
    ContextImage saved_image_;          ///< what is written, built as a whole
    bool ring_runs_ = false;
    bool ring_state_ = false;  ///< the engine holds what a ring has set up
    bool stopped_ = false;
    Element resident_;  ///< the context whose state the engine holds, where it is valid
    std::uint64_t finished_contexts_ = 0;
};

}  // namespace gen9::cs
