// SPDX-License-Identifier: Apache-2.0
/// StreamOutput: stream output logic (module half; what is written where is in output_streams.h).
/// Role     writes vertices of objects to buffers in memory, counts primitives, and lets the objects
///          that are to be drawn go on to the clipper
/// Sockets  batch_in   target     PrimitiveBatch  from the last stage with a shader
///          mem_out    initiator  memory          vertices in the URB; buffers, write offsets
///          batch_out  initiator  PrimitiveBatch  to the clipper
/// Params   params.h
/// Order    batches and their objects in order of arrival; they end in any
/// Not here the registers: the command streamer has write offsets and counts, from the draws
/// Spec     SOL-01..SOL-25; 003:13677-13824
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/interface.h"
#include "geometry/output_streams.h"
#include "geometry/params.h"
#include "geometry/signals.h"
#include "geometry/stats.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::geometry {

class StreamOutput : public sc_core::sc_module, public StreamOutputBlock {
  public:
    StreamOutput(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~StreamOutput() override;

    TargetSocket<PrimitiveProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};

    StreamOutputSockets sockets() override { return {batch_in, mem_out, batch_out}; }
    std::string describe_waiting() const override;
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return in_.idle() && jobs_.empty() && open_.empty(); }
    std::uint64_t progress() const override { return stats_.batches.value() + passed_; }
    const StreamOutputStats& stats() const { return stats_; }
    /// Bytes, as the last draw has left them.
    const WriteOffsets& write_offsets() const { return offsets_; }

  private:
    void end_of_simulation() override { settle(); }

    /// A draw is decoded once, for all its batches.
    struct Facts {
        std::uint64_t order = 0;
        StreamOutputState state;
        bool begun = false;    ///< its write offsets are there
        bool loading = false;  ///< some of them come from memory
        LineTraffic::Group traffic = 0;
        std::array<std::uint32_t, kStreamBuffers> loaded{};
        bool reported_unmapped = false;
    };
    /// A batch that is not yet passed on. Its traffic: what is read of vertices.
    struct Job {
        PrimitiveBatch* batch = nullptr;
        std::shared_ptr<Facts> facts;
        LineTraffic::Group traffic = 0;
        bool reads = false;
        std::vector<std::uint32_t> data;
        std::vector<std::uint32_t>
            places;  ///< in `data`, of each vertex of each object, as written
    };
    /// Objects of one stream, of a batch that has several.
    struct Part : PrimitiveBatch {};
    /// A batch that is passed on or dropped, and has not ended. Its traffic: what is written.
    struct Open {
        Open() {}  // Clang 15 does not see that std::optional can make one without
        PrimitiveBatch* batch = nullptr;
        PrimitiveBatch* sent = nullptr;  ///< null: nothing of it goes on, or that has ended
        std::shared_ptr<Facts> facts;
        LineTraffic::Group traffic = 0;
        bool writes = false;
        Cycles ended;  ///< behind it
        Part* part = nullptr;
    };

    void step();
    bool work(Cycles now);
    bool end_batches(Cycles now);
    bool make(Cycles now);
    bool take(Cycles now);
    std::shared_ptr<Facts> facts_of(const Draw& draw);
    void read_vertices(Job& job);
    /// The write offsets that the draw begins with. False: they are not there yet.
    bool begin_draw(Facts& facts, const Draw& draw, Cycles now);
    /// Gives the cycles that it takes.
    Cycles write_objects(Job& job, Open& open);
    void write_offsets_back(const Job& job, Open& open);
    /// What goes on: the batch itself, a part of it, or null.
    PrimitiveBatch* what_passes(const Job& job, Open& open);
    void pass(Cycles now);
    MemoryAttributes buffer_access(const StreamBuffer& buffer, const Draw& draw) const;
    bool ends_draw(const PrimitiveBatch& batch) const {
        return batch.objects.empty() && batch.draw->work.kind == WorkKind::Draw;
    }
    void show(Cycles now, bool worked);
    void guest_error(const char* what, const Draw& draw, const std::string& text);

    Environment& env_;
    const Clock& clock_;
    StreamOutputParams params_;
    StreamOutputStats stats_;
    StreamOutputSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageStep step_{env_, wakeup_};
    LineTraffic traffic_{mem_out, env_, clock_, wakeup_};
    StageInput<PrimitiveProtocol> in_;
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};

    WriteOffsets offsets_{};
    std::shared_ptr<Facts> facts_;  ///< of the last batch taken
    std::deque<Job> jobs_;          ///< in order
    std::optional<Open> made_;      ///< of the first job: all is done but to pass it on
    Cycles made_at_;
    std::vector<Open> open_;
    StreamWriter writer_;
    ObjectPool<Part> parts_;
    std::uint64_t passed_ = 0;
};

}  // namespace gen9::geometry
