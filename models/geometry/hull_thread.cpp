// SPDX-License-Identifier: Apache-2.0
#include "geometry/hull_thread.h"

#include <algorithm>
#include <cstring>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"
#include "packets/draw/thread_payload.h"

namespace gen9::geometry {
namespace {

/// Of a register with handles.
constexpr unsigned kHandles = 8;

}  // namespace

unsigned HullShaderState::patches() const {
    switch (mode) {
        case HullMode::DualPatch:
            return 2;
        case HullMode::EightPatch:
            return 8;
        default:
            return 1;
    }
}

unsigned HullShaderState::header_registers(unsigned points) const {
    switch (mode) {
        case HullMode::DualPatch:
            return 1 + (include_primitive_id ? 1 : 0) + (include_handles ? 1 : 0);
        case HullMode::EightPatch:
            return 2 + (include_primitive_id ? 1 : 0) + (include_handles ? points : 0);
        default:
            return 1 + (include_handles ? (points + kHandles - 1) / kHandles : 0);
    }
}

unsigned HullShaderState::all_registers(unsigned points) const {
    const unsigned registers_of_row = mode == HullMode::EightPatch  ? 8
                                      : mode == HullMode::DualPatch ? 2
                                                                    : 1;
    return std::max<unsigned>(start, header_registers(points)) + constant_rows +
           registers_of_row * read_rows * points;
}

unsigned HullShaderState::registers(unsigned points) const {
    return std::min<unsigned>(all_registers(points), kGrfCount);
}

HullShaderState decode_hull_shader(const PipelineState& pipeline, bool absolute_constants,
                                   std::vector<std::string>& problems) {
    namespace hs = packets::STATE_HS;
    HullShaderState out{decode_shader(pipeline, packets::Unit::Hs, absolute_constants, problems)};
    if (!out.enabled) return out;
    const auto given = latched(pipeline, shader_commands(packets::Unit::Hs).shader);
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(given));
    };
    const std::uint32_t mode = value(hs::DispatchMode);
    if (mode > static_cast<std::uint32_t>(HullMode::EightPatch))
        problems.emplace_back("has a dispatch mode that is none; it is given one patch");
    else
        out.mode = static_cast<HullMode>(mode);
    out.include_primitive_id = value(hs::IncludePrimitiveID);
    out.include_handles = value(hs::IncludeVertexHandles);
    out.instances = value(hs::InstanceCount) + 1;
    if (out.mode == HullMode::DualPatch && out.instances != 1) {
        problems.emplace_back("of two patches has instances; there is one");
        out.instances = 1;
    }
    // They run at the same time.
    if (out.max_threads < out.instances) {
        problems.emplace_back("has " + std::to_string(out.instances) + " instances, but only " +
                              std::to_string(out.max_threads) +
                              " threads may run; all of them run");
        out.max_threads = out.instances;
    }
    return out;
}

void make_hull_thread(const HullShaderState& shader, const ThreadFacts& facts, const HullWork& work,
                      const ThreadTopology& topology, const ThreadPlace& place,
                      ThreadDispatch& dispatch) {
    namespace header = packets::HULL_PAYLOAD_HEADER;
    const auto patches = static_cast<unsigned>(work.patches.size());
    ThreadPayload payload(shader, packets::Unit::Hs, facts, topology, place,
                          shader.header_registers(work.points), shader.registers(work.points),
                          dispatch);
    payload.put(0, header::InstanceNumber, work.instance);
    payload.put(0, header::BarrierIndex, work.barrier);
    // HS-18: the inputs are given up with the last instance.
    payload.put(0, header::DereferenceThread, work.instance + 1 == shader.instances);
    const auto handle = [&](unsigned patch, unsigned point) {
        return urb_handle(work.point_rows[std::size_t{patch} * work.points + point]);
    };
    const std::size_t point_bytes = std::size_t{shader.read_rows} * kGrfBytes;
    const std::size_t patch_bytes = work.points * point_bytes;
    unsigned next = 1;  // register

    switch (shader.mode) {
        case HullMode::SinglePatch:
            dispatch.dispatch_mask = 0xFF;
            payload.put(0, 0, urb_handle(work.patches[0].record_row));
            payload.put(0, 1, work.patches[0].primitive_id);
            if (shader.include_handles)
                for (unsigned point = 0; point < work.points; ++point)
                    payload.put(next + point / kHandles, point % kHandles, handle(0, point));
            payload.put_linear(work.data);
            break;
        case HullMode::DualPatch: {
            dispatch.dispatch_mask = (1u << (4 * patches)) - 1;
            for (unsigned patch = 0; patch < patches; ++patch) {
                payload.put(0, patch, urb_handle(work.patches[patch].record_row));
                if (shader.include_primitive_id)
                    payload.put(next, 4 * patch, work.patches[patch].primitive_id);
            }
            if (shader.include_primitive_id) ++next;
            if (shader.include_handles)
                for (unsigned patch = 0; patch < patches; ++patch)
                    for (unsigned point = 0; point < std::min(work.points, 4u); ++point)
                        payload.put(next, 4 * patch + point, handle(patch, point));
            payload.put_interleaved(work.data, patch_bytes);
            break;
        }
        case HullMode::EightPatch: {
            dispatch.dispatch_mask = (1u << patches) - 1;
            for (unsigned patch = 0; patch < patches; ++patch) {
                payload.put(next, patch, urb_handle(work.patches[patch].record_row));
                if (shader.include_primitive_id)
                    payload.put(next + 1, patch, work.patches[patch].primitive_id);
            }
            next += shader.include_primitive_id ? 2 : 1;
            if (shader.include_handles)
                for (unsigned patch = 0; patch < patches; ++patch)
                    for (unsigned point = 0; point < work.points; ++point)
                        payload.put(next + point, patch, handle(patch, point));
            std::vector<std::uint8_t> of_point(patches * point_bytes);
            for (unsigned point = 0; point < work.points; ++point) {
                for (unsigned patch = 0; patch < patches; ++patch)
                    std::copy_n(work.data.data() + patch * patch_bytes + point * point_bytes,
                                point_bytes, of_point.data() + patch * point_bytes);
                payload.put_channels(of_point, shader.read_rows, patches);
            }
            break;
        }
    }
}

}  // namespace gen9::geometry
