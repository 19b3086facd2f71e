// SPDX-License-Identifier: Apache-2.0
#include "platform/tracks/track_file.h"

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

void add_facts(pbf_writer& to, TrackFile::Facts facts) {
    for (const auto& [name, value] : facts) {
        pbf_writer fact(to, event::kFact);
        fact.add_uint64(event::kFactName, name);
        fact.add_uint64(event::kFactUnsigned, value);
    }
}

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

void TrackFile::write_event(std::uint64_t at) {
    pbf_writer writer(packet_);
    writer.add_uint64(packet::kTimestamp, at);
    writer.add_uint32(packet::kSequence, kOnlySequence);
    writer.add_uint32(packet::kFlags, packet::kNeedsState);
    writer.add_message(packet::kEvent, event_);
    event_.clear();
    end_packet();
}

void TrackFile::slice(Track track, Name name, std::uint64_t from, std::uint64_t to, Facts facts,
                      std::uint64_t flow) {
    pbf_writer begin(event_);
    begin.add_uint32(event::kType, event::Begin);
    begin.add_uint64(event::kTrack, track);
    begin.add_uint64(event::kNameIid, name);
    if (flow != 0) begin.add_fixed64(event::kFlow, flow);
    add_facts(begin, facts);
    write_event(from);
    pbf_writer end(event_);
    end.add_uint32(event::kType, event::End);
    end.add_uint64(event::kTrack, track);
    write_event(to);
}

void TrackFile::instant(Track track, Name name, std::uint64_t at, std::uint64_t flow, Flow how,
                        Facts facts) {
    pbf_writer writer(event_);
    writer.add_uint32(event::kType, event::Instant);
    writer.add_uint64(event::kTrack, track);
    writer.add_uint64(event::kNameIid, name);
    writer.add_fixed64(how == Flow::Ends ? event::kFlowEnds : event::kFlow, flow);
    add_facts(writer, facts);
    write_event(at);
}

void TrackFile::count(Track track, std::uint64_t at, double value) {
    pbf_writer writer(event_);
    writer.add_uint32(event::kType, event::Counter);
    writer.add_uint64(event::kTrack, track);
    writer.add_double(event::kDouble, value);
    write_event(at);
}

void TrackFile::close() {
    file_.write(out_.data(), static_cast<std::streamsize>(out_.size()));
    out_.clear();
    file_.close();
    if (!file_)
        throw UserError("cannot write the timeline '" + path_ + "' to its end: is the disk full?");
}

}  // namespace gen9::platform
