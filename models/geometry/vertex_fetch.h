// SPDX-License-Identifier: Apache-2.0
/// VertexFetch: front end of the 3D pipe (module half; the rules are in indices.h, vertices.h and
/// assembly.h).
/// Role     takes draws in order, reads indices and vertices, writes vertices to the URB, makes
///          objects of them and hands them on in batches; owns the URB entries of vertices
/// Sockets  command_in  target     PipelineCommand  from the command streamer
///          mem_out     initiator  memory           indices, vertices; URB entries
///          batch_out   initiator  PrimitiveBatch   to the vertex shader stage
/// Params   params.h
/// Order    draws in order; of a draw instances, then indices, then objects in order
/// Not here threads of vertices (vertex_shader.h)
/// Spec     VF-01..VF-25, FF-41..43, FF-50; 003:11845-12200
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/assembly.h"
#include "geometry/indices.h"
#include "geometry/interface.h"
#include "geometry/params.h"
#include "geometry/signals.h"
#include "geometry/stats.h"
#include "geometry/vertex_cache.h"
#include "geometry/vertices.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/payload/object_pool.h"
#include "interconnect/payload/urb_handles.h"

namespace gen9::geometry {

class VertexFetch : public sc_core::sc_module, public VertexFetchBlock, private ObjectSink {
  public:
    VertexFetch(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~VertexFetch() override;

    TargetSocket<CommandProtocol> command_in{"command_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};

    VertexFetchSockets sockets() override { return {command_in, mem_out, batch_out}; }
    std::string describe_waiting() const override;
    std::vector<WorkRecord> unfinished() const override;
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return runs_.empty() && inbox_.empty() && !answers_due_; }
    std::uint64_t progress() const override {
        return stats_.fetched.value() + stats_.batches_sent.value() + ended_;
    }
    const VertexFetchStats& stats() const { return stats_; }
    /// URB entries that hold a vertex.
    unsigned held_entries() const { return handles_.total(kOwner) - handles_.free(kOwner); }

  private:
    void end_of_simulation() override { settle(); }

    static constexpr unsigned kOwner = 0;  ///< of handles

    /// A draw under way.
    struct Run {
        PipelineCommand* command = nullptr;
        Draw draw;
        WorkRecord record;
        std::uint64_t batches = 0;  ///< made, and not ended
        bool all_sent = false;
        bool reported_unmapped = false;
    };
    struct Batch : PrimitiveBatch {
        Run* run = nullptr;
        std::vector<unsigned> entries;  ///< that it refers to
        bool holds_entries = false;
    };
    /// A vertex in its URB entry.
    struct Vertex {
        unsigned references = 0;   ///< of the cache, strips, batches, and what is to be assembled
        bool edge = true;          ///< its edge flag
        bool sent = false;         ///< with a batch
        std::uint64_t batch = 0;   ///< the last that it was put into, by number
        std::uint32_t number = 0;  ///< in that batch
    };
    /// What the fetch hands to the assembly.
    struct Step {
        enum class Kind : std::uint8_t { Vertex, Cut, EndOfInstance };
        Kind kind = Kind::Vertex;
        unsigned entry = 0;
        std::uint64_t group = 0;  ///< of a vertex that is fetched; a later step waits behind it
    };
    struct Line {
        std::uint8_t bytes[kLineBytes];
    };
    struct Wanted {
        std::uint64_t key;  ///< of a line: its stream above its address
        std::uint8_t stream, mocs;
    };
    /// Vertices that are read together.
    struct Group {
        enum class State : std::uint8_t { Filling, Reading, Writing };
        State state = State::Filling;
        unsigned count = 0;
        std::array<unsigned, kVertexBatch> entries{};
        std::array<VertexNumbers, kVertexBatch> numbers{};
        std::vector<std::uint64_t> keys;    ///< of lines, sorted
        std::vector<Line> lines;            ///< one more than keys
        std::vector<std::uint32_t> values;  ///< of all entries
        LineTraffic::Group traffic = 0;
    };
    /// Happened at a cycle, and acts in the first step from then on.
    struct Return {
        Cycles at;
        Batch* batch;
        bool ended;  ///< else its vertices have been read
    };
    struct Arrival {
        Cycles at;
        PipelineCommand* command;
    };
    struct Answer {
        PipelineCommand* command;
        tlm::tlm_phase phase;
    };

    // vertex_fetch.cpp: commands, draws, batches that come back.
    tlm::tlm_sync_enum on_command(PipelineCommand&, tlm::tlm_phase&, const sc_core::sc_time&);
    void step();
    bool work(Cycles now);
    void schedule(Cycles now);
    void show(Cycles now, bool worked);
    void answer(PipelineCommand& command, const tlm::tlm_phase& phase);
    void answer_commands();
    void come_back(Batch& batch, bool ended, Cycles at);
    bool take_back(Cycles now);
    void give_up_entries(Batch& batch, Cycles now);
    bool begin_draw(Cycles now);
    void begin_vertices(Run& run, const DrawParameters& draw);
    void end_stream_output(Run& run);
    void send_empty(Run& run);
    DrawParameters parameters_of(const PipelineCommand& command) const;
    /// False: there is nothing to give entries of.
    bool partition_urb(const Run& run);
    void end_draws(Cycles now);
    bool send(Cycles now);
    /// Is the draw at hand to send no further object?
    bool stopping() const;
    bool stop_draw(Cycles now);
    void give_up_rest(Cycles now);
    void guest_error(const Run& run, const std::string& text);

    // vertex_fetch_work.cpp: from indices to objects.
    bool read_indices(Cycles now);
    bool fetch(Cycles now);
    bool fetch_index(Cycles now);
    /// An entry for a vertex, if there is one.
    std::optional<unsigned> new_entry(Cycles now);
    void close_group();
    void read_lines(Group& group);
    bool advance_groups(Cycles now);
    void convert(Group& group);
    bool assemble(Cycles now);
    void assemble_vertex(unsigned entry, Cycles now);
    void end_strip(Cycles now);
    void object(const PrimitiveObject& object) override;
    std::uint32_t number_in_batch(unsigned entry);
    void close_batch();
    void drop(unsigned entry, Cycles now);
    void clear_cache(Cycles now);
    void count_instance();
    bool stuck() const;
    void give_up_draw(Cycles now);
    void drop_strip(Cycles now);
    MemoryAttributes reads(std::uint8_t stream, std::uint8_t mocs) const;

    Environment& env_;
    const Clock& clock_;
    VertexFetchParams params_;
    VertexFetchStats stats_;
    VertexFetchSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    Wakeup answer_wakeup_;  ///< runs the process that answers the streamer
    StageStep step_{env_, wakeup_};
    LineTraffic traffic_{mem_out, env_, clock_, wakeup_};
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};

    std::deque<Arrival> inbox_;
    std::vector<Answer> answers_;
    bool answers_due_ = false;
    std::deque<std::unique_ptr<Run>> runs_;  ///< in order
    std::uint64_t draws_begun_ = 0, ended_ = 0;

    // The draw at hand: the last run, unless all of it has been sent.
    Run* run_ = nullptr;
    StageStatePtr layout_of_;  ///< state that the layout was made of
    std::vector<std::string> layout_problems_;
    std::optional<VertexLayout> layout_;
    std::optional<IndexStream> stream_;
    bool use_cache_ = false, count_ = false;
    std::uint32_t instances_ = 0, start_instance_ = 0;
    std::uint32_t instance_ = 0;  ///< whose indices are looked up
    DrawParameters parameters_;   ///< as they are given
    bool indexed_ = false;
    struct {
        bool reading = false;
        LineTraffic::Group traffic = 0;
        IndexStream::Stretch stretch;
        std::vector<std::uint8_t> bytes;
    } index_read_;
    std::vector<DrawIndex> indices_;
    std::size_t next_index_ = 0;
    std::vector<std::string> problems_;

    // Vertices.
    UrbHandles handles_;
    UrbPartition partition_;
    std::vector<Vertex> vertices_;  ///< by entry
    VertexCache cache_;
    ObjectPool<Group> group_pool_;
    std::deque<Group*> groups_;             ///< not done, in order; the last may be filling
    std::uint64_t groups_done_ = 0;         ///< all of a lower number are
    std::uint64_t groups_closed_ = 0;       ///< whose lines are asked for
    std::deque<Step> steps_;                ///< to be assembled
    Cycles fetched_at_;                     ///< the last cycle in which indices were looked up
    std::uint64_t fetched_now_ = 0;         ///< in that cycle
    bool starved_ = false;                  ///< the next vertex waits for an entry
    std::vector<Wanted> wanted_;            ///< lines of a group
    std::vector<std::uint8_t> straddling_;  ///< elements that lie in two lines

    // Objects.
    std::optional<Assembly> assembly_;
    std::uint32_t assembled_ = 0;            ///< instances
    std::uint32_t objects_ = 0;              ///< assembled, of the instance at hand
    std::uint32_t objects_sent_before_ = 0;  ///< of these: the draw was stopped behind them
    bool goes_on_ = false;                   ///< it was stopped, and no object has been sent since
    bool stop_asked_ = false;
    Reach reach_;
    unsigned list_step_ = 0;       ///< vertices of an object of a list; 0: it is none
    std::deque<unsigned> window_;  ///< entries that later objects may refer to
    std::optional<unsigned> first_of_strip_;
    std::uint32_t in_strip_ = 0;
    ObjectPool<Batch> batch_pool_;
    Batch* batch_ = nullptr;  ///< being filled
    std::uint64_t batches_made_ = 0;
    std::deque<Batch*> ready_;
    std::vector<Return> returns_;
};

}  // namespace gen9::geometry
