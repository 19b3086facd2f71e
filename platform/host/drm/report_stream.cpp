// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/report_stream.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/bits.h"
#include "platform/host/drm/counter_registers.h"

namespace gen9::drm {
namespace {

// Registers of the OA unit (Public: Linux i915, i915_perf_oa_regs.h).
constexpr std::uint32_t kOaContextControl = 0x2360, kOaControl = 0x2B00, kOaDebug = 0x2B04,
                        kOaStatus = 0x2B08, kOaHead = 0x2B0C, kOaTail = 0x2B10, kOaBuffer = 0x2B14;
constexpr std::uint32_t kEnable = 1, kReportLost = 1, kBufferOverflow = 2;
/// No reports when the clocks change, and the clocks in the reports.
constexpr std::uint32_t kClockRatios = 0x0060'0060;
/// The buffer is as large as it can be: 16 MB, in the global table.
constexpr std::uint32_t kBufferBytes = 16 << 20, kBufferPlace = 7 << 3 | 1;
/// A timer's period, whether it runs, and that the counters go on with the context.
constexpr std::uint32_t kContextControlBits = 0xFF;

/// Mesa tells by its timestamp whether a report comes before one of its own. So the report of a
/// context that comes is older than its batch by two ticks (of 96 clocks on Skylake, 60 on Broxton),
/// a DWord taking a clock: hardware takes longer to load a context.
constexpr std::uint32_t kPause = 256;

// Records (Public: Linux i915_drm.h, drm_i915_perf_record_type).
constexpr std::uint32_t kSample = 1, kReportLostRecord = 2, kBufferLostRecord = 3;
/// In a report's first DWord: its context is known; why it was written; a context came or went.
constexpr std::uint32_t kContextKnown = 1u << 16, kSwitchReason = 1u << 22;
/// In place of the numbers of other contexts.
constexpr std::uint32_t kHiddenContext = ~0u;

constexpr std::uint32_t report_bytes(std::uint32_t control) {
    constexpr std::uint16_t kBytes[8] = {64, 0, 128, 0, 0, 256, 0, 64};
    return kBytes[control >> 2 & 7];
}

}  // namespace

bool ReportStream::open(const Message& message, platform::FileDescriptor socket) {
    int type = 0;
    socklen_t length = sizeof type;
    const bool is_socket = socket &&
                           getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
                           type == SOCK_SEQPACKET;
    if (is_open_ || !is_socket || (message.id & ~0x1Cu) || report_bytes(message.id) == 0 ||
        (message.number & ~std::uint64_t{kContextControlBits}))
        return false;
    if (buffer_.bytes == 0) buffer_ = contexts_.take_global(kBufferBytes, kBufferBytes);
    socket_ = std::move(socket);
    control_ = message.id | kEnable;
    // As in the image of a context: its own number, which its reports have, is one more.
    context_ = message.context == kNoContext ? kNoContext : message.context + 1;
    of_contexts_ = {kOaContextControl, static_cast<std::uint32_t>(message.number)};
    last_context_ = kHiddenContext;
    is_open_ = true;
    engine_.write_register(kOaDebug, kClockRatios);
    contexts_.set_in_each(of_contexts_);
    return true;
}

bool ReportStream::set(std::uint32_t offset, std::uint64_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    if (!is_open_ || word != value) return false;
    if (is_one_of(kFlexRegisters, offset)) {
        for (std::size_t i = 0; i < of_contexts_.size(); i += 2)
            if (of_contexts_[i] == offset) {
                of_contexts_[i + 1] = word;
                contexts_.set_in_each(of_contexts_);
                return true;
            }
        of_contexts_.insert(of_contexts_.end(), {offset, word});
        contexts_.set_in_each(of_contexts_);
        return true;
    }
    if (!is_one_of(kMuxRegisters, offset) && !is_one_of(kBooleanRegisters, offset)) return false;
    engine_.write_register(offset, word);
    return true;
}

void ReportStream::start_buffer() {
    engine_.write_register(kOaStatus, 0);
    engine_.write_register(kOaHead, buffer_.address);
    engine_.write_register(kOaBuffer, buffer_.address | kBufferPlace);
    engine_.write_register(kOaTail, buffer_.address);
    head_ = 0;
}

bool ReportStream::run(bool on) {
    if (!is_open_) return false;
    if (on == std::exchange(runs_, on)) return true;
    if (on) start_buffer();
    contexts_.pause_before_batches(on ? kPause : 0);
    engine_.write_register(kOaControl, on ? control_ : 0);
    return true;
}

bool ReportStream::close() {
    if (!is_open_) return false;
    run(false);
    engine_.write_register(kOaBuffer, 0);
    for (std::size_t i = 0; i < of_contexts_.size(); i += 2)
        of_contexts_[i + 1] = 0;
    contexts_.set_in_each(of_contexts_);
    socket_ = platform::FileDescriptor();
    is_open_ = false;
    return true;
}

/// False: the socket has no room, or the program has closed its end.
bool ReportStream::send(std::uint32_t type, const std::vector<std::uint8_t>& report) {
    struct Header {
        std::uint32_t type;
        std::uint16_t pad, size;
    };
    const Header header{type, 0, static_cast<std::uint16_t>(sizeof(Header) + report.size())};
    std::vector<std::uint8_t> record(header.size);
    std::memcpy(record.data(), &header, sizeof header);
    if (!report.empty()) std::memcpy(record.data() + sizeof header, report.data(), report.size());
    ssize_t sent = 0;
    while ((sent = ::send(socket_.get(), record.data(), record.size(),
                          MSG_DONTWAIT | MSG_NOSIGNAL)) < 0 &&
           errno == EINTR) {
    }
    return sent == static_cast<ssize_t>(record.size());
}

/// A stream of one context has its reports, the one behind the last of these, and those of each
/// coming and going, by which a program knows what to leave out. Numbers of others are hidden.
bool ReportStream::is_for_program(std::vector<std::uint8_t>& report) {
    const auto reason = load<std::uint32_t>(report.data());
    auto context = load<std::uint32_t>(report.data() + 8);
    if (!(reason & kContextKnown)) context = kHiddenContext;
    const bool wanted = context_ == kNoContext || context == context_ ||
                        last_context_ == context_ || (reason & kSwitchReason);
    last_context_ = context;
    if (context_ != kNoContext && context != context_) context = kHiddenContext;
    store(report.data() + 8, context);
    return wanted;
}

void ReportStream::forward() {
    if (!runs_) return;
    const std::uint32_t status = engine_.read_register(kOaStatus);
    if (status & kBufferOverflow) {
        // What the buffer holds is no whole sequence any more: the unit begins anew.
        if (!send(kBufferLostRecord, {})) return;
        engine_.write_register(kOaControl, 0);
        start_buffer();
        engine_.write_register(kOaControl, control_);
        return;
    }
    if (status & kReportLost) {
        if (!send(kReportLostRecord, {})) return;
        engine_.write_register(kOaStatus, status & ~kReportLost);
    }
    const std::uint32_t bytes = report_bytes(control_);
    const std::uint32_t tail =
        (engine_.read_register(kOaTail) - buffer_.address) % kBufferBytes / bytes * bytes;
    std::vector<std::uint8_t> report(bytes);
    const std::uint32_t first = head_;
    while (head_ != tail) {
        engine_.read_memory(buffer_.memory + head_, report);
        const std::uint32_t last_context = last_context_;
        if (is_for_program(report) && !send(kSample, report)) {
            last_context_ = last_context;
            break;
        }
        head_ = (head_ + bytes) % kBufferBytes;
    }
    if (head_ != first) engine_.write_register(kOaHead, buffer_.address + head_);
}

}  // namespace gen9::drm
