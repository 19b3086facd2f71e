// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_thread.h"

#include <algorithm>
#include <cstring>

#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

/// Assumed: the seeds give FFID codes for no unit.
constexpr std::uint8_t kFfid = 1;
/// All constants of a stage (FF-81).
constexpr std::uint32_t kMaxConstantRows = 64;
constexpr unsigned kHeaderRegisters = 2;
constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << 48) - 1;

StageState::Dwords command(const StageState& state, const packets::CommandRow& row) {
    return state.command(row);
}

}  // namespace

unsigned VertexShaderState::registers() const {
    const unsigned all =
        std::max<unsigned>(start, kHeaderRegisters) + constant_rows + kThreadVertices * read_rows;
    return std::min<unsigned>(all, kGrfCount);
}

VertexShaderState decode_vertex_shader(const PipelineState& pipeline, bool absolute_constants,
                                       std::vector<std::string>& problems) {
    namespace vs = packets::STATE_VS;
    namespace body = packets::STATE_CONSTANT_BODY;
    static const auto& vs_row = packets::command_named("3DSTATE_VS");
    static const auto& constant_row = packets::command_named("3DSTATE_CONSTANT_VS");
    static const auto& table_row = packets::command_named("3DSTATE_BINDING_TABLE_POINTERS_VS");
    static const auto& sampler_row = packets::command_named("3DSTATE_SAMPLER_STATE_POINTERS_VS");
    VertexShaderState out;
    const StageState* const state = pipeline.stage(packets::Unit::Vs);
    if (!state) return out;
    const auto given = command(*state, vs_row);
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(given));
    };
    out.enabled = value(vs::Enable);
    out.statistics = value(vs::StatisticsEnable);
    if (!out.enabled) return out;
    out.simd8 = value(vs::SIMD8DispatchEnable);
    out.kernel = value(vs::KernelStartPointer);  // bits 47:32 are ignored (FF-05)
    out.kernel_start = pipeline.instruction_base + out.kernel;
    out.alternate_float = value(vs::FloatingPointMode);
    out.vector_mask = value(vs::VectorMaskEnable);
    out.illegal_opcode_exception = value(vs::IllegalOpcodeExceptionEnable);
    out.software_exception = value(vs::SoftwareExceptionEnable);
    out.high_priority = value(vs::ThreadDispatchPriority);
    out.max_threads = value(vs::MaximumNumberOfThreads) + 1;
    out.binding_table = static_cast<std::uint32_t>(
        packets::STATE_BINDING_TABLE_POINTERS::PointerToVSBindingTable.get(
            command(*state, table_row)));
    out.samplers = static_cast<std::uint32_t>(
        packets::STATE_SAMPLER_STATE_POINTERS::PointerToVSSamplerState.get(
            command(*state, sampler_row)));
    out.scratch_base = value(vs::ScratchSpaceBasePointer);
    out.scratch_code = static_cast<std::uint8_t>(value(vs::PerThreadScratchSpace));
    out.start = static_cast<std::uint8_t>(value(vs::DispatchGRFStartRegisterForURBData));
    out.read_offset = value(vs::VertexURBEntryReadOffset);
    out.read_rows = value(vs::VertexURBEntryReadLength);

    const auto constants = command(*state, constant_row);
    if (!constants.empty()) {
        const auto mocs = static_cast<std::uint8_t>(packets::STATE_CONSTANT::MOCS.get(constants));
        for (unsigned i = 0; i < out.constants.size(); ++i) {
            const auto rows =
                static_cast<std::uint32_t>(body::ReadLength.at(i).get(constants.subspan(1)));
            if (rows == 0) continue;
            if (out.constant_rows + rows > kMaxConstantRows) {
                problems.emplace_back(
                    "has more than 2 KB of push constants; the rest is not loaded");
                break;
            }
            GpuAddr address(body::Buffer.at(i).get(constants.subspan(1)));
            if (i == 0 && !absolute_constants)
                address = pipeline.dynamic_state_base + address.value;
            out.constants[i] = {GpuAddr(address.value & kAddressMask),
                                rows * static_cast<std::uint32_t>(kGrfBytes), mocs};
            out.constant_rows += rows;
        }
    }
    if (out.start < kHeaderRegisters && out.constant_rows + out.read_rows != 0)
        problems.emplace_back("has its data begin within its header; they begin behind it");
    const unsigned all = std::max<unsigned>(out.start, kHeaderRegisters) + out.constant_rows +
                         kThreadVertices * out.read_rows;
    if (all > kGrfCount)
        problems.emplace_back("would begin with more than 128 registers; the rest is not loaded");
    return out;
}

void make_vertex_thread(const VertexShaderState& shader, const VertexThread& thread,
                        const ThreadTopology& topology, const ThreadPlace& place,
                        ThreadDispatch& dispatch) {
    ThreadSideband& side = dispatch.sideband;
    side.place = place.address(topology);
    side.fftid = place.fftid(topology);
    side.binding_table_offset = shader.binding_table;
    side.sampler_state_offset = shader.samplers;
    side.slm_base = side.slm_size = 0;
    side.priority = shader.high_priority;
    side.kernel_start = shader.kernel_start;
    side.pixels = nullptr;
    side.of_geometry = true;

    const auto count = static_cast<unsigned>(thread.urb_rows.size());
    dispatch.instruction_pointer = shader.kernel;
    dispatch.dispatch_mask = (1u << count) - 1;
    dispatch.uses_vector_mask = shader.vector_mask;
    dispatch.simd_width = kThreadVertices;
    dispatch.ffid = kFfid;
    dispatch.alternate_float = shader.alternate_float;
    dispatch.single_program_flow = false;
    dispatch.rounding = 0;
    dispatch.illegal_opcode_exception = shader.illegal_opcode_exception;
    dispatch.software_exception = shader.software_exception;
    dispatch.stack_exception = false;
    dispatch.stack_pointer = dispatch.stack_limit = 0;
    dispatch.dependency = {};
    dispatch.restored = false;
    dispatch.retire = {};
    dispatch.urb_handle_count = 0;
    dispatch.gpgpu = {};

    const unsigned registers = shader.registers();
    dispatch.payload_registers = static_cast<std::uint8_t>(registers);
    Grf* const payload = dispatch.payload.data();
    const auto put = [&](unsigned reg, unsigned dword, std::uint32_t value) {
        std::memcpy(payload[reg].bytes + 4 * dword, &value, sizeof value);
    };
    const unsigned start = std::max<unsigned>(shader.start, kHeaderRegisters);
    std::fill_n(payload, std::min(start, registers), Grf{});
    put(0, 3, shader.samplers | shader.scratch_code);
    put(0, 4, shader.binding_table);
    put(0, 5,
        (shader.scratch_base + (thread.scratch_slot << (10 + shader.scratch_code))) | side.fftid);
    put(0, 6, thread.number & 0xFF'FFFF);
    // A handle is in units of 64 bytes (FF-48).
    for (unsigned n = 0; n < count; ++n)
        put(1, n, thread.urb_rows[n] / 2 & 0xFFFF);

    const unsigned behind = std::min(start + shader.constant_rows, registers);
    if (start < behind)
        std::memcpy(payload + start, thread.constants.data(),
                    std::min<std::size_t>((behind - start) * kGrfBytes, thread.constants.size()));
    const std::size_t vertex_bytes = std::size_t{shader.read_rows} * kGrfBytes;
    for (unsigned reg = behind; reg < registers; ++reg) {
        const unsigned dword = reg - start - shader.constant_rows;
        payload[reg] = {};
        for (unsigned n = 0; n < count; ++n)
            std::memcpy(payload[reg].bytes + 4 * n,
                        thread.data.data() + n * vertex_bytes + 4 * std::size_t{dword}, 4);
    }
}

}  // namespace gen9::geometry
