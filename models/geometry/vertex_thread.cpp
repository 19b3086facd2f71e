// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_thread.h"

#include <algorithm>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

unsigned header_registers(const VertexShaderState& shader) {
    return shader.simd8 ? 2 : 1;
}
unsigned all_registers(const VertexShaderState& shader) {
    return std::max<unsigned>(shader.start, header_registers(shader)) + shader.constant_rows +
           (shader.simd8 ? 8 : 2) * shader.read_rows;
}

}  // namespace

unsigned VertexShaderState::registers() const {
    return std::min<unsigned>(all_registers(*this), kGrfCount);
}

VertexShaderState decode_vertex_shader(const PipelineState& pipeline, bool absolute_constants,
                                       std::vector<std::string>& problems) {
    VertexShaderState out{decode_shader(pipeline, packets::Unit::Vs, absolute_constants, problems)};
    if (!out.enabled) return out;
    const auto given = latched(pipeline, shader_commands(packets::Unit::Vs).shader);
    out.simd8 = packets::STATE_VS::SIMD8DispatchEnable.get(given);
    out.single = packets::STATE_VS::SingleVertexDispatch.get(given);
    check_registers(out, header_registers(out), all_registers(out),
                    out.constant_rows + out.read_rows != 0, problems);
    return out;
}

void make_vertex_thread(const VertexShaderState& shader, const ThreadFacts& facts,
                        std::span<const std::uint32_t> urb_rows, std::span<const std::uint8_t> data,
                        const ThreadTopology& topology, const ThreadPlace& place,
                        ThreadDispatch& dispatch) {
    const auto count = static_cast<unsigned>(urb_rows.size());
    ThreadPayload payload(shader, packets::Unit::Vs, facts, topology, place,
                          header_registers(shader), shader.registers(), dispatch);
    if (!shader.simd8) {
        dispatch.dispatch_mask = (1u << 4 * count) - 1;
        for (unsigned n = 0; n < count; ++n)
            payload.put(0, n, urb_handle(urb_rows[n]));
        payload.put_interleaved(data, std::size_t{shader.read_rows} * kGrfBytes);
        return;
    }
    dispatch.dispatch_mask = (1u << count) - 1;
    for (unsigned n = 0; n < count; ++n)
        payload.put(1, n, urb_handle(urb_rows[n]));
    payload.put_channels(data, shader.read_rows, count);
}

}  // namespace gen9::geometry
