// SPDX-License-Identifier: Apache-2.0
#include "cs/registers/mmio.h"

namespace gen9::cs {

std::uint32_t Mmio::context_time() const {
    const std::uint32_t held = file_.read(CTX_TIMESTAMP);
    if (!context_clock_runs_) return held;
    return held + static_cast<std::uint32_t>(bus_.timestamp() - context_clock_start_);
}

void Mmio::start_context_clock() {
    context_clock_runs_ = true;
    context_clock_start_ = bus_.timestamp();
}

void Mmio::stop_context_clock() {
    file_.set(CTX_TIMESTAMP, context_time());
    context_clock_runs_ = false;
}

std::int64_t Mmio::context_start() const {
    return static_cast<std::int64_t>(context_clock_start_) - file_.read(CTX_TIMESTAMP);
}

std::uint32_t Mmio::peek(std::uint32_t offset) const {
    switch (offset) {
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
    file_.write(offset, value, byte_disables, writer);
    if (!row) return false;
    no_effect.register_written(offset, file_.read(offset));
    if (row->access == Access::External) bus_.write_register(offset, file_.read(offset));
    if (offset == CTX_TIMESTAMP && context_clock_runs_) context_clock_start_ = bus_.timestamp();
    if (offset == EXECLIST_SUBMIT_PORT && writer == Writer::Host) {
        const bool submitted = execlists_.write_port(value);
        if (submitted && !(file_.read(GFX_MODE) & kExeclistEnable))
            reporter_.guest_error("cs: submission", "EXECLIST_SUBMIT_PORT",
                                  "execlists are not enabled (GFX_MODE bit 15); it runs");
        return submitted;
    }
    if (offset == RING_TAIL && writer == Writer::Host && (file_.read(RING_CTL) & 1) &&
        !execlists_.active())
        reporter_.not_modelled("CS-141",
                               "submission by the ring's tail register; only execlists are");
    return false;
}

}  // namespace gen9::cs
