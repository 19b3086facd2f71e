// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/waveform/links.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "platform/tell/units_shown.h"

namespace gen9::platform {
namespace {

/// The signals that every protocol has. The strobes count: a transaction is shown for one cycle,
/// the one in which it arrives, and of several in one cycle the ids and facts are the last one's.
struct LinkSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal begin_req{*this, "begin_req", 8, SignalForm::Decimal, "Requests that arrive."};
    Signal id{*this, "id", 64, SignalForm::Hex, "Transaction of the request."};
    Signal end_req{*this, "end_req", 8, SignalForm::Decimal, "Requests that are accepted."};
    Signal begin_resp{*this, "begin_resp", 8, SignalForm::Decimal, "Responses that arrive."};
    Signal response_id{*this, "response_id", 64, SignalForm::Hex, "Transaction of the response."};
    Signal unaccepted{*this, "unaccepted", 16, SignalForm::Decimal,
                      "Requests not accepted yet: credits in use."};
    Signal in_flight{*this, "in_flight", 16, SignalForm::Decimal, "Requests not answered yet."};
    Signal thread{*this, "thread", 16, SignalForm::Hex,
                  "Thread the request is of, by digits: slice, subslice, EU, slot."};
    Signal bytes{*this, "bytes", 20, SignalForm::Decimal, "Bytes of the request."};
};

std::uint64_t digits(const ThreadAddress& place) {
    return std::uint64_t{place.slice.value} << 12 | std::uint64_t{place.subslice.value} << 8 |
           std::uint64_t{place.eu.value} << 4 | place.slot.value;
}

// ---- what each protocol shows of a request

constexpr const char* kAccess[] = {"read", "write", "none", "lanes", "control"};
constexpr const char* kResourceOperation[] = {"parse",   "halt", "join",
                                              "consume", "save", "restore"};
/// A message has four bits for its function; numbers of no function are shown as numbers.
constexpr const char* function_word(Sfid function) {
    switch (function) {
        case Sfid::Null:
            return "null";
        case Sfid::Sampler:
            return "sampler";
        case Sfid::Gateway:
            return "gateway";
        case Sfid::DataPort2:
            return "data port 2";
        case Sfid::RenderCache:
            return "render cache";
        case Sfid::Urb:
            return "URB";
        case Sfid::ThreadSpawner:
            return "thread spawner";
        case Sfid::Vme:
            return "VME";
        case Sfid::ConstantCache:
            return "constant cache";
        case Sfid::DataPort0:
            return "data port 0";
        case Sfid::PixelInterpolator:
            return "pixel interpolator";
        case Sfid::DataPort1:
            return "data port 1";
        case Sfid::CheckRefine:
            return "check and refine";
    }
    constexpr const char* kNumbers[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                        "8", "9", "10", "11", "12", "13", "14", "15"};
    return kNumbers[static_cast<unsigned>(function)];
}
constexpr auto kFunction = [] {
    std::array<const char*, 16> words{};
    for (unsigned function = 0; function < words.size(); ++function)
        words[function] = function_word(static_cast<Sfid>(function));
    return words;
}();

template <class Types>
struct Shown;

template <>
struct Shown<MemoryProtocol> : LinkSignals {
    using LinkSignals::LinkSignals;
    Signal address{*this, "address", 48, SignalForm::Hex, "Address of the request."};
    Signal access{*this, "access", kAccess, "Kind of request."};
    Signal requester{*this, "requester", kWordsOf<Requester>, "Who asks."};
    static TraceId id_of(const tlm::tlm_generic_payload& payload) {
        return attributes_of(payload).trace_id;
    }
    void show(const tlm::tlm_generic_payload& payload, Cycles at) {
        const MemoryAttributes& attributes = attributes_of(payload);
        address.mark(payload.get_address() & ((std::uint64_t{1} << 48) - 1), at);
        const auto operation = attributes.operation;
        access.mark(operation == MemoryAttributes::Operation::Lanes     ? 3
                    : operation == MemoryAttributes::Operation::Control ? 4
                                                                        : payload.get_command(),
                    at);
        requester.mark(attributes.requester, at);
        thread.mark(digits(attributes.thread), at);
        bytes.mark(payload.get_data_length() & 0xFFFFF, at);
    }
};

template <>
struct Shown<MessageProtocol> : LinkSignals {
    using LinkSignals::LinkSignals;
    Signal function{*this, "function", kFunction, "Shared function."};
    Signal descriptor{*this, "descriptor", 32, SignalForm::Hex, "Message descriptor."};
    Signal mask{*this, "mask", 32, SignalForm::Hex, "Channels."};
    Signal ip{*this, "ip", 48, SignalForm::Hex, "Address of the send."};
    static TraceId id_of(const Message& message) { return message.trace_id; }
    void show(const Message& message, Cycles at) {
        function.mark(static_cast<unsigned>(message.sfid) & 15, at);
        descriptor.mark(message.descriptor, at);
        mask.mark(message.execution_mask, at);
        ip.mark(message.ip & ((std::uint64_t{1} << 48) - 1), at);
        if (message.sender) thread.mark(digits(message.sender->place), at);
        bytes.mark(message.length * kGrfBytes, at);
    }
};

template <>
struct Shown<DispatchProtocol> : LinkSignals {
    using LinkSignals::LinkSignals;
    Signal work{*this, "walker", 32, SignalForm::Decimal, "Number of the walker."};
    Signal group_x{*this, "group_x", 32, SignalForm::Decimal, "Group of the thread."};
    Signal group_y{*this, "group_y", 32, SignalForm::Decimal, "Group of the thread."};
    Signal group_z{*this, "group_z", 32, SignalForm::Decimal, "Group of the thread."};
    Signal local_thread{*this, "local_thread", 16, SignalForm::Decimal, "Number in its group."};
    Signal mask{*this, "mask", 32, SignalForm::Hex, "Channels that exist."};
    static TraceId id_of(const ThreadDispatch& dispatch) { return dispatch.sideband.trace_id; }
    void show(const ThreadDispatch& dispatch, Cycles at) {
        work.mark(dispatch.work, at);
        group_x.mark(dispatch.gpgpu.group_id[0], at);
        group_y.mark(dispatch.gpgpu.group_id[1], at);
        group_z.mark(dispatch.gpgpu.group_id[2], at);
        local_thread.mark(dispatch.gpgpu.local_thread, at);
        mask.mark(dispatch.dispatch_mask, at);
        thread.mark(digits(dispatch.sideband.place), at);
        bytes.mark(dispatch.payload_registers * kGrfBytes, at);
    }
};

template <>
struct Shown<CommandProtocol> : LinkSignals {
    using LinkSignals::LinkSignals;
    Signal address{*this, "address", 48, SignalForm::Hex, "Where the command stood."};
    Signal header{*this, "header", 32, SignalForm::Hex, "First DWord of the command."};
    static TraceId id_of(const PipelineCommand& command) { return command.trace_id; }
    void show(const PipelineCommand& command, Cycles at) {
        address.mark(command.address.value & ((std::uint64_t{1} << 48) - 1), at);
        header.mark(command.dwords[0], at);
        bytes.mark(command.length_dwords * 4, at);
    }
};

template <>
struct Shown<ResourceProtocol> : LinkSignals {
    using LinkSignals::LinkSignals;
    Signal address{*this, "address", 48, SignalForm::Hex, "Where to parse, or the context image."};
    Signal operation{*this, "operation", kResourceOperation, "What is asked of it."};
    static TraceId id_of(const ResourceRequest& request) { return request.trace_id; }
    void show(const ResourceRequest& request, Cycles at) {
        address.mark(request.address.value & ((std::uint64_t{1} << 48) - 1), at);
        operation.mark(request.operation, at);
    }
};

// ---- the observer of a socket

template <class Types>
class LinkOf : public Link, private SocketObserver<Types> {
  public:
    explicit LinkOf(InitiatorSocket<Types>& socket)
        : socket_(socket), signals_(unit_shown(socket.name())) {}
    SignalSet& signals() override { return signals_; }
    void connect(const Clock& clock) override {
        clock_ = &clock;
        socket_.observe(*this);
    }

  private:
    static constexpr Cycles kOne{1};
    struct Request {
        const typename Types::tlm_payload_type* payload;
        Cycles arrival;
    };
    void passed(const typename Types::tlm_payload_type& payload, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay) override {
        const Cycles at = clock_->after(delay);
        if (phase == tlm::BEGIN_REQ) {
            signals_.begin_req.pulse(at, at + kOne);
            signals_.id.mark(signals_.id_of(payload), at);
            signals_.unaccepted.add(1, at);
            signals_.in_flight.add(1, at);
            signals_.show(payload, at);
            unaccepted_.push_back({&payload, at});
        } else if (phase == tlm::END_REQ) {
            accepted(payload, at);
        } else if (phase == tlm::BEGIN_RESP) {
            signals_.begin_resp.pulse(at, at + kOne);
            signals_.response_id.mark(signals_.id_of(payload), at);
            signals_.in_flight.add(-1, at);
            accepted(payload, at);  // if it has not been: a response implies it
        }
    }
    // A target may have room for a request before it arrives.
    void accepted(const typename Types::tlm_payload_type& payload, Cycles at) {
        const auto found = std::ranges::find(unaccepted_, &payload, &Request::payload);
        if (found == unaccepted_.end()) return;
        at = std::max(at, found->arrival);
        *found = unaccepted_.back();
        unaccepted_.pop_back();
        signals_.end_req.pulse(at, at + kOne);
        signals_.unaccepted.add(-1, at);
    }

    InitiatorSocket<Types>& socket_;
    Shown<Types> signals_;
    const Clock* clock_ = nullptr;
    std::vector<Request> unaccepted_;
};

template <class Types>
bool take(sc_core::sc_object* object, std::vector<std::unique_ptr<Link>>& links) {
    auto* const socket = dynamic_cast<InitiatorSocket<Types>*>(object);
    if (socket) links.push_back(std::make_unique<LinkOf<Types>>(*socket));
    return socket != nullptr;
}

void collect(const std::vector<sc_core::sc_object*>& objects,
             std::vector<std::unique_ptr<Link>>& links) {
    for (sc_core::sc_object* object : objects) {
        // A bank of L3 shows in its own signals what it is given, by its lookups.
        if (std::string_view(object->basename()).starts_with("bank_out")) continue;
        take<MemoryProtocol>(object, links) || take<MessageProtocol>(object, links) ||
            take<DispatchProtocol>(object, links) || take<CommandProtocol>(object, links) ||
            take<ResourceProtocol>(object, links);
        collect(object->get_child_objects(), links);
    }
}

}  // namespace

std::vector<std::unique_ptr<Link>> find_links() {
    std::vector<std::unique_ptr<Link>> links;
    collect(sc_core::sc_get_top_level_objects(), links);
    return links;
}

}  // namespace gen9::platform
