// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/tracks/track_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <protozero/pbf_writer.hpp>

#include "common/check.h"

namespace gen9::platform {
namespace {

using protozero::pbf_writer;

// Numbers of fields.
namespace trace {
constexpr unsigned kPacket = 1;
}
namespace packet {
constexpr unsigned kTimestamp = 8, kSequence = 10, kEvent = 11, kInterned = 12, kFlags = 13,
                   kDescriptor = 60;
constexpr unsigned kStateCleared = 1, kNeedsState = 2;  // of kFlags
}  // namespace packet
namespace descriptor {
constexpr unsigned kUuid = 1, kName = 2, kParent = 5, kCounter = 8, kCounterUnitName = 6;
}
namespace interned {
constexpr unsigned kEventName = 2, kFactName = 3, kIid = 1, kName = 2;
}
namespace event {
constexpr unsigned kFact = 4, kType = 9, kNameIid = 10, kTrack = 11, kDouble = 44, kFlow = 47,
                   kFlowEnds = 48;
constexpr unsigned kFactName = 1, kFactUnsigned = 3;
enum Type { Begin = 1, End = 2, Instant = 3, Counter = 4 };
}  // namespace event

constexpr std::size_t kBuffer = std::size_t{1} << 20;
constexpr unsigned kOnlySequence = 1;

/// The bytes of an event, written in place: a run has millions, and the messages of a general
/// writer would be copied into each other. Lengths have two bytes, which are filled in at the end.
class EventBytes {
  public:
    /// More than any event with so many facts has.
    static std::size_t most(std::size_t facts) { return 96 + 32 * facts; }

    EventBytes(char* to, std::uint64_t at) : packet_(to + 3), to_(packet_) {
        *to = tag(trace::kPacket, kBytes);
        number(packet::kTimestamp, at);
        number(packet::kSequence, kOnlySequence);
        number(packet::kFlags, packet::kNeedsState);
        *to_ = tag(packet::kEvent, kBytes);
        event_ = to_ += 3;
    }
    void number(unsigned field, std::uint64_t value) {
        *to_++ = tag(field, kVarint);
        varint(value);
    }
    /// Writes a field from 16 on, whose tag has two bytes.
    void eight_bytes(unsigned field, std::uint64_t value) {
        varint(field << 3 | kEightBytes);
        to_ = std::copy_n(std::bit_cast<std::array<char, 8>>(value).data(), 8, to_);
    }
    void fact(std::uint64_t name, std::uint64_t value) {
        *to_ = tag(event::kFact, kBytes);
        char* const length = ++to_;
        ++to_;
        number(event::kFactName, name);
        number(event::kFactUnsigned, value);
        *length = static_cast<char>(to_ - length - 1);
    }
    /// The end of what was written.
    char* end() {
        close(event_);
        close(packet_);
        return to_;
    }

  private:
    enum Kind : unsigned { kVarint = 0, kEightBytes = 1, kBytes = 2 };
    static char tag(unsigned field, Kind kind) { return static_cast<char>(field << 3 | kind); }
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            *to_++ = static_cast<char>(value | 0x80);
        *to_++ = static_cast<char>(value);
    }
    void close(char* contents) {
        const auto length = static_cast<std::size_t>(to_ - contents);
        contents[-2] = static_cast<char>(length | 0x80);
        contents[-1] = static_cast<char>(length >> 7);
    }
    char *packet_, *to_, *event_;
};

}  // namespace

TrackFile::TrackFile(std::string path) : path_(std::move(path)), file_(path_, std::ios::binary) {
    if (!file_) throw UserError("cannot write the timeline '" + path_ + "'");
    pbf_writer first(packet_);
    first.add_uint32(packet::kSequence, kOnlySequence);
    first.add_uint32(packet::kFlags, packet::kStateCleared);
    end_packet();
}

void TrackFile::end_packet() {
    pbf_writer(out_).add_message(trace::kPacket, packet_);
    packet_.clear();
    write_if_full();
}

void TrackFile::write_if_full() {
    if (out_.size() < kBuffer) return;
    file_.write(out_.data(), static_cast<std::streamsize>(out_.size()));
    out_.clear();
}

void TrackFile::write_descriptor(Track track, Track parent, const std::string& name,
                                 const char* unit) {
    {
        pbf_writer writer(packet_);
        pbf_writer said(writer, packet::kDescriptor);
        said.add_uint64(descriptor::kUuid, track);
        said.add_string(descriptor::kName, name);
        if (parent != 0) said.add_uint64(descriptor::kParent, parent);
        if (unit != nullptr) {
            pbf_writer counter(said, descriptor::kCounter);
            counter.add_string(descriptor::kCounterUnitName, unit);
        }
    }
    end_packet();
}

TrackFile::Track TrackFile::group(const std::string& name) {
    return track(0, name);
}

TrackFile::Track TrackFile::track(Track parent, const std::string& name) {
    write_descriptor(++tracks_, parent, name, nullptr);
    return tracks_;
}

TrackFile::Track TrackFile::counter(Track parent, const std::string& name,
                                    const std::string& unit) {
    write_descriptor(++tracks_, parent, name, unit.c_str());
    return tracks_;
}

TrackFile::Name TrackFile::name(const std::string& text) {
    const auto [place, fresh] = names_.try_emplace(text, names_.size() + 1);
    if (!fresh) return place->second;
    {
        pbf_writer writer(packet_);
        writer.add_uint32(packet::kSequence, kOnlySequence);
        writer.add_uint32(packet::kFlags, packet::kNeedsState);
        pbf_writer names(writer, packet::kInterned);
        // Events and facts have name spaces of their own, in which a text has the same number.
        for (const unsigned space : {interned::kEventName, interned::kFactName}) {
            pbf_writer entry(names, space);
            entry.add_uint64(interned::kIid, place->second);
            entry.add_string(interned::kName, text);
        }
    }
    end_packet();
    return place->second;
}

template <class Fill>
void TrackFile::write_event(std::uint64_t at, Facts facts, Fill fill) {
    const std::size_t before = out_.size();
    out_.resize(before + EventBytes::most(facts.size()));
    EventBytes bytes(out_.data() + before, at);
    fill(bytes);
    for (const auto& [name, value] : facts)
        bytes.fact(name, value);
    out_.resize(static_cast<std::size_t>(bytes.end() - out_.data()));
    write_if_full();
}

void TrackFile::slice(Track track, Name name, std::uint64_t from, std::uint64_t to, Facts facts,
                      std::uint64_t flow) {
    write_event(from, facts, [&](EventBytes& event) {
        event.number(event::kType, event::Begin);
        event.number(event::kTrack, track);
        event.number(event::kNameIid, name);
        if (flow != 0) event.eight_bytes(event::kFlow, flow);
    });
    write_event(to, {}, [&](EventBytes& event) {
        event.number(event::kType, event::End);
        event.number(event::kTrack, track);
    });
}

void TrackFile::instant(Track track, Name name, std::uint64_t at, std::uint64_t flow, Flow how,
                        Facts facts) {
    write_event(at, facts, [&](EventBytes& event) {
        event.number(event::kType, event::Instant);
        event.number(event::kTrack, track);
        event.number(event::kNameIid, name);
        event.eight_bytes(how == Flow::Ends ? event::kFlowEnds : event::kFlow, flow);
    });
}

void TrackFile::count(Track track, std::uint64_t at, double value) {
    write_event(at, {}, [&](EventBytes& event) {
        event.number(event::kType, event::Counter);
        event.number(event::kTrack, track);
        event.eight_bytes(event::kDouble, std::bit_cast<std::uint64_t>(value));
    });
}

void TrackFile::close() {
    file_.write(out_.data(), static_cast<std::streamsize>(out_.size()));
    out_.clear();
    file_.close();
    if (!file_)
        throw UserError("cannot write the timeline '" + path_ + "' to its end: is the disk full?");
}

}  // namespace gen9::platform
