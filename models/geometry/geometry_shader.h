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
#include <vector>

#include "geometry/geometry_output.h"
#include "geometry/shader_stage.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::geometry {

/// A batch of objects. Without a shader it goes on as it is.
struct GeometryShaderInput : ShaderInput<PrimitiveBatch, GeometryShaderState> {
    std::size_t next_object = 0;  ///< not in a group yet, or not all its instances
    unsigned next_instance = 0;
    unsigned groups = 0;  ///< whose output has not been taken
    bool read = false;    ///< nothing reads its vertices any more
};

class GeometryShader final
    : public OwningShaderStage<GeometryShaderBlock, PrimitiveProtocol, GeometryShaderParams,
                               GeometryShaderStats, GeometryShaderInput>,
      private ObjectSink {
  public:
    GeometryShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                   const ShaderSetup& setup);
    ~GeometryShader() override;

    std::uint64_t progress() const override {
        return OwningShaderStage::progress() + stats_.vertices.value();
    }

  private:
    using Input = GeometryShaderInput;
    /// A thread works on these objects, or on instances of one.
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

    bool work(Cycles now) override;
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
    void take_entry(Group& group, unsigned channel, Cycles now);
    void object(const PrimitiveObject& object) override;
    std::uint32_t number_in_batch(std::uint32_t vertex);
    void close_batch();
    void tell_if_read(Input& input);
    void count(const Input& input, std::uint64_t invocations, std::uint64_t primitives);
    void make_thread(ShaderGroup& group, const ThreadGrant& grant, const ThreadFacts& facts,
                     ThreadDispatch& thread) override;
    void threads_ended(ShaderGroup& group) override;
    std::size_t at_hand() const override { return inputs_.size(); }
    const Draw* first_draw() const override {
        return inputs_.empty() ? nullptr : inputs_.front()->batch->draw;
    }
    StageActivity waits_for(Cycles now) const override;
    void heard(PrimitiveBatch& batch, bool ended, Cycles at) override;
    void wake(Cycles now) override;

    ObjectPool<Group> group_pool_;
    std::deque<Group*> groups_;  ///< whose output has not been taken, in order
    Cycles output_free_;         ///< the next entry's output can be taken then
    std::deque<Batch*> ready_;   ///< to be sent

    // The entry whose output is being taken.
    const GeometryInput* source_ = nullptr;
    Input* source_input_ = nullptr;
    unsigned entry_ = 0;
    std::uint32_t first_vertex_row_ = 0, vertex_bytes_ = 0;
    std::vector<std::uint32_t> places_;  ///< of its vertices in the batch
};

}  // namespace gen9::geometry
