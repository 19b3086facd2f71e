// SPDX-License-Identifier: Apache-2.0
/// DomainShader: domain shader stage (module half; what a thread is, is in domain_thread.h).
/// Role     has the points of patches shaded by threads, eight of a patch at a time or four of each
///          of two patches, each into a URB entry of its own, and hands on batches of objects when
///          their threads have ended
/// Sockets  batch_in     target     DomainBatch     from the tessellation engine
///          mem_out      initiator  memory          push constants, patch records in the URB
///          request_out  initiator  ThreadRequest   to the thread dispatcher
///          batch_out    initiator  PrimitiveBatch  to the next stage
/// Params   params.h
/// Order    batches and objects in order; threads are asked for in the order of points
/// Not here where points lie (tessellator.h)
/// Spec     DS-01..DS-04, DS-06, TE-14, FF-41..43; 003:12787-13029
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "geometry/domain_thread.h"
#include "geometry/shader_stage.h"
#include "geometry/urb_partition.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::geometry {

struct DomainInput : ShaderInput<DomainBatch, DomainShaderState> {
    std::size_t next_object = 0;
    std::uint32_t patch = 0;  ///< at hand: number in the batch
    bool begun = false;
};

class DomainShader final
    : public OwningShaderStage<DomainShaderBlock, DomainProtocol, DomainShaderParams,
                               DomainShaderStats, DomainInput> {
  public:
    DomainShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                 const ShaderSetup& setup);
    ~DomainShader() override;

  private:
    static constexpr unsigned kMaxVertices = 3;
    /// The place of an entry's vertex.
    struct Vertex {
        std::uint64_t batch = 0;   ///< the last that it was put into, by number
        std::uint32_t number = 0;  ///< in that batch
    };
    struct Part {
        DomainPatch patch;
        unsigned count = 0;
        std::array<DomainPoint, kThreadPoints> points{};
        std::array<std::uint32_t, kThreadPoints> rows{};

        void add(const DomainPoint& point, std::uint32_t row) {
            points[count] = point;
            rows[count++] = row;
        }
    };
    struct Group : ShaderGroup {
        Batch* batch = nullptr;
        std::array<Part, 2> parts;
        unsigned patches = 0;  ///< parts in use
    };
    /// To be sent: a batch that passes, or vertices.
    struct Output {
        PrimitiveBatch* batch;
        Batch* own;         ///< null: it passes
        DomainBatch* came;  ///< around it, if it passes
    };

    bool work(Cycles now) override;
    bool send(Cycles now);
    bool take(Cycles now);
    bool make_objects(Cycles now);
    /// False: nothing comes of the batch, which is reported.
    bool begin(DomainInput& input, Cycles now);
    bool hand_on(DomainInput& input, Cycles now);
    bool make_object(DomainInput& input, Cycles now);
    /// The entry of a point, found or new; nothing: none is free.
    std::optional<unsigned> entry_of(DomainInput& input, const DomainPoint& point, Cycles now);
    /// True: an entry is free.
    bool make_room(Cycles now);
    void drop_oldest(Cycles now);
    void shade(DomainInput& input, const DomainPoint& point, unsigned entry);
    Group& open_group(DomainInput& input);
    /// The patch has no more points.
    void end_patch();
    void close_group();
    void close_batch();
    Batch& batch_for(DomainInput& input);
    void clear_cache(Cycles now);
    bool stuck() const;
    void all_made(DomainInput& input, Cycles now);
    void make_thread(ShaderGroup& group, const ThreadGrant& grant, const ThreadFacts& facts,
                     ThreadDispatch& thread) override;
    void threads_ended(ShaderGroup& group) override;
    std::size_t at_hand() const override { return inputs_.size() + outputs_.size(); }
    const Draw* first_draw() const override;

    ObjectPool<Group> group_pool_;
    std::deque<Output> outputs_;  ///< in order; the last may be the one that is filled
    Group* group_ = nullptr;      ///< points that more may join
    bool held_ = false;           ///< they are of an earlier patch, and wait for a second one
    std::uint64_t batches_made_ = 0;
    std::vector<Vertex> vertices_;  ///< by entry
    /// Points of the patch at hand, by u and v. It refers to their entries.
    std::unordered_map<std::uint64_t, unsigned> cache_;
    std::deque<std::uint64_t> cached_;  ///< in the order in which they came
    /// Entries found so far, of the object at hand, which refers to them.
    std::array<std::optional<unsigned>, kMaxVertices> object_;
};

}  // namespace gen9::geometry
