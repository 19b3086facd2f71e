// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/stage_protocols.h"
#include "interconnect/kernel/thread_request_protocol.h"

namespace gen9::geometry {

struct VertexFetchSockets {
    AnyTarget<CommandProtocol>& command_in;  ///< from the command streamer
    AnyInitiator<MemoryProtocol>& mem_out;   ///< indices, vertices, URB entries
    AnyInitiator<PrimitiveProtocol>& batch_out;
};
/// Vertex fetch: the front end of the 3D pipe.
class VertexFetchBlock : public BlockWith<VertexFetchSockets> {
  public:
    /// Is told of draws; null: nobody is.
    WorkObserver* observer = nullptr;
    /// Draws under way.
    virtual std::vector<WorkRecord> unfinished() const = 0;

  protected:
    using BlockWith::BlockWith;
};

struct VertexShaderSockets {
    AnyTarget<PrimitiveProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< push constants, URB entries
    AnyInitiator<ThreadRequestProtocol>& request_out;
    AnyInitiator<PrimitiveProtocol>& batch_out;
};
struct VertexShaderSetup {
    ThreadTopology topology{};
};
/// Vertex shader stage.
class VertexShaderBlock : public BlockWith<VertexShaderSockets, VertexShaderSetup> {
  protected:
    using BlockWith::BlockWith;
};

struct GeometryShaderSockets {
    AnyTarget<PrimitiveProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< push constants, URB entries
    AnyInitiator<ThreadRequestProtocol>& request_out;
    AnyInitiator<PrimitiveProtocol>& batch_out;
};
struct GeometryShaderSetup {
    ThreadTopology topology{};
};
/// Geometry shader stage.
class GeometryShaderBlock : public BlockWith<GeometryShaderSockets, GeometryShaderSetup> {
  protected:
    using BlockWith::BlockWith;
};

struct StreamOutputSockets {
    AnyTarget<PrimitiveProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< URB entries, buffers, write offsets
    AnyInitiator<PrimitiveProtocol>& batch_out;
};
/// Stream output.
class StreamOutputBlock : public BlockWith<StreamOutputSockets> {
  protected:
    using BlockWith::BlockWith;
};

struct HullShaderSockets {
    AnyTarget<PrimitiveProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< push constants, control points in the URB
    AnyInitiator<ThreadRequestProtocol>& request_out;
    AnyInitiator<PrimitiveProtocol>& batch_out;  ///< patch records
};
struct HullShaderSetup {
    ThreadTopology topology{};
};
/// Hull shader stage.
class HullShaderBlock : public BlockWith<HullShaderSockets, HullShaderSetup> {
  protected:
    using BlockWith::BlockWith;
};

struct TessellationSockets {
    AnyTarget<PrimitiveProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< factors in patch records
    AnyInitiator<DomainProtocol>& batch_out;
};
/// Tessellation engine.
class TessellationBlock : public BlockWith<TessellationSockets> {
  protected:
    using BlockWith::BlockWith;
};

struct DomainShaderSockets {
    AnyTarget<DomainProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< push constants, patch records
    AnyInitiator<ThreadRequestProtocol>& request_out;
    AnyInitiator<PrimitiveProtocol>& batch_out;
};
struct DomainShaderSetup {
    ThreadTopology topology{};
};
/// Domain shader stage.
class DomainShaderBlock : public BlockWith<DomainShaderSockets, DomainShaderSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::geometry
