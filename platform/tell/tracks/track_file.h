// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <string>
#include <unordered_map>

namespace gen9::platform {

/// A trace file of Perfetto (ui.perfetto.dev) that is being written: tracks with slices, instants,
/// counters and flows, by the TrackEvent messages of Perfetto's trace format. A nanosecond of the
/// file stands for a cycle. The order of calls is free but for one track's slices, which are given
/// in the order in which they end or lie within each other.
/// Public: Perfetto's protos/perfetto/trace/track_event, whose field numbers these are.
class TrackFile {
  public:
    using Track = std::uint64_t;
    using Name = std::uint64_t;
    /// Throws UserError when the file cannot be written.
    explicit TrackFile(std::string path);

    /// A group of tracks that stands alone.
    Track group(const std::string& name);
    Track track(Track parent, const std::string& name);
    Track counter(Track parent, const std::string& name, const std::string& unit);
    /// Names are told once and known by number from then on.
    Name name(const std::string& text);

    /// A fact of a slice, shown when it is selected.
    struct Fact {
        Name name;
        std::uint64_t value;
    };
    using Facts = std::initializer_list<Fact>;
    enum class Flow : std::uint8_t { Goes, Ends };

    /// `flow`: 0, or the number of the flow that leads through the slice.
    void slice(Track track, Name name, std::uint64_t from, std::uint64_t to, Facts facts = {},
               std::uint64_t flow = 0);
    void instant(Track track, Name name, std::uint64_t at, std::uint64_t flow, Flow how,
                 Facts facts = {});
    void count(Track track, std::uint64_t at, double value);
    /// Throws UserError when not all could be written.
    void close();

  private:
    void write_descriptor(Track track, Track parent, const std::string& name, const char* unit);
    template <class Fill>
    void write_event(std::uint64_t at, Facts facts, Fill fill);
    void end_packet();
    void write_if_full();
    std::string path_;
    std::ofstream file_;
    std::string packet_, out_;
    Track tracks_ = 0;
    std::unordered_map<std::string, Name> names_;
};

}  // namespace gen9::platform
