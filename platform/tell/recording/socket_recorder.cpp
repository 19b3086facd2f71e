// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/recording/socket_recorder.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "common/check.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "platform/tell/recording/recording.h"
#include "platform/tell/units_shown.h"

namespace gen9::platform {
namespace {

unsigned digits(const ThreadAddress& place) {
    return static_cast<unsigned>(place.slice.value << 12 | place.subslice.value << 8 |
                                 place.eu.value << 4 | place.slot.value);
}
template <class Values>
std::string hex_of(const Values& values) {
    return hex_text(reinterpret_cast<const std::uint8_t*>(values.data()),
                    values.size() * sizeof values[0]);
}
std::string hex_of(const Grf* registers, std::size_t count) {
    return hex_text(registers->bytes, count * kGrfBytes);
}

// ---- what each protocol says of a request and of its answer

template <class Types>
struct Written;

template <>
struct Written<MemoryProtocol> {
    static constexpr const char* kName = "memory";
    using Payload = tlm::tlm_generic_payload;

    static std::pair<const char*, std::string> request(const Payload& payload) {
        const MemoryAttributes& a = attributes_of(payload);
        std::ostringstream text;
        text << std::hex << a.trace_id << std::dec << ' ' << static_cast<unsigned>(a.space) << ' '
             << static_cast<unsigned>(a.requester) << ' ' << std::hex << digits(a.thread)
             << std::dec << ' ' << unsigned{a.mocs} << ' ' << a.coherent << ' ' << a.uncached << ' '
             << static_cast<unsigned>(a.llc) << ' ';
        if (a.operation == MemoryAttributes::Operation::Lanes) {
            const LaneAccess& lanes = a.lanes;
            text << std::hex << payload.get_address() << std::dec << ' '
                 << static_cast<unsigned>(lanes.kind) << ' ' << static_cast<unsigned>(lanes.op)
                 << ' ' << unsigned{lanes.width_bytes} << ' ' << unsigned{lanes.count} << ' '
                 << hex_of(lanes.offset) << ' ' << hex_of(lanes.source0) << ' '
                 << hex_of(lanes.source1);
            return {"lanes", text.str()};
        }
        if (a.operation == MemoryAttributes::Operation::Control ||
            payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
            const CacheControl& c = a.control;
            const bool set[] = {c.flush_data,
                                c.invalidate_data,
                                c.invalidate_instruction,
                                c.invalidate_state,
                                c.invalidate_constant,
                                c.invalidate_texture,
                                c.invalidate_tlb,
                                c.settle};
            unsigned bits = 0;
            for (unsigned i = 0; i < std::size(set); ++i)
                bits |= unsigned{set[i]} << i;
            text << std::hex << bits;
            return {"control", text.str()};
        }
        const unsigned length = payload.get_data_length();
        text << payload.is_write() << ' ' << std::hex << payload.get_address() << std::dec << ' '
             << length << ' '
             << (payload.is_write() ? hex_text(payload.get_data_ptr(), length)
                                    : hex_of(std::vector<std::uint8_t>(length)))
             << ' ';
        const unsigned char* const enables = payload.get_byte_enable_ptr();
        const unsigned period = payload.get_byte_enable_length();
        if (enables && period) {
            std::vector<std::uint8_t> each(length);
            for (unsigned i = 0; i < length; ++i)
                each[i] = enables[i % period];
            text << "1 " << hex_of(each);
        } else {
            text << "0 0";
        }
        return {"access", text.str()};
    }
    static std::string answer(const Payload& payload) {
        const MemoryAttributes& a = attributes_of(payload);
        std::ostringstream text;
        text << payload.is_response_ok() << ' ';
        if (a.operation == MemoryAttributes::Operation::Lanes &&
            a.lanes.kind != LaneAccess::Kind::Write)
            text << sizeof a.lanes.result << ' ' << hex_of(a.lanes.result);
        else if (a.operation == MemoryAttributes::Operation::Access && payload.is_read())
            text << payload.get_data_length() << ' '
                 << hex_text(payload.get_data_ptr(), payload.get_data_length());
        else
            text << "0 0";
        return text.str();
    }
};

template <>
struct Written<MessageProtocol> {
    static constexpr const char* kName = "message";
    static std::pair<const char*, std::string> request(const Message& m) {
        std::ostringstream text;
        text << std::hex << m.trace_id << ' ' << (m.sender ? digits(m.sender->place) : 0) << ' '
             << m.ip << ' ' << std::dec << static_cast<unsigned>(m.sfid) << ' ' << std::hex
             << m.descriptor << ' ' << m.extended_descriptor << ' ' << m.execution_mask << ' '
             << std::dec << m.end_of_thread << ' ' << unsigned{m.response_length} << ' '
             << unsigned{m.length} << ' ' << hex_of(m.payload.data(), m.length);
        return {"message", text.str()};
    }
    static std::string answer(const Message& m) {
        std::ostringstream text;
        text << (m.status == MessageStatus::Ok) << ' ' << m.response_length * kGrfBytes << ' '
             << hex_of(m.response.data(), m.response_length);
        return text.str();
    }
};

template <>
struct Written<DispatchProtocol> {
    static constexpr const char* kName = "dispatch";
    static std::pair<const char*, std::string> request(const ThreadDispatch& d) {
        std::ostringstream text;
        text << std::hex << d.sideband.trace_id << ' ' << digits(d.sideband.place) << ' '
             << d.instruction_pointer << ' ' << d.dispatch_mask << ' ' << std::dec << d.work << ' '
             << d.gpgpu.group_id[0] << ' ' << d.gpgpu.group_id[1] << ' ' << d.gpgpu.group_id[2]
             << ' ' << d.gpgpu.local_thread << ' ' << unsigned{d.payload_registers} << ' '
             << hex_of(d.payload.data(), d.payload_registers);
        return {"dispatch", text.str()};
    }
    static std::string answer(const ThreadDispatch&) { return "1 0 0"; }
};

template <>
struct Written<CommandProtocol> {
    static constexpr const char* kName = "command";
    static std::pair<const char*, std::string> request(const PipelineCommand& c) {
        std::ostringstream text;
        const auto length = std::min<std::size_t>(c.length_dwords, c.dwords.size());
        text << std::hex << c.trace_id << ' ' << c.address.value << ' ' << std::dec << length << ' '
             << hex_text(reinterpret_cast<const std::uint8_t*>(c.dwords.data()), 4 * length);
        return {"command", text.str()};
    }
    static std::string answer(const PipelineCommand& c) { return c.failed ? "0 0 0" : "1 0 0"; }
};

// ---- the recorder of a socket

template <class Types>
class RecorderOf : public SocketRecorder, private SocketObserver<Types> {
  public:
    using Payload = typename Types::tlm_payload_type;
    RecorderOf(InitiatorSocket<Types>& socket, const std::string& target, const Clock& clock)
        : SocketRecorder(clock, unit_shown(socket.name()), target, Written<Types>::kName),
          socket_(socket) {}

  private:
    struct Request {
        std::uint64_t number;
        Cycles arrival;
        bool accepted;
    };
    void connect() override { socket_.observe(*this); }
    void passed(const Payload& payload, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay) override {
        show(payload, phase, delay, false);
    }
    void passed_blocking(const Payload& payload, const tlm::tlm_phase& phase,
                         const sc_core::sc_time& delay) override {
        show(payload, phase, delay, true);
    }
    void show(const Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay,
              bool blocking) {
        const Cycles at = clock().after(delay);
        if (phase == tlm::BEGIN_REQ) {
            const auto [kind, text] = Written<Types>::request(payload);
            open_[&payload] = {numbers_, at, false};
            const double picoseconds = delay / sc_core::sc_time(1, sc_core::SC_PS);
            put(at, kind, numbers_++,
                (blocking ? "1 " : "0 ") + std::to_string(static_cast<std::uint64_t>(picoseconds)) +
                    ' ' + text);
            return;
        }
        const auto found = open_.find(&payload);
        if (found == open_.end()) return;  // of before the recording, or the end of a response
        Request& request = found->second;
        if (phase == tlm::END_REQ) {
            // A target may have room for a request before it arrives.
            if (!request.accepted) put(std::max(at, request.arrival), "accept", request.number, "");
            request.accepted = true;
        } else if (phase == tlm::BEGIN_RESP) {
            put(at, "answer", request.number, Written<Types>::answer(payload));
            open_.erase(found);
        }
    }
    void put(Cycles at, const char* kind, std::uint64_t number, const std::string& text) {
        std::string words =
            std::string(kind) + ' ' + std::to_string(at.value) + ' ' + std::to_string(number);
        if (!text.empty()) words += ' ' + text;
        line(at, std::move(words));
    }

    InitiatorSocket<Types>& socket_;
    std::unordered_map<const Payload*, Request> open_;
    std::uint64_t numbers_ = 0;
};

/// A socket that could be meant: its names, and how it is recorded.
struct Candidate {
    std::string socket, target;
    std::function<std::unique_ptr<SocketRecorder>(const Clock&)> make;
};

template <class Types>
void take(sc_core::sc_object* object, std::vector<Candidate>& found) {
    auto* const socket = dynamic_cast<InitiatorSocket<Types>*>(object);
    if (!socket) return;
    // The peer that is bound to it: a socket of ours is itself the interface.
    sc_core::sc_interface* const peer = socket->get_interface();
    auto* const target = dynamic_cast<sc_core::sc_object*>(peer);
    const std::string name = target ? unit_shown(target->name()) : "-";
    found.push_back({unit_shown(socket->name()), name, [socket, name](const Clock& clock) {
                         return std::make_unique<RecorderOf<Types>>(*socket, name, clock);
                     }});
}

void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<Candidate>& found) {
    for (sc_core::sc_object* object : objects) {
        take<MemoryProtocol>(object, found);
        take<MessageProtocol>(object, found);
        take<DispatchProtocol>(object, found);
        take<CommandProtocol>(object, found);
        collect(object->get_child_objects(), found);
    }
}

/// Is it the name, or its end from some part on?
bool ends_with_parts(const std::string& full, const std::string& name) {
    return full == name || (!name.empty() && full.ends_with("." + name));
}

}  // namespace

std::unique_ptr<SocketRecorder> SocketRecorder::of(const std::string& name, const Clock& clock) {
    std::vector<Candidate> all, meant;
    collect(sc_core::sc_get_top_level_objects(), all);
    for (const Candidate& candidate : all)
        if (ends_with_parts(candidate.socket, name) || ends_with_parts(candidate.target, name))
            meant.push_back(candidate);
    if (meant.empty())
        throw UserError("--record-socket '" + name +
                        "' names no socket: write one like gpu.slice0.subslice0.hdc.slm_out "
                        "(gen9sim params lists the modules)");
    if (meant.size() > 1)
        throw UserError("--record-socket '" + name + "' names " + std::to_string(meant.size()) +
                        " sockets, " + meant[0].socket + " and " + meant[1].socket +
                        " among them: write more of the name");
    return meant[0].make(clock);
}

SocketRecorder::SocketRecorder(const Clock& clock, std::string socket, std::string target,
                               const char* protocol)
    : clock_(clock), socket_(std::move(socket)), target_(std::move(target)), protocol_(protocol) {}

void SocketRecorder::open(const std::string& path) {
    path_ = path;
    file_.open(path);
    file_ << "gen9_socket " << kRecordingVersion << "\nsocket " << socket_ << "\ntarget " << target_
          << "\nprotocol " << protocol_ << "\nclock_hz " << clock_.hz() << "\n";
    if (!file_) throw UserError("--record-socket: cannot write '" + path + "'");
    connect();
}

void SocketRecorder::line(Cycles cycle, std::string text) {
    // Nothing will come any more for cycles that are past.
    write_before(clock_.now().value);
    lines_.push({cycle.value, order_++, std::move(text)});
}

void SocketRecorder::write_before(std::uint64_t cycle) {
    while (!lines_.empty() && lines_.top().cycle < cycle) {
        file_ << lines_.top().text << '\n';
        lines_.pop();
    }
}

void SocketRecorder::close() {
    if (path_.empty()) return;
    write_before(~std::uint64_t{0});
    file_ << "end " << order_ << "\n";
    file_.close();
    if (!file_)
        throw UserError("--record-socket: cannot write '" + path_ +
                        "' to its end: is the disk full?");
    path_.clear();
}

}  // namespace gen9::platform
