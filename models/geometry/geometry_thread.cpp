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
    const unsigned of_register = shader.shares_object() ? 8 : shader.simd8() ? 1 : 4;
    return (shader.expected_vertices + of_register - 1) / of_register;
}

unsigned all_registers(const GeometryShaderState& shader) {
    const unsigned each = shader.shares_object() ? 1 : shader.channels();
    return std::max<unsigned>(shader.start, shader.header_registers()) + shader.constant_rows +
           each * shader.expected_vertices * shader.read_rows;
}

/// Tells where the header has what belongs to each of a thread's objects or instances.
struct HeaderLayout {
    unsigned output;  ///< register with the handles of output entries
    unsigned next;    ///< register behind it
    unsigned stride;  ///< channels of each, and DWords of a register that belong to each
};
constexpr HeaderLayout kSimd8Header{1, 2, 1}, kSimd4x2Header{0, 1, 4};

}  // namespace

unsigned GeometryShaderState::header_registers() const {
    return (simd8() ? kSimd8Header : kSimd4x2Header).next + include_primitive_id +
           handle_registers(*this);
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
    const HeaderLayout& layout = shader.simd8() ? kSimd8Header : kSimd4x2Header;
    dispatch.dispatch_mask = (1u << layout.stride * count) - 1;
    ThreadPayload payload(shader, packets::Unit::Gs, facts, topology, place,
                          shader.header_registers(), shader.registers(), dispatch);
    const auto objects = static_cast<unsigned>(channels.objects.size());
    const GeometryInput& first = channels.objects.front();
    payload.put(0, packets::GEOMETRY_PAYLOAD_HEADER::Hint, shader.hint);
    payload.put(0, packets::GEOMETRY_PAYLOAD_HEADER::Topology,
                static_cast<std::uint32_t>(first.topology));
    namespace output = packets::GEOMETRY_PAYLOAD_OUTPUT;
    const bool shared = shader.shares_object();
    for (unsigned n = 0; n < count; ++n) {
        const unsigned instance = channels.first_instance + (shared ? n : 0);
        payload.put(layout.output, output::ReturnHandle.at(n), urb_handle(channels.outputs[n]));
        payload.put(layout.output, output::InstanceId.at(n), instance);
    }
    unsigned next = layout.next;
    if (shader.include_primitive_id) {
        // In SIMD8 each channel has the number, of a shared object as well; else each object.
        const unsigned numbers = shader.simd8() ? count : objects;
        for (unsigned n = 0; n < numbers; ++n)
            payload.put(next, layout.stride * n, channels.objects[shared ? 0 : n].primitive_id);
        ++next;
    }
    if (shader.include_handles)
        for (unsigned v = 0; v < first.count; ++v) {
            if (shared) {
                payload.put(next + v / 8, v % 8, urb_handle(first.urb_rows[v]));
                continue;
            }
            for (unsigned n = 0; n < objects; ++n)
                payload.put(next + v / layout.stride, layout.stride * n + v % layout.stride,
                            urb_handle(channels.objects[n].urb_rows[v]));
        }
    if (shared) return payload.put_linear(channels.data);
    const std::size_t entry = std::size_t{shader.read_rows} * kGrfBytes, bytes = objects * entry;
    for (unsigned v = 0; v < first.count; ++v) {
        const auto of_vertex = channels.data.subspan(v * bytes, bytes);
        if (shader.simd8())
            payload.put_channels(of_vertex, shader.read_rows, objects);
        else
            payload.put_interleaved(of_vertex, entry);
    }
}

}  // namespace gen9::geometry
