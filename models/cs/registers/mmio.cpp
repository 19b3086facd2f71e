// SPDX-License-Identifier: Apache-2.0
#include "cs/registers/mmio.h"

#include "cs/command/performance.h"

namespace gen9::cs {

std::uint32_t Mmio::context_time() const {
    const std::uint32_t held = file_.read(CTX_TIMESTAMP);
    if (!context_clock_runs_) return held;
    return held + static_cast<std::uint32_t>(bus_.timestamp() - context_clock_start_);
}

void Mmio::start_context_clock() {
    context_clock_runs_ = true;
    context_clock_start_ = bus_.timestamp();
    start_watchdog();
    set_sampling();
}

void Mmio::stop_context_clock() {
    file_.set(CTX_TIMESTAMP, context_time());
    context_clock_runs_ = false;
    start_watchdog();
    set_sampling();
}

// Assumed: it counts ticks of TIMESTAMP while its context runs, and expires once.
void Mmio::start_watchdog() {
    watchdog_start_.reset();
    if (context_clock_runs_ && !(file_.read(PR_CTR_CTL) & kCounterStopped))
        watchdog_start_ = bus_.timestamp();
    set_alarm();
}

void Mmio::set_alarm() {
    const std::uint32_t threshold = file_.read(PR_CTR_THRSH);
    if (watchdog_start_ && threshold)
        bus_.alarm(*watchdog_start_ + threshold);
    else
        bus_.alarm({});
}

std::int64_t Mmio::context_start() const {
    return static_cast<std::int64_t>(context_clock_start_) - file_.read(CTX_TIMESTAMP);
}

// Assumed: the timer of the performance counters runs while its context does.
void Mmio::set_sampling() {
    const std::uint32_t control = file_.read(OACTXCONTROL);
    const bool on = context_clock_runs_ && (control & kOaTimer) &&
                    (file_.read(OACONTROL) & kOaEnable) &&
                    oa_report_bytes(file_.read(OACONTROL)) != 0;
    const std::uint64_t ticks = on ? oa_period(control) : 0;
    if (ticks != sampling_) bus_.sample(ticks);
    sampling_ = ticks;
}

std::uint32_t Mmio::units_done() const {
    std::uint32_t busy = 0;
    if (!(file_.read(RING_CTL) & 1)) busy |= kRingEnabled;
    if (execlists_.active()) busy |= kCommandsDone;
    if (bus_.outstanding(packets::kEveryPipe))
        busy |= kFrontEndDone | kSpawnerDone | kDispatcherDone | kUrbDone;
    if (stream_.streamer_runs && *stream_.streamer_runs) busy |= kStreamerDone;
    return ~busy;
}

std::uint32_t Mmio::peek(std::uint32_t offset) const {
    switch (offset) {
        case RING_HEAD:
        case BB_STATE:
        case SBB_ADDR:
        case SBB_STATE:
        case SBB_ADDR_UDW:
        case BB_ADDR:
        case BB_ADDR_UDW:
            return context_clock_runs_ && stream_.next ? stream_.next->read(offset)
                                                       : file_.read(offset);
        case ACTHD:
        case ACTHD_UDW: {
            const StreamPointers* at = context_clock_runs_ ? stream_.command : stream_.next;
            const std::uint64_t address = at ? at->address().value : 0;
            return static_cast<std::uint32_t>(offset == ACTHD ? address : address >> 32);
        }
        case INSTDONE:
            return units_done();
        case SC_INSTDONE:
            return bus_.outstanding(packets::kEveryPipe) ? ~kSliceDone : ~0u;
        case SAMPLER_INSTDONE:
            return bus_.outstanding(packets::kEveryPipe) ? ~kSamplerDone : ~0u;
        case ROW_INSTDONE:
            return bus_.outstanding(packets::kEveryPipe) ? ~kRowDone : ~0u;
        case PR_CTR:
            return watchdog_start_ ? static_cast<std::uint32_t>(bus_.timestamp() - *watchdog_start_)
                                   : 0;
        case MI_MODE: {
            const std::uint32_t held = file_.read(MI_MODE);
            const bool idle = !execlists_.active() || (held & kStopRing);
            return (held & ~kRingIdle) | (idle ? kRingIdle : 0);
        }
        case EXECLIST_STATUS:
            return execlists_.status_low(arbitration);
        case EXECLIST_STATUS_UDW:
            return execlists_.status_high();
        case TIMESTAMP:
            return static_cast<std::uint32_t>(bus_.timestamp());
        case TIMESTAMP_UDW:
            return static_cast<std::uint32_t>(timestamp_value(bus_.timestamp()) >> 32);
        case CTX_TIMESTAMP:
            return context_time();
        default:
            return file_.read(offset);
    }
}

std::uint32_t Mmio::read(std::uint32_t offset) {
    offset &= RegisterFile::kSpaceBytes - 4;
    const RegisterRow* row = file_.row(offset);
    if (!row) name_unknown(offset);
    std::uint32_t value = 0;
    if (row && row->access == Access::External && bus_.read_register(offset, value)) return value;
    return peek(offset);
}

// CS-153.
void Mmio::name_unknown(std::uint32_t offset) {
    if (reporter_.log && unknown_.size() < kUnknownShown && unknown_.insert(offset).second)
        reporter_.log("cs: " + file_.name(offset) + " is not known; it keeps what is written");
}

bool Mmio::write(std::uint32_t offset, std::uint32_t value, unsigned byte_disables, Writer writer) {
    offset &= RegisterFile::kSpaceBytes - 4;
    const RegisterRow* row = file_.row(offset);
    if (!row) name_unknown(offset);
    const std::uint32_t now = file_.write(offset, value, byte_disables, writer);
    if (!row) return false;
    no_effect.register_written(*row, now);
    if (row->access == Access::External) bus_.write_register(offset, now);
    if (offset == CTX_TIMESTAMP && context_clock_runs_) context_clock_start_ = bus_.timestamp();
    if (offset == OACTXCONTROL || offset == OACONTROL) set_sampling();
    if (row->offset == SO_WRITE_OFFSET)
        stream_offsets_set |= static_cast<std::uint8_t>(1u << (offset - SO_WRITE_OFFSET) / 4);
    if (offset == PR_CTR_CTL) start_watchdog();
    if (offset == PR_CTR_THRSH) set_alarm();
    if (offset == EXECLIST_SUBMIT_PORT && writer == Writer::Host) {
        const bool submitted = execlists_.write_port(value);
        if (submitted && !(file_.read(GFX_MODE) & kExeclistEnable))
            reporter_.guest_error("cs: submission", "EXECLIST_SUBMIT_PORT",
                                  "execlists are not enabled (GFX_MODE bit 15); it runs");
        return submitted;
    }
    if (offset == RING_TAIL && writer == Writer::Host && (file_.read(RING_CTL) & 1)) {
        ring_asked |= ring_mode();
        if (!ring_mode() && !execlists_.active())
            reporter_.guest_error("cs: submission", "RING_TAIL",
                                  "execlists are enabled (GFX_MODE bit 15); nothing runs");
        return ring_mode();
    }
    return offset == UHPTR && writer == Writer::Host && ring_mode();
}

bool Mmio::ring_mode() const {
    return !(file_.read(GFX_MODE) & kExeclistEnable);
}

}  // namespace gen9::cs
