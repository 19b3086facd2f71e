// SPDX-License-Identifier: Apache-2.0
#include "geometry/shader_state.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

/// All constants of a stage (FF-81).
constexpr std::uint32_t kMaxConstantRows = 64;
constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << 48) - 1;

/// Null: the structure has no such field.
const packets::Field* find(const packets::Structure& structure, const char* name) {
    const auto found = std::ranges::find_if(structure.fields, [&](const packets::Field* field) {
        return !std::strcmp(field->name, name);
    });
    return found == structure.fields.end() ? nullptr : *found;
}

ShaderCommands commands_of(const packets::Structure& shader, const char* unit, const char* stage,
                           const char* thread, std::uint8_t ffid) {
    const auto command = [&](const char* name) -> const packets::CommandRow& {
        return packets::command_named(name + std::string(unit));
    };
    const auto field = [&](const char* name, const char* otherwise = "") -> const packets::Field& {
        const packets::Field* found = find(shader, name);
        if (!found) found = find(shader, otherwise);
        GEN9_CHECK(found, "a stage's command without a field that all of them have");
        return *found;
    };
    const packets::Field* start_high = find(shader, "DispatchGRFStartRegisterForURBData5");
    if (!start_high) start_high = find(shader, "DispatchGRFStartRegisterForURBData54");
    return {
        .shader = command("3DSTATE_"),
        .constants = command("3DSTATE_CONSTANT_"),
        .binding_table = command("3DSTATE_BINDING_TABLE_POINTERS_"),
        .samplers = command("3DSTATE_SAMPLER_STATE_POINTERS_"),
        .enable = field("Enable"),
        .statistics = field("StatisticsEnable"),
        .kernel = field("KernelStartPointer"),
        .alternate_float = field("FloatingPointMode"),
        .vector_mask = field("VectorMaskEnable"),
        .single_program_flow = find(shader, "SingleProgramFlow"),
        .illegal_opcode_exception = field("IllegalOpcodeExceptionEnable"),
        .software_exception = field("SoftwareExceptionEnable"),
        .priority = field("ThreadDispatchPriority"),
        .max_threads = field("MaximumNumberOfThreads"),
        .scratch_base = field("ScratchSpaceBasePointer"),
        .scratch_size = field("PerThreadScratchSpace"),
        .start = field("DispatchGRFStartRegisterForURBData"),
        .start_high = start_high,
        .read_offset = field("VertexURBEntryReadOffset", "PatchURBEntryReadOffset"),
        .read_length = field("VertexURBEntryReadLength", "PatchURBEntryReadLength"),
        .stage = stage,
        .thread = thread,
        .ffid = ffid,
    };
}

void decode_constants(StageState::Dwords given, const PipelineState& pipeline,
                      bool absolute_constants, ShaderState& out,
                      std::vector<std::string>& problems) {
    namespace body = packets::STATE_CONSTANT_BODY;
    if (given.empty()) return;
    const auto mocs = static_cast<std::uint8_t>(packets::STATE_CONSTANT::MOCS.get(given));
    const auto dwords = given.subspan(1);
    for (unsigned i = 0; i < out.constants.size(); ++i) {
        const auto rows = static_cast<std::uint32_t>(body::ReadLength.at(i).get(dwords));
        if (rows == 0) continue;
        if (out.constant_rows + rows > kMaxConstantRows) {
            problems.emplace_back("has more than 2 KB of push constants; the rest is not loaded");
            return;
        }
        const GpuAddr address =
            pipeline.constants(i, body::Buffer.at(i).get(dwords), absolute_constants);
        out.constants[i] = {GpuAddr(address.value & kAddressMask),
                            rows * static_cast<std::uint32_t>(kGrfBytes), mocs};
        out.constant_rows += rows;
    }
}

}  // namespace

const ShaderCommands& shader_commands(packets::Unit unit) {
    using packets::Unit;
    static const ShaderCommands vs =
        commands_of(packets::STATE_VS::kStructure, "VS", "vertex shader", "a vertex thread", 1);
    static const ShaderCommands hs =
        commands_of(packets::STATE_HS::kStructure, "HS", "hull shader", "a hull thread", 2);
    static const ShaderCommands ds =
        commands_of(packets::STATE_DS::kStructure, "DS", "domain shader", "a domain thread", 3);
    static const ShaderCommands gs =
        commands_of(packets::STATE_GS::kStructure, "GS", "geometry shader", "a geometry thread", 4);
    switch (unit) {
        case Unit::Vs:
            return vs;
        case Unit::Hs:
            return hs;
        case Unit::Ds:
            return ds;
        default:
            GEN9_CHECK(unit == Unit::Gs, "a stage without shader threads");
            return gs;
    }
}

ShaderState decode_shader(const PipelineState& pipeline, packets::Unit unit,
                          bool absolute_constants, std::vector<std::string>& problems) {
    const ShaderCommands& from = shader_commands(unit);
    ShaderState out;
    const auto given = latched(pipeline, from.shader);
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(given));
    };
    out.enabled = value(from.enable);
    out.statistics = value(from.statistics);
    if (!out.enabled) return out;
    out.kernel = value(from.kernel);  // bits 47:32 are ignored (FF-05)
    out.kernel_start = pipeline.instruction_base + out.kernel;
    out.alternate_float = value(from.alternate_float);
    out.vector_mask = value(from.vector_mask);
    out.single_program_flow = from.single_program_flow && value(*from.single_program_flow);
    out.illegal_opcode_exception = value(from.illegal_opcode_exception);
    out.software_exception = value(from.software_exception);
    out.high_priority = value(from.priority);
    out.max_threads = value(from.max_threads) + 1;
    out.binding_table = static_cast<std::uint32_t>(
        packets::STATE_BINDING_TABLE_POINTERS::PointerToVSBindingTable.get(
            latched(pipeline, from.binding_table)));
    out.samplers = static_cast<std::uint32_t>(
        packets::STATE_SAMPLER_STATE_POINTERS::PointerToVSSamplerState.get(
            latched(pipeline, from.samplers)));
    out.scratch_base = value(from.scratch_base);
    out.scratch_code = static_cast<std::uint8_t>(value(from.scratch_size));
    std::uint32_t start = value(from.start);
    if (from.start_high) start |= value(*from.start_high) << (from.start.high - from.start.low + 1);
    out.start = static_cast<std::uint8_t>(start);
    out.read_offset = value(from.read_offset);
    out.read_rows = value(from.read_length);
    decode_constants(latched(pipeline, from.constants), pipeline, absolute_constants, out,
                     problems);
    return out;
}

void check_registers(const ShaderState& shader, unsigned header, unsigned registers, bool has_data,
                     std::vector<std::string>& problems) {
    if (shader.start < header && has_data)
        problems.emplace_back("has its data begin within its header; they begin behind it");
    if (registers > kGrfCount)
        problems.emplace_back("would begin with more than 128 registers; the rest is not loaded");
}

ThreadPayload::ThreadPayload(const ShaderState& shader, packets::Unit unit,
                             const ThreadFacts& facts, const ThreadTopology& topology,
                             const ThreadPlace& place, unsigned header, unsigned registers,
                             ThreadDispatch& dispatch)
    : payload_(dispatch.payload.data()), registers_(registers) {
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

    dispatch.instruction_pointer = shader.kernel;
    dispatch.uses_vector_mask = shader.vector_mask;
    dispatch.simd_width = 8;
    dispatch.ffid = shader_commands(unit).ffid;
    dispatch.alternate_float = shader.alternate_float;
    dispatch.single_program_flow = shader.single_program_flow;
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
    dispatch.payload_registers = static_cast<std::uint8_t>(registers);

    const unsigned start = std::max<unsigned>(shader.start, header);
    std::fill_n(payload_, std::min(start, registers), Grf{});
    put(0, 3, shader.samplers | shader.scratch_code);
    put(0, 4, shader.binding_table);
    put(0, 5,
        (shader.scratch_base + (facts.scratch_slot << (10 + shader.scratch_code))) | side.fftid);
    put(0, 6, facts.number & 0xFF'FFFF);
    next_ = std::min(start + shader.constant_rows, registers);
    if (start < next_)
        std::memcpy(payload_ + start, facts.constants.data(),
                    std::min<std::size_t>((next_ - start) * kGrfBytes, facts.constants.size()));
}

void ThreadPayload::put(unsigned reg, unsigned dword, std::uint32_t value) {
    if (reg < registers_) std::memcpy(payload_[reg].bytes + 4 * dword, &value, sizeof value);
}

void ThreadPayload::put(unsigned reg, const packets::Field& field, std::uint32_t value) {
    if (reg >= registers_) return;
    std::array<std::uint32_t, kGrfBytes / 4> dwords;
    std::memcpy(dwords.data(), payload_[reg].bytes, kGrfBytes);
    field.set(dwords, value);
    std::memcpy(payload_[reg].bytes, dwords.data(), kGrfBytes);
}

void ThreadPayload::put_channels(std::span<const std::uint8_t> data, unsigned rows,
                                 unsigned entries) {
    const std::size_t bytes = std::size_t{rows} * kGrfBytes;
    const unsigned end = std::min(next_ + 8 * rows, registers_);
    for (std::size_t dword = 0; next_ < end; ++next_, ++dword) {
        payload_[next_] = {};
        for (unsigned n = 0; n < entries; ++n)
            std::memcpy(payload_[next_].bytes + 4 * std::size_t{n},
                        data.data() + n * bytes + 4 * dword, 4);
    }
}

void ThreadPayload::put_interleaved(std::span<const std::uint8_t> data, std::size_t bytes) {
    constexpr std::size_t kElement = kGrfBytes / 2;
    std::vector<std::uint8_t> both(2 * bytes);
    for (std::size_t entry = 0; (entry + 1) * bytes <= data.size() && entry < 2; ++entry)
        for (std::size_t at = 0; at < bytes; at += kElement)
            std::memcpy(both.data() + 2 * at + entry * kElement, data.data() + entry * bytes + at,
                        kElement);
    put_linear(both);
}

void ThreadPayload::put_linear(std::span<const std::uint8_t> data) {
    const auto rows = static_cast<unsigned>(data.size() / kGrfBytes);
    const unsigned end = std::min(next_ + rows, registers_);
    if (next_ < end) std::memcpy(payload_ + next_, data.data(), (end - next_) * kGrfBytes);
    next_ = std::max(next_, end);
}

}  // namespace gen9::geometry
