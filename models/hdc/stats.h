// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>

#include "common/signals.h"
#include "common/stats.h"
#include "hdc/decode/message_table.h"

namespace gen9::hdc {

struct HdcStats : StatSet {
    using StatSet::StatSet;
    Counter messages{*this, "messages", "messages", "Messages completed."};
    Counter untyped_reads{*this, "untyped_reads", "messages", "Untyped surface reads."};
    Counter untyped_writes{*this, "untyped_writes", "messages", "Untyped surface writes."};
    Counter scattered_reads{*this, "scattered_reads", "messages",
                            "Byte, DWord and QWord scattered reads."};
    Counter scattered_writes{*this, "scattered_writes", "messages",
                             "Byte, DWord and QWord scattered writes."};
    Counter block_reads{*this, "block_reads", "messages", "OWord block reads."};
    Counter block_writes{*this, "block_writes", "messages", "OWord block writes."};
    Counter scratch_reads{*this, "scratch_reads", "messages", "Scratch block reads."};
    Counter scratch_writes{*this, "scratch_writes", "messages", "Scratch block writes."};
    Counter atomics{*this, "atomics", "messages", "Atomic messages."};
    Counter typed_reads{*this, "typed_reads", "messages", "Typed surface reads."};
    Counter typed_writes{*this, "typed_writes", "messages", "Typed surface writes."};
    Counter media_reads{*this, "media_reads", "messages", "Media block reads."};
    Counter media_writes{*this, "media_writes", "messages", "Media block writes."};
    Counter surface_infos{*this, "surface_infos", "messages", "Questions about a surface."};
    Counter fences{*this, "fences", "messages", "Memory fences."};
    Counter flushes{*this, "flushes", "messages", "Fences that asked for a flush of data."};
    Counter refused{*this, "refused", "messages",
                    "Messages that were illegal or are not modelled."};
    Counter slm_messages{*this, "slm_messages", "messages", "Messages to shared local memory."};

    Counter accesses{*this, "accesses", "accesses", "Slot and element accesses within bounds."};
    Counter out_of_bounds{*this, "out_of_bounds", "accesses",
                          "Slot and element accesses out of bounds."};
    Counter bytes_read{*this, "bytes_read", "bytes", "Bytes read from memory and SLM."};
    Counter bytes_written{*this, "bytes_written", "bytes", "Bytes written to memory and SLM."};
    Counter l3_bytes{*this, "l3_bytes", "bytes",
                     "Bytes of channels and elements accessed through L3."};
    Counter slm_bytes{*this, "slm_bytes", "bytes",
                      "Bytes of channels and elements accessed in shared local memory."};
    Counter slm_bytes_read{*this, "slm_bytes_read", "bytes",
                           "Bytes of those read, also by atomic operations."};
    Counter slm_bytes_written{*this, "slm_bytes_written", "bytes",
                              "Bytes of those written, also by atomic operations."};
    Counter atomic_lanes{*this, "atomic_lanes", "accesses", "Atomic operations."};
    Counter lines{*this, "lines", "requests", "Line requests to L3."};
    Counter slm_requests{*this, "slm_requests", "requests",
                         "Requests of up to 16 channels to SLM."};
    Counter surface_misses{*this, "surface_misses", "surfaces",
                           "Surface states fetched from memory."};

    Counter busy_cycles{*this, "busy_cycles", "cycles", "Cycles in which a request was sent."};
    Counter stall_memory_cycles{*this, "stall_memory_cycles", "cycles",
                                "Cycles a request waited for L3 to take it."};
    Counter stall_slm_cycles{*this, "stall_slm_cycles", "cycles",
                             "Cycles a request waited for SLM to take it."};
    Counter stall_fence_cycles{*this, "stall_fence_cycles", "cycles",
                               "Cycles only messages held by a fence were there."};
    Counter stall_full_cycles{*this, "stall_full_cycles", "cycles",
                              "Cycles with as many messages in flight as fit."};
    Counter front_end_cycles{*this, "front_end_cycles", "cycles",
                             "Cycles only messages on their way through the front end were there."};
    Counter waiting_cycles{*this, "waiting_cycles", "cycles",
                           "Cycles with nothing to send, but answers due."};
    Counter idle_cycles{*this, "idle_cycles", "cycles", "Cycles without any message."};

    /// Counts a message that has been carried out.
    void count(Shape shape, Operation operation) { ++counter_of(shape, operation); }
    /// The counter of its kind of messages.
    Counter& counter_of(Shape shape, Operation operation) {
        const bool reads = operation == Operation::Read;
        switch (shape) {
            case Shape::ByteScattered:
            case Shape::DwordScattered:
            case Shape::A64Scattered:
                return reads ? scattered_reads : scattered_writes;
            case Shape::Untyped:
                return reads ? untyped_reads : untyped_writes;
            case Shape::OwordBlock:
            case Shape::DualBlock:
            case Shape::A64Block:
                return reads ? block_reads : block_writes;
            case Shape::ScratchBlock:
                return reads ? scratch_reads : scratch_writes;
            case Shape::Typed:
                return reads ? typed_reads : typed_writes;
            case Shape::MediaBlock:
            case Shape::Transpose:
                return reads ? media_reads : media_writes;
            case Shape::AtomicInt:
            case Shape::AtomicFloat:
            case Shape::A64AtomicInt:
            case Shape::A64AtomicFloat:
            case Shape::TypedAtomic:
            case Shape::AtomicCounter:
                return atomics;
            case Shape::Fence:
                return fences;
            case Shape::SurfaceInfo:
                break;
        }
        return surface_infos;
    }
};

/// A cycle was spent on one of these; each has its counter in HdcStats.
enum class Activity : std::uint8_t {
    Idle,
    Busy,
    StallMemory,
    StallSlm,
    StallFence,
    StallFull,
    FrontEnd,
    Waiting
};
inline constexpr unsigned kActivities = 8;
inline constexpr const char* kActivityWords[] = {"idle",      "busy",        "stall memory",
                                                 "stall SLM", "stall fence", "stall full",
                                                 "front end", "waiting"};
static_assert(std::size(kActivityWords) == kActivities);

struct HdcSignals : SignalSet {
    explicit HdcSignals(std::string path, unsigned eus) : SignalSet(std::move(path)) {
        for (unsigned eu = 0; eu < eus; ++eu)
            depth.emplace_back(*this, "queue" + std::to_string(eu), 8, SignalForm::Decimal,
                               "Messages in the queue of this EU.");
    }
    void started(const Message& started, const MessageRow* row, unsigned eu, Cycles now) {
        message_type.set(
            static_cast<std::uint32_t>(started.sfid) * 32 + (started.descriptor >> 14 & 31), now);
        message.set(message_word(row), now);
        message_id.set(started.trace_id, now);
        message_ip.set(started.ip, now);
        message_eu.set(eu, now);
        message_thread.set(started.sender->place.slot.value, now);
    }
    Signal state{*this, "state", kActivityWords, "What the cycle is spent on."};
    Signal message_type{*this, "message_type", 9, SignalForm::Hex,
                        "Function id * 32 + type of the message started last."};
    Signal message{*this, "message", message_words(), "The message started last."};
    Signal message_id{*this, "message_id", 64, SignalForm::Hex, "Its trace id."};
    Signal message_ip{*this, "message_ip", 64, SignalForm::Hex, "Address of its instruction."};
    Signal message_eu{*this, "message_eu", 8, SignalForm::Decimal, "EU it came from."};
    Signal message_thread{*this, "message_thread", 4, SignalForm::Decimal, "Thread slot of it."};
    Signal in_flight{*this, "in_flight", 16, SignalForm::Decimal,
                     "Messages started and not answered."};
    Signal lines{*this, "lines", 16, SignalForm::Decimal, "Requests to L3 not yet answered."};
    Signal slm_requests{*this, "slm_requests", 16, SignalForm::Decimal,
                        "Requests to SLM not yet answered."};
    Signal fences{*this, "fences", 8, SignalForm::Decimal, "Fences that wait."};
    std::deque<Signal> depth;
};

}  // namespace gen9::hdc
