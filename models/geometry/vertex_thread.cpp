// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_thread.h"

#include <algorithm>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

constexpr unsigned kVertexHeader = 2;

unsigned all_registers(const VertexShaderState& shader) {
    return std::max<unsigned>(shader.start, kVertexHeader) + shader.constant_rows +
           kThreadVertices * shader.read_rows;
}

}  // namespace

unsigned VertexShaderState::registers() const {
    return std::min<unsigned>(all_registers(*this), kGrfCount);
}

VertexShaderState decode_vertex_shader(const PipelineState& pipeline, bool absolute_constants,
                                       std::vector<std::string>& problems) {
    VertexShaderState out{decode_shader(pipeline, packets::Unit::Vs, absolute_constants, problems)};
    if (!out.enabled) return out;
    out.simd8 = packets::STATE_VS::SIMD8DispatchEnable.get(
        latched(pipeline, shader_commands(packets::Unit::Vs).shader));
    check_registers(out, kVertexHeader, all_registers(out), out.constant_rows + out.read_rows != 0,
                    problems);
    return out;
}

void make_vertex_thread(const VertexShaderState& shader, const ThreadFacts& facts,
                        std::span<const std::uint32_t> urb_rows, std::span<const std::uint8_t> data,
                        const ThreadTopology& topology, const ThreadPlace& place,
                        ThreadDispatch& dispatch) {
    const auto count = static_cast<unsigned>(urb_rows.size());
    dispatch.dispatch_mask = (1u << count) - 1;
    ThreadPayload payload(shader, packets::Unit::Vs, facts, topology, place, kVertexHeader,
                          shader.registers(), dispatch);
    for (unsigned n = 0; n < count; ++n)
        payload.put(1, n, urb_handle(urb_rows[n]));
    payload.put_channels(data, shader.read_rows, count);
}

}  // namespace gen9::geometry
