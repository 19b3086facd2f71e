// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/report.h"
#include "hdc/access/access.h"
#include "hdc/decode/decode.h"
#include "hdc/stats.h"
#include "interconnect/observe/message_bytes.h"

namespace gen9::hdc {

/// Data port of a subslice (core half): what each message does to memory and what it returns.
/// Role     decodes descriptors, checks legality, resolves surfaces, finds the form of an access
/// Not here moving the data: functional.h does it at once, requests.h and timed.h by lines in time
/// Spec     DP-001..DP-201; 003:4828-7582; guide sections S-1..S-31
class Core {
  public:
    Core(Reporter& reporter, HdcStats& stats, StateReader& reader, bool check_thread_space,
         std::uint32_t slm_bytes = kSlmBytes)
        : reporter_(reporter),
          stats_(stats),
          context_{resolver_, reader, check_thread_space, slm_bytes} {}

    /// Finds what the message does to memory, in the cheapest of the forms that the caller can carry
    /// out. Sets the message's status and response enables, and counts. Illegal messages are reported
    /// and answered with zeros.
    void find(Message& message, Access& access, Forms forms);
    /// Gives an access that was found in another form a plan, for a caller that cannot carry it out
    /// after all. Nothing is counted again.
    void plan(Message& message, Access& access);
    /// Forgets surface states (state cache invalidation).
    void invalidate() { resolver_.invalidate(); }
    /// Finds what stands at an index of a thread's binding table; null: it cannot be read.
    const Surface* surface_at(const ThreadSideband& sender, std::uint8_t index) {
        return resolver_.resolve(sender, index, context_.reader);
    }
    /// L3CNTLREG says whether the subslice has an SLM at all (SLM-07, SLM-14).
    void set_slm_enabled(bool enabled) {
        if (enabled != context_.slm_enabled) find_anew();
        context_.slm_enabled = enabled;
    }
    /// Nothing that was found for direct messages is good any more.
    void find_anew() { resolver_.change(); }
    const Decoded& decoded(const Message& message) { return decodes_.get(message); }

    // For direct messages (access/direct.h).
    const PlanContext& context() const { return context_; }
    /// Grows whenever what is known of surfaces changes.
    const std::uint64_t& findings() const { return resolver_.changes(); }
    /// What messages of one descriptor count beside what all do.
    struct DirectCounters {
        Counter* messages;
        Counter* moved;  ///< bytes, or lanes of atomics
        Operation operation;
        bool slm;
    };
    DirectCounters counters_of(const Decoded& decoded);
    void count_direct(TraceId cause, const DirectCounters& counters, std::uint64_t accesses,
                      std::uint64_t bytes, std::uint64_t messages = 1) {
        stats_.messages += messages;
        *counters.messages += messages;
        if (counters.slm) {
            stats_.slm_messages += messages;
            count_slm(counters.operation, bytes);
        }
        stats_.accesses += accesses;
        count_bytes(cause, counters.slm, bytes);
        *counters.moved += counters.operation == Operation::Atomic ? accesses : bytes;
    }
    /// A message without an active channel.
    void count_nothing() { ++stats_.messages; }

    /// Counts what each message accesses by walker, too.
    void count_in(BytesByWork& bytes) { by_walker_ = &bytes; }

  private:
    void count_slm(Operation operation, std::uint64_t bytes) {
        if (operation != Operation::Write) stats_.slm_bytes_read += bytes;
        if (operation != Operation::Read) stats_.slm_bytes_written += bytes;
    }
    /// Decodes the descriptor; null says that its messages cannot do without a plan.
    const Decoded* without_plan(const Message& message) {
        const Decoded& d = decodes_.get(message);
        return d.usual.possible && message.sender && message.sender->state ? &d : nullptr;
    }
    Access::Form prepare(Message& message, Access& access);
    Plan& plan_of(Access& access) {
        if (!access.planned) access.planned = plans_.get();
        return access.planned->plan;
    }
    void count_usual(Message& message, const UsualAccess& access);
    void count_scattered(Message& message, const ScatteredAccess& access);
    void count_accesses(const Message& message, const Decoded& decoded, unsigned accesses);
    void count_bytes(TraceId cause, bool slm, std::uint64_t bytes) {
        (slm ? stats_.slm_bytes : stats_.l3_bytes) += bytes;
        if (by_walker_) by_walker_->count(cause, slm, bytes);
    }
    void report_end(const Message& message);
    void report_misaligned(const Message& message, const Decoded& decoded, const Plan& plan);
    Access::Form refuse(Message& message, const Decoded& decoded, const char* guest_error,
                        const char* not_modelled);
    void count(const Message& message, const Decoded& decoded, const Plan& plan);

    Reporter& reporter_;
    HdcStats& stats_;
    DecodeCache decodes_;
    SurfaceResolver resolver_;
    PlanContext context_;
    PlanPool plans_;
    BytesByWork* by_walker_ = nullptr;
};

}  // namespace gen9::hdc
