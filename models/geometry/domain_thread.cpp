// SPDX-License-Identifier: Apache-2.0
#include "geometry/domain_thread.h"

#include <algorithm>
#include <bit>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

unsigned header_registers(const DomainShaderState& shader) {
    return shader.simd8 ? 5 : 2;
}
unsigned all_registers(const DomainShaderState& shader) {
    return std::max<unsigned>(shader.start, header_registers(shader)) + shader.constant_rows +
           shader.read_rows;
}

}  // namespace

unsigned DomainShaderState::registers() const {
    return std::min<unsigned>(all_registers(*this), kGrfCount);
}

DomainShaderState decode_domain_shader(const PipelineState& pipeline, bool absolute_constants,
                                       std::vector<std::string>& problems) {
    namespace ds = packets::STATE_DS;
    DomainShaderState out{decode_shader(pipeline, packets::Unit::Ds, absolute_constants, problems)};
    if (!out.enabled) return out;
    const auto given = latched(pipeline, shader_commands(packets::Unit::Ds).shader);
    // A thread that may have two patches always has one (DS-03).
    out.simd8 = ds::DispatchMode.get(given) != 0;
    out.compute_w = ds::ComputeWCoordinateEnable.get(given);
    out.cache = !ds::CacheDisable.get(given);
    check_registers(out, header_registers(out), all_registers(out),
                    out.constant_rows + out.read_rows != 0, problems);
    return out;
}

void make_domain_thread(const DomainShaderState& shader, const ThreadFacts& facts,
                        const DomainWork& work, const ThreadTopology& topology,
                        const ThreadPlace& place, ThreadDispatch& dispatch) {
    const auto count = static_cast<unsigned>(work.points.size());
    const auto w_of = [&](const DomainPoint& point) {
        return shader.compute_w ? 1 - point.u - point.v : 0;
    };
    ThreadPayload payload(shader, packets::Unit::Ds, facts, topology, place,
                          header_registers(shader), shader.registers(), dispatch);
    if (!shader.simd8) {  // DS-07
        dispatch.dispatch_mask = (1u << 4 * count) - 1;
        for (unsigned n = 0; n < count; ++n) {
            const DomainPoint& point = work.points[n];
            payload.put(0, n, urb_handle(work.vertex_rows[n]));
            payload.put(1, 4 * n, std::bit_cast<std::uint32_t>(point.u));
            payload.put(1, 4 * n + 1, std::bit_cast<std::uint32_t>(point.v));
            payload.put(1, 4 * n + 2, std::bit_cast<std::uint32_t>(w_of(point)));
        }
        payload.put(1, 3, urb_handle(work.patch.record_row));
        payload.put(1, 7, work.patch.primitive_id);
        payload.put_linear(work.record);
        return;
    }
    dispatch.dispatch_mask = (1u << count) - 1;
    payload.put(0, 0, urb_handle(work.patch.record_row));
    payload.put(0, 1, work.patch.primitive_id);
    for (unsigned n = 0; n < count; ++n) {
        const DomainPoint& point = work.points[n];
        payload.put(1, n, std::bit_cast<std::uint32_t>(point.u));
        payload.put(2, n, std::bit_cast<std::uint32_t>(point.v));
        payload.put(3, n, std::bit_cast<std::uint32_t>(w_of(point)));
        payload.put(4, n, urb_handle(work.vertex_rows[n]));
    }
    payload.put_linear(work.record);
}

}  // namespace gen9::geometry
