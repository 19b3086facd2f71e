// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "common/counter_sum.h"
#include "eu/stats.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/work.h"
#include "platform/tell/launch_names.h"
#include "platform/tell/tracks/level.h"
#include "platform/tell/tracks/track_file.h"
#include "platform/tell/tracks/windows.h"

namespace gen9::platform {

class Gpu;

/// Writes what the machine does as tracks: commands, launches, thread groups, the threads of each
/// slot, what each EU's cycles are used for, messages with flows from the thread to the shared
/// function and back, and counters. It looks on from outside, at the sockets and where the EUs
/// count their cycles.
class TrackRecorder : public WorkObserver {
  public:
    TrackRecorder(TrackOptions options, Gpu& gpu, const StatRegistry& stats,
                  const LaunchNames& launch_names);
    ~TrackRecorder() override;
    /// Call when the machine is elaborated and has not run. Throws UserError when the file cannot
    /// be written.
    void open(const std::string& path);
    /// Call when the run has ended and every block has counted its cycles.
    void close();

    void work_began(const WorkRecord& work) override;
    void work_ended(const WorkRecord& work) override;

  private:
    using Track = TrackFile::Track;
    using Name = TrackFile::Name;
    /// Tracks for slices that overlap: each is put on the first track that is free.
    struct Lanes {
        Track parent = 0;
        std::string name;
        struct Lane {
            Track track;
            std::uint64_t free_from;
        };
        std::vector<Lane> lanes;
    };
    struct Eu;
    struct Messages;
    struct Dispatches;
    struct Commands;
    struct Subslice {
        Track track = 0;
        Lanes groups;
        struct Function {
            Lanes lanes;
            Track track = 0;  ///< of the counter
            Level in_flight;
        };
        std::array<Function, kMessagePorts> functions;
    };
    /// Counters of the machine, added up.
    struct Sum {
        std::vector<CounterSum> counters;
        std::uint64_t last = 0;
        /// Since the last time.
        double more();
    };
    /// A count over a stretch of cycles, for each of them or for each count of others.
    struct Rate {
        Track track;
        Sum part, whole;  ///< an empty whole: cycles
        double factor;
    };
    using GroupKey = std::tuple<std::uint32_t, unsigned, std::array<std::uint32_t, 3>>;
    struct Group {
        std::uint64_t from, to;
        unsigned threads;  ///< that have not ended
    };

    void make_tracks();
    void make_rates();
    void name_facts();
    Subslice& subslice_of(const ThreadAddress& place);
    Eu& eu_of(const ThreadAddress& place);
    std::size_t lane(Lanes& lanes, std::uint64_t at);
    /// A slice on the first track that is free.
    void overlapping(Lanes& lanes, Name name, std::uint64_t from, std::uint64_t to,
                     TrackFile::Facts facts = {});
    void thread_began(const ThreadDispatch& dispatch, std::uint64_t at);
    void thread_ended(const ThreadDispatch& dispatch, std::uint64_t at);
    void write_groups(std::uint32_t work);
    void write_work(const WorkRecord& work, std::uint64_t end);
    Name message_name(const Message& message);
    /// Takes what has been counted since the last look, when that is long enough ago.
    void sample() {
        if (clock_.now().value >= next_sample_) [[unlikely]]
            write_rates();
    }
    void write_rates();

    TrackOptions options_;
    Windows windows_;
    Gpu& gpu_;
    const StatRegistry& stats_;
    const LaunchNames& launch_names_;
    const Clock& clock_;
    std::unique_ptr<TrackFile> file_;
    Track root_ = 0, resident_ = 0;
    Level residents_;
    std::vector<Subslice> subslices_;
    std::vector<std::unique_ptr<Eu>> eus_;
    std::vector<std::unique_ptr<Messages>> messages_;
    std::vector<std::unique_ptr<Dispatches>> dispatches_;
    std::unique_ptr<Commands> commands_;
    Lanes all_work_;
    std::map<GroupKey, Group> groups_;
    std::unordered_map<std::uint64_t, Name> message_names_;
    std::vector<Rate> rates_;
    std::vector<Name> use_names_;  ///< by CycleUse
    std::uint64_t flows_ = 0, sampled_ = 0, next_sample_ = 0;
    struct {
        Name ip, descriptor, mask, work, local_thread, instructions, messages, threads, send,
            answer, address;
    } names_{};
};

}  // namespace gen9::platform
