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

/// A stage with shader threads. `In`: the protocol of what comes.
template <class In>
struct ShaderSockets {
    AnyTarget<In>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< push constants, URB entries
    AnyInitiator<ThreadRequestProtocol>& request_out;
    AnyInitiator<PrimitiveProtocol>& batch_out;
};
struct ShaderSetup {
    ThreadTopology topology{};
};
/// Vertex shader stage.
class VertexShaderBlock : public BlockWith<ShaderSockets<PrimitiveProtocol>, ShaderSetup> {
  protected:
    using BlockWith::BlockWith;
};

/// Geometry shader stage.
class GeometryShaderBlock : public BlockWith<ShaderSockets<PrimitiveProtocol>, ShaderSetup> {
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

/// Hull shader stage. The vertices of its batches are patch records.
class HullShaderBlock : public BlockWith<ShaderSockets<PrimitiveProtocol>, ShaderSetup> {
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

/// Domain shader stage.
class DomainShaderBlock : public BlockWith<ShaderSockets<DomainProtocol>, ShaderSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::geometry
