// SPDX-License-Identifier: Apache-2.0
/// GeometryShader: geometry shader stage (module half; what a thread is, is in geometry_thread.h,
/// what it leaves in geometry_output.h).
/// Role     has threads work on the objects of a batch, and makes batches of what they leave in the
///          URB; hands on as it is what the state has no geometry shader for; owns the URB entries
///          of geometry threads
/// Sockets  batch_in     target     PrimitiveBatch  from the last stage with a shader
///          mem_out      initiator  memory          push constants; vertices, output in the URB
///          request_out  initiator  ThreadRequest   to the thread dispatcher
///          batch_out    initiator  PrimitiveBatch  to stream output and the clipper
/// Params   params.h
/// Order    objects in order, and of an object its instances; threads end in any order
/// Not here what becomes of streams other than the first (stream output)
/// Spec     GS-01..GS-30, FF-50; 003:13033-13675
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "geometry/geometry_output.h"
#include "geometry/interface.h"
#include "geometry/shader_stage.h"
#include "interconnect/payload/urb_handles.h"

namespace gen9::geometry {

class GeometryShader : public sc_core::sc_module, public GeometryShaderBlock, private ObjectSink {
  public:
    GeometryShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                   const GeometryShaderSetup& setup);
    ~GeometryShader() override;

    TargetSocket<PrimitiveProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};

    GeometryShaderSockets sockets() override { return {batch_in, mem_out, request_out, batch_out}; }
    std::string describe_waiting() const override;
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return in_.idle(); }
    std::uint64_t progress() const override {
        return threads_.progress() + stats_.vertices.value() + sent_;
    }
    const GeometryShaderStats& stats() const { return stats_; }
    /// URB entries that hold something.
    unsigned held_entries() const { return handles_.total(kOwner) - handles_.free(kOwner); }

  private:
    void end_of_simulation() override { settle(); }

    static constexpr unsigned kOwner = 0;  ///< of handles
    using Shader = ShaderOf<GeometryShaderState>;

    /// A batch that came.
    struct Input {
        PrimitiveBatch* batch = nullptr;
        std::shared_ptr<Shader> shader;  ///< none: it goes on as it is
        UrbPartition part;
        std::size_t next_object = 0;  ///< not in a group yet, or not all its instances
        unsigned next_instance = 0;
        unsigned running = 0;    ///< groups whose threads have not ended
        unsigned groups = 0;     ///< whose output has not been taken
        unsigned made = 0;       ///< batches that have not ended
        bool read = false;       ///< nothing reads its vertices any more
        bool handed_on = false;  ///< all that came of it is in batches
    };
    /// A batch of its own.
    struct Made : PrimitiveBatch {
        Input* input = nullptr;
        std::vector<unsigned> entries;  ///< that it refers to
        bool holds_entries = false;
    };
    /// What a thread works on.
    struct Group : ShaderGroup {
        bool ended = false;  ///< what lies before its vertices is being read
        Input* input = nullptr;
        std::vector<GeometryInput> objects;
        unsigned first_instance = 0;
        unsigned channels = 0, taken = 0;  ///< entries, and those whose output has been taken
        std::array<unsigned, kGeometryChannels> entries{};
        std::array<std::uint32_t, kGeometryChannels> rows{};  ///< of the entries
        std::vector<std::uint32_t> before;  ///< of each entry, what lies before its vertices
        LineTraffic::Group output = 0;
    };

    void step();
    bool work(Cycles now);
    bool send(Cycles now);
    bool take_output(Cycles now);
    bool begin_group(Cycles now);
    bool take(Cycles now);

    /// False: nothing is made of the batch, and it is said why.
    bool can_shade(Input& input);
    GeometryInput input_of(const Input& input, const PrimitiveObject& object) const;
    /// Entries for the next group of the input; 0: they are not free yet.
    unsigned free_channels(const Input& input, Cycles now);
    void fill(Group& group, Input& input, unsigned channels);
    void threads_ended(Group& group);
    void take_entry(Group& group, unsigned channel, Cycles now);
    void object(const PrimitiveObject& object) override;
    Made& made_batch();
    std::uint32_t number_in_batch(std::uint32_t vertex);
    void close_batch();
    void release(unsigned entry, Cycles at);
    void give_up_entries(Made& made, Cycles at);
    void tell_if_read(Input& input);
    void end_if_over(Input& input, Cycles at);
    Cycles next() const;
    void make(Group& group, const ThreadGrant& grant, const ThreadFacts& facts,
              ThreadDispatch& thread);
    void count(const Input& input, std::uint64_t invocations, std::uint64_t primitives);
    void show(Cycles now, bool worked);

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    GeometryShaderParams params_;
    GeometryShaderStats stats_;
    GeometryShaderSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageStep step_{env_, wakeup_};
    ShaderThreads threads_;
    StageInput<PrimitiveProtocol> in_;
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};
    PassedBatches<PrimitiveProtocol> passed_{in_, out_};

    BatchPool<Input> input_pool_;
    std::deque<Input*> inputs_;  ///< at hand, in order: not all of their output is in batches
    BatchPool<Group> group_pool_;
    std::deque<Group*> groups_;  ///< whose output has not been taken, in order
    UrbHandles handles_;
    UrbPartition partition_;
    std::vector<unsigned> references_;  ///< of batches, and of the group, to each entry
    bool starved_ = false;              ///< the next group waits for entries
    Cycles output_free_;                ///< the next entry's output can be taken then

    // The entry whose output is being taken.
    const GeometryInput* source_ = nullptr;
    Input* source_input_ = nullptr;
    unsigned entry_ = 0;
    std::uint32_t first_vertex_row_ = 0, vertex_rows_ = 0;
    std::vector<std::uint32_t> places_;  ///< of its vertices in the batch

    BatchPool<Made> made_pool_;
    Made* made_ = nullptr;  ///< being filled
    std::deque<Made*> ready_;
    std::uint64_t sent_ = 0;  ///< batches
};

}  // namespace gen9::geometry
