// SPDX-License-Identifier: Apache-2.0
#include "geometry/domain_thread.h"

#include <algorithm>
#include <bit>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

unsigned header_registers(const DomainShaderState& shader, unsigned patches) {
    return patches == 2 ? 6 : shader.simd8 ? 5 : 2;
}
unsigned all_registers(const DomainShaderState& shader, unsigned patches) {
    return std::max<unsigned>(shader.start, header_registers(shader, patches)) +
           shader.constant_rows + patches * shader.read_rows;
}

}  // namespace

unsigned DomainShaderState::registers(unsigned patches) const {
    return std::min<unsigned>(all_registers(*this, patches), kGrfCount);
}

DomainShaderState decode_domain_shader(const PipelineState& pipeline, bool absolute_constants,
                                       std::vector<std::string>& problems) {
    namespace ds = packets::STATE_DS;
    DomainShaderState out{decode_shader(pipeline, packets::Unit::Ds, absolute_constants, problems)};
    if (!out.enabled) return out;
    const auto given = latched(pipeline, shader_commands(packets::Unit::Ds).shader);
    constexpr std::uint64_t kSingleOrDual = 2;
    out.simd8 = ds::DispatchMode.get(given) != 0;
    out.may_be_dual = ds::DispatchMode.get(given) == kSingleOrDual;
    out.dual_kernel = static_cast<std::uint32_t>(ds::DUALPATCHKernelStartPointer.get(given));
    out.dual_kernel_start = pipeline.instruction_base + out.dual_kernel;
    out.compute_w = ds::ComputeWCoordinateEnable.get(given);
    out.cache = !ds::CacheDisable.get(given);
    const unsigned patches = out.may_be_dual ? 2 : 1;
    check_registers(out, header_registers(out, patches), all_registers(out, patches),
                    out.constant_rows + out.read_rows != 0, problems);
    return out;
}

void make_domain_thread(const DomainShaderState& shader, const ThreadFacts& facts,
                        const DomainWork& work, const ThreadTopology& topology,
                        const ThreadPlace& place, ThreadDispatch& dispatch) {
    const auto patches = static_cast<unsigned>(work.parts.size());
    const DomainPart& first = work.parts.front();
    const auto w_of = [&](const DomainPoint& point) {
        return shader.compute_w ? 1 - point.u - point.v : 0;
    };
    ThreadPayload payload(shader, packets::Unit::Ds, facts, topology, place,
                          header_registers(shader, patches), shader.registers(patches), dispatch);
    if (!shader.simd8) {  // DS-07
        const auto count = static_cast<unsigned>(first.points.size());
        dispatch.dispatch_mask = (1u << 4 * count) - 1;
        for (unsigned n = 0; n < count; ++n) {
            const DomainPoint& point = first.points[n];
            payload.put(0, n, urb_handle(first.vertex_rows[n]));
            payload.put(1, 4 * n, std::bit_cast<std::uint32_t>(point.u));
            payload.put(1, 4 * n + 1, std::bit_cast<std::uint32_t>(point.v));
            payload.put(1, 4 * n + 2, std::bit_cast<std::uint32_t>(w_of(point)));
        }
        payload.put(1, 3, urb_handle(first.patch.record_row));
        payload.put(1, 7, first.patch.primitive_id);
        payload.put_linear(work.records);
        return;
    }
    const bool dual = patches == 2;
    dispatch.dispatch_mask = 0;
    for (unsigned part = 0; part < patches; ++part) {
        const auto& [patch, points, vertex_rows] = work.parts[part];
        payload.put(0, part, urb_handle(patch.record_row));
        if (dual)
            payload.put(1, kDualPoints * part, patch.primitive_id);
        else
            payload.put(0, 1, patch.primitive_id);
        for (unsigned n = 0; n < points.size(); ++n) {
            const unsigned channel = kDualPoints * part + n, at = dual ? 2 : 1;
            dispatch.dispatch_mask |= 1u << channel;
            payload.put(at, channel, std::bit_cast<std::uint32_t>(points[n].u));
            payload.put(at + 1, channel, std::bit_cast<std::uint32_t>(points[n].v));
            payload.put(at + 2, channel, std::bit_cast<std::uint32_t>(w_of(points[n])));
            payload.put(at + 3, channel, urb_handle(vertex_rows[n]));
        }
    }
    if (!dual) return payload.put_linear(work.records);
    dispatch.instruction_pointer = shader.dual_kernel;
    dispatch.sideband.kernel_start = shader.dual_kernel_start;
    payload.put_interleaved(work.records, std::size_t{shader.read_rows} * kGrfBytes);
}

}  // namespace gen9::geometry
