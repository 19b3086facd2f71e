// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "common/enum_words.h"
#include "common/units.h"
#include "interconnect/payload/state.h"
#include "interconnect/payload/trace_id.h"

namespace gen9 {

/// Shared functions a message can be sent to (003:4957, 004:725-754; eu-isa guide EU-187).
enum class Sfid : std::uint8_t {
    Null = 0,
    Sampler = 2,
    Gateway = 3,
    DataPort2 = 4,
    RenderCache = 5,
    Urb = 6,
    ThreadSpawner = 7,
    Vme = 8,
    ConstantCache = 9,
    DataPort0 = 10,
    PixelInterpolator = 11,
    DataPort1 = 12,
    CheckRefine = 13,
};
const char* to_text(Sfid sfid);

/// The ports an EU sends by: one per unit, some units answering to several function ids
/// (the data ports are one unit with one ordering domain, DP-002).
enum class MessagePort : std::uint8_t {
    DataPort,
    Gateway,
    Spawner,
    Sampler,
    Urb,
    RenderCache,
    Vme,
    PixelInterpolator,
    None
};
inline constexpr unsigned kMessagePorts = static_cast<unsigned>(MessagePort::None);
constexpr const char* to_text(MessagePort port) {
    switch (port) {
        case MessagePort::DataPort:
            return "data port";
        case MessagePort::Gateway:
            return "gateway";
        case MessagePort::Spawner:
            return "spawner";
        case MessagePort::Sampler:
            return "sampler";
        case MessagePort::Urb:
            return "urb";
        case MessagePort::RenderCache:
            return "render cache";
        case MessagePort::Vme:
            return "vme";
        case MessagePort::PixelInterpolator:
            return "pixel interpolator";
        case MessagePort::None:
            return nullptr;
    }
    return nullptr;
}
static_assert(count_of<MessagePort>() == kMessagePorts);
/// The port of a function id; None for the null function and reserved ids, whose messages are lost
/// (EU-208).
constexpr MessagePort port_of(std::uint8_t sfid) {
    switch (static_cast<Sfid>(sfid)) {
        case Sfid::DataPort0:
        case Sfid::DataPort1:
        case Sfid::DataPort2:
        case Sfid::ConstantCache:
            return MessagePort::DataPort;
        case Sfid::Gateway:
            return MessagePort::Gateway;
        case Sfid::ThreadSpawner:
            return MessagePort::Spawner;
        case Sfid::Sampler:
            return MessagePort::Sampler;
        case Sfid::Urb:
            return MessagePort::Urb;
        case Sfid::RenderCache:
            return MessagePort::RenderCache;
        case Sfid::Vme:
        case Sfid::CheckRefine:
            return MessagePort::Vme;
        case Sfid::PixelInterpolator:
            return MessagePort::PixelInterpolator;
        default:
            return MessagePort::None;
    }
}

/// A message comes to this. The function that found anything but Ok has reported it.
enum class MessageStatus : std::uint8_t { Pending, Ok, GuestError, NotModelled };

struct PixelRecord;
class UnansweredMessages;

/// A thread's state. The threads of a slot mostly have the same, whose users are then not counted
/// anew.
class ThreadStatePtr : public PipelineStatePtr {
  public:
    using PipelineStatePtr::PipelineStatePtr;
    ThreadStatePtr(const ThreadStatePtr&) = default;
    ThreadStatePtr& operator=(const ThreadStatePtr& other) {
        if (get() != other.get()) PipelineStatePtr::operator=(other);
        return *this;
    }
    using PipelineStatePtr::operator=;
};

/// Sideband facts of the sending thread that shared functions use; fixed at its dispatch
/// (003:11138-11140, 003:19301-19303).
struct ThreadSideband {
    ThreadAddress place;
    std::uint16_t fftid = 0;
    std::uint32_t binding_table_offset = 0;  ///< from the surface state base, bytes
    std::uint32_t sampler_state_offset = 0;  ///< from the dynamic state base, bytes
    std::uint32_t slm_base = 0;  ///< of the group's part; + 64 KB * n: n subslices on (POOL-10)
    std::uint32_t slm_size = 0;  ///< bytes; 0: the group has none
    std::uint8_t priority = 0;
    GpuAddr kernel_start;            ///< of the thread's kernel, absolute: for reports
    GpuAddr save_area;               ///< of the thread, absolute; 0: it cannot be saved (PRE-13)
    TraceId trace_id = 0;            ///< of the thread: its dispatch
    std::int64_t context_start = 0;  ///< picoseconds; PipelineCommand::context_start
    ThreadStatePtr state;
    bool of_geometry = false;  ///< a thread of a stage of geometry: it may end by a URB write
    UnansweredMessages* unanswered = nullptr;  ///< null: its client does not wait for them
    const PixelRecord* pixels = nullptr;       ///< of a pixel thread
};

/// One message from a thread to a shared function, and its answer (003:19293-19410).
///
/// The sender fills the request part and owns the payload for the whole transaction; the target
/// fills the response part before it begins the response. Nobody keeps bookkeeping of its own here.
struct Message {
    static constexpr unsigned kMaxPayload = 30;   ///< 15 registers from each of the two sources
    static constexpr unsigned kMaxResponse = 31;  ///< all that the descriptor can ask for

    // Request.
    Sfid sfid = Sfid::Null;
    std::uint32_t descriptor = 0;  ///< bits 30:0 as sent
    std::uint32_t extended_descriptor = 0;
    std::uint8_t length = 0;           ///< registers of payload, both sources together
    std::uint8_t first_length = 0;     ///< of which from the first source
    std::uint8_t response_length = 0;  ///< registers
    bool header_present = false;
    bool end_of_thread = false;
    bool alternate_float = false;
    bool system_routine = false;       ///< the thread runs its system routine (DP-051)
    bool eight_wide = false;           ///< the instruction has eight channels at most
    std::uint32_t execution_mask = 0;  ///< bit i = slot i: already moved down by the channel offset
    std::uint64_t ip = 0;              ///< address of the send, for reports
    TraceId trace_id = 0;
    const ThreadSideband* sender = nullptr;

    // Sender's own: where the response goes. Opaque to targets.
    std::uint8_t destination = 0;

    // Response.
    MessageStatus status = MessageStatus::Pending;
    std::uint8_t notifications = 0;  ///< bit n: count n0.n of the sender is raised (gateway)
    bool given_back = false;         ///< by a barrier whose threads are saved: nothing came of it
    /// Byte enables per response register: bit b = byte b is written to the thread's register.
    std::array<std::uint32_t, kMaxResponse> response_enable{};

    // Last what is large: the registers of request and response.
    std::array<Grf, kMaxPayload> payload;
    std::array<Grf, kMaxResponse> response;

    std::uint32_t function_control() const { return descriptor & 0x7FFFF; }
    /// Back to a fresh request, keeping the (large, unread) register arrays as they are.
    void reset();
};

/// "DataPort1 desc 02106e04 ex 0000000c len 1 rlen 1 mask ffff".
std::string to_text(const Message& message);
/// "slice0.subslice1.eu3.thread2 ip 000012c0": the place named in guest error reports.
std::string place_text(const Message& message);
std::string place_text(const ThreadAddress& place);

}  // namespace gen9
