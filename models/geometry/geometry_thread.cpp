// SPDX-License-Identifier: Apache-2.0
#include "geometry/geometry_thread.h"

#include <algorithm>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"
#include "packets/draw/thread_payload.h"

namespace gen9::geometry {
namespace {

/// Registers with the handles of an object's vertices.
unsigned handle_registers(const GeometryShaderState& shader) {
    if (!shader.include_handles) return 0;
    return shader.instances == 1 ? shader.expected_vertices : (shader.expected_vertices + 7) / 8;
}

unsigned all_registers(const GeometryShaderState& shader) {
    const unsigned each = shader.instances == 1 ? kGeometryChannels : 1;
    return std::max<unsigned>(shader.start, shader.header_registers()) + shader.constant_rows +
           each * shader.expected_vertices * shader.read_rows;
}

}  // namespace

unsigned GeometryShaderState::header_registers() const {
    return 2 + include_primitive_id + handle_registers(*this);
}

unsigned GeometryShaderState::registers() const {
    return std::min<unsigned>(all_registers(*this), kGrfCount);
}

GeometryShaderState decode_geometry_shader(const PipelineState& pipeline, bool absolute_constants,
                                           std::vector<std::string>& problems) {
    namespace gs = packets::STATE_GS;
    GeometryShaderState out{
        decode_shader(pipeline, packets::Unit::Gs, absolute_constants, problems)};
    if (!out.enabled) return out;
    const auto given = latched(pipeline, shader_commands(packets::Unit::Gs).shader);
    const auto value = [&](const packets::Field& field) {
        return static_cast<unsigned>(field.get(given));
    };
    out.dispatch = static_cast<GeometryDispatch>(value(gs::DispatchMode));
    // No object has more.
    out.expected_vertices = std::min(value(gs::ExpectedVertexCount), kMaxObjectVertices + 1);
    out.include_handles = value(gs::IncludeVertexHandles);
    out.include_primitive_id = value(gs::IncludePrimitiveID);
    out.discard_adjacency = value(gs::DiscardAdjacency);
    out.hint = value(gs::Hint);
    out.reorder = static_cast<ReorderMode>(value(gs::ReorderMode));
    out.instances = value(gs::InstanceControl) + 1;
    out.counted = value(gs::InvocationsIncrementValue) + 1;
    out.output = static_cast<Topology>(value(gs::OutputTopology));
    out.vertex_bytes = 16 * (value(gs::OutputVertexSize) + 1);
    out.control_rows = value(gs::ControlDataHeaderSize);
    out.stream_bits = value(gs::ControlDataFormat);
    out.static_count = value(gs::StaticOutput);
    out.vertex_count = value(gs::StaticOutputVertexCount);
    out.stream = static_cast<std::uint8_t>(value(gs::DefaultStreamId));
    check_registers(out, out.header_registers(), all_registers(out),
                    out.constant_rows + out.read_rows != 0, problems);
    return out;
}

void make_geometry_thread(const GeometryShaderState& shader, const ThreadFacts& facts,
                          const GeometryChannels& channels, const ThreadTopology& topology,
                          const ThreadPlace& place, ThreadDispatch& dispatch) {
    const auto count = static_cast<unsigned>(channels.outputs.size());
    dispatch.dispatch_mask = (1u << count) - 1;
    ThreadPayload payload(shader, packets::Unit::Gs, facts, topology, place,
                          shader.header_registers(), shader.registers(), dispatch);
    const auto objects = static_cast<unsigned>(channels.objects.size());
    const GeometryInput& first = channels.objects.front();
    payload.put(0, packets::GEOMETRY_PAYLOAD_HEADER::Hint, shader.hint);
    payload.put(0, packets::GEOMETRY_PAYLOAD_HEADER::Topology,
                static_cast<std::uint32_t>(first.topology));
    namespace output = packets::GEOMETRY_PAYLOAD_OUTPUT;
    const bool instanced = shader.instances > 1;
    for (unsigned n = 0; n < count; ++n) {
        const unsigned instance = channels.first_instance + (instanced ? n : 0);
        payload.put(1, output::ReturnHandle.at(n), urb_handle(channels.outputs[n]));
        payload.put(1, output::InstanceId.at(n), instance);
    }
    unsigned next = 2;
    if (shader.include_primitive_id) {
        for (unsigned n = 0; n < count; ++n)
            payload.put(next, n, channels.objects[instanced ? 0 : n].primitive_id);
        ++next;
    }
    if (shader.include_handles)
        for (unsigned v = 0; v < first.count; ++v) {
            if (instanced) {
                payload.put(next + v / 8, v % 8, urb_handle(first.urb_rows[v]));
                continue;
            }
            for (unsigned n = 0; n < objects; ++n)
                payload.put(next + v, n, urb_handle(channels.objects[n].urb_rows[v]));
        }
    if (instanced) return payload.put_linear(channels.data);
    const std::size_t bytes = std::size_t{objects} * shader.read_rows * kGrfBytes;
    for (unsigned v = 0; v < first.count; ++v)
        payload.put_channels(channels.data.subspan(v * bytes, bytes), shader.read_rows, objects);
}

}  // namespace gen9::geometry
