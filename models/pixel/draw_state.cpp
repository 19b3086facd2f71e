// SPDX-License-Identifier: Apache-2.0
#include "pixel/draw_state.h"

#include "interpolation/sample_state.h"
#include "packets/draw/pixels.h"
#include "packets/draw/shaders.h"

namespace gen9::pixel {

namespace {

using packets::command_named;
using packets::Field;

unsigned value_of(const Field& field, Dwords dwords) {
    return static_cast<unsigned>(field.get(dwords));
}
bool flag_of(const Field& field, Dwords dwords) {
    return field.get(dwords) != 0;
}

/// A field with 1 for OFF and 2 for ON, which overrides.
bool forced(unsigned code, bool otherwise) {
    return code == 2 || (code != 1 && otherwise);
}

/// Rasterization does not depend on the target: samples are only looked at for coverage (SF-46).
bool target_independent(const PipelineState& state) {
    return interpolation::read_fields(state).forced_samples != 0;
}

/// PS-07.
void read_kernels(Dwords ps, std::array<PixelKernel, kWidths>& kernels) {
    namespace row = packets::STATE_PS;
    const bool enabled[kWidths] = {flag_of(row::PixelDispatchEnable8, ps),
                                   flag_of(row::PixelDispatchEnable16, ps),
                                   flag_of(row::PixelDispatchEnable32, ps)};
    const bool several = enabled[0] + enabled[1] + enabled[2] > 1;
    const std::uint64_t start[] = {row::KernelStartPointer0.get(ps),
                                   row::KernelStartPointer1.get(ps),
                                   row::KernelStartPointer2.get(ps)};
    const unsigned first[] = {value_of(row::DispatchGRFStartRegisterForConstantSetupData0, ps),
                              value_of(row::DispatchGRFStartRegisterForConstantSetupData1, ps),
                              value_of(row::DispatchGRFStartRegisterForConstantSetupData2, ps)};
    constexpr unsigned kPointer[kWidths] = {0, 2, 1};
    for (unsigned w = 0; w < kWidths; ++w) {
        const unsigned pointer = several ? kPointer[w] : 0;
        kernels[w] = {enabled[w], static_cast<std::uint8_t>(first[pointer]), start[pointer]};
    }
}

/// WM-05.
bool dispatches(Dwords wm, Dwords extra, Dwords blend, const DepthState& depth,
                const TestTimeFacts& facts) {
    namespace w = packets::STATE_WM;
    namespace e = packets::STATE_PS_EXTRA;
    constexpr unsigned kAfterShader = 1, kBeforeShader = 2;
    if (!flag_of(e::PixelShaderValid, extra)) return false;
    const bool buffers = depth.depth_test || depth.depth_write;
    const bool kills = forced(
        value_of(w::ForceKillPixelEnable, wm),
        facts.control != kBeforeShader && (depth.depth_write || depth.stencil_write) &&
            (facts.kills || facts.shader_mask || facts.alpha_to_coverage || facts.alpha_test));
    const bool effect = (!flag_of(e::PixelShaderDoesNotWriteToRT, extra) &&
                         flag_of(packets::STATE_PS_BLEND::HasWriteableRT, blend)) ||
                        flag_of(e::PixelShaderHasUAV, extra) || kills ||
                        (facts.computed_depth && buffers) ||
                        (facts.computed_stencil && depth.stencil_test) ||
                        (facts.control == kAfterShader && (buffers || depth.stencil_test));
    return forced(value_of(w::ForceThreadDispatchEnable, wm), effect);
}

}  // namespace

const PixelCommands& PixelCommands::rows() {
    static const PixelCommands all{command_named("3DSTATE_PS"),
                                   command_named("3DSTATE_PS_EXTRA"),
                                   command_named("3DSTATE_CONSTANT_PS"),
                                   command_named("3DSTATE_BINDING_TABLE_POINTERS_PS"),
                                   command_named("3DSTATE_SAMPLER_STATE_POINTERS_PS"),
                                   command_named("3DSTATE_PS_BLEND"),
                                   command_named("3DSTATE_CC_STATE_POINTERS"),
                                   command_named("3DSTATE_BLEND_STATE_POINTERS"),
                                   command_named("3DSTATE_VIEWPORT_STATE_POINTERS_CC"),
                                   command_named("3DSTATE_WM"),
                                   command_named("3DSTATE_WM_HZ_OP"),
                                   command_named("3DSTATE_WM_DEPTH_STENCIL"),
                                   command_named("3DSTATE_DEPTH_BUFFER"),
                                   command_named("3DSTATE_STENCIL_BUFFER"),
                                   command_named("3DSTATE_CLEAR_PARAMS")};
    return all;
}

DepthState depth_state_of(const PipelineState& state) {
    const PixelCommands& rows = PixelCommands::rows();
    return read_depth_state(latched(state, rows.depth_stencil), latched(state, rows.depth_buffer),
                            latched(state, rows.stencil_buffer));
}

TestTimeFacts test_facts(const PipelineState& state, const DepthState& depth) {
    namespace w = packets::STATE_WM;
    namespace e = packets::STATE_PS_EXTRA;
    namespace b = packets::STATE_PS_BLEND;
    const PixelCommands& rows = PixelCommands::rows();
    const Dwords wm = latched(state, rows.wm), extra = latched(state, rows.ps_extra);
    const Dwords blend = latched(state, rows.ps_blend);
    TestTimeFacts facts;
    // Without a shader nothing is left to decide.
    if (!flag_of(e::PixelShaderValid, extra)) return facts;
    constexpr std::uint8_t kAfterShader = 1;
    const bool independent = target_independent(state);
    // WM-11, WM-07.
    facts.control = independent
                        ? kAfterShader
                        : static_cast<std::uint8_t>(value_of(w::EarlyDepthStencilControl, wm));
    facts.computed_depth = flag_of(e::PixelShaderComputedDepthMode, extra) &&
                           (!independent || flag_of(e::ForceComputedDepth, extra));
    facts.computed_stencil = flag_of(e::PixelShaderComputesStencil, extra);
    facts.kills =
        forced(value_of(w::ForceKillPixelEnable, wm), flag_of(e::PixelShaderKillsPixel, extra));
    facts.shader_mask = flag_of(e::OMaskPresentToRenderTarget, extra);
    facts.alpha_test = flag_of(b::AlphaTestEnable, blend);
    facts.alpha_to_coverage = flag_of(b::AlphaToCoverageEnable, blend);
    facts.stencil_write = depth.stencil_write;
    return facts;
}

ShaderState read_shader_state(const PipelineState& state) {
    namespace p = packets::STATE_PS;
    namespace e = packets::STATE_PS_EXTRA;
    namespace w = packets::STATE_WM;
    const PixelCommands& rows = PixelCommands::rows();
    const Dwords ps = latched(state, rows.ps), extra = latched(state, rows.ps_extra);
    const Dwords wm = latched(state, rows.wm), blend = latched(state, rows.ps_blend);
    const DepthState depth = depth_state_of(state);
    const TestTimeFacts facts = test_facts(state, depth);

    ShaderState s;
    s.samples = interpolation::read_samples(state);
    s.statistics = flag_of(w::StatisticsEnable, wm);
    s.merges_once = target_independent(state);
    s.per_sample = flag_of(e::PixelShaderIsPerSample, extra) && s.samples.samples > 1 &&
                   !s.merges_once;  // WM-09
    read_kernels(ps, s.kernels);
    s.dispatches = dispatches(wm, extra, blend, depth, facts) &&
                   (s.kernels[0].enabled || s.kernels[1].enabled || s.kernels[2].enabled);
    s.max_threads = value_of(p::MaximumNumberOfThreadsPerPSD, ps) + 1;

    s.barycentrics = static_cast<std::uint8_t>(value_of(w::BarycentricInterpolationMode, wm));
    s.source_depth = flag_of(e::PixelShaderUsesSourceDepth, extra);
    s.source_w = flag_of(e::PixelShaderUsesSourceW, extra);
    s.depth_place = static_cast<PlaceKind>(value_of(w::PositionZWInterpolationMode, wm));
    s.offsets = static_cast<PlaceKind>(value_of(p::PositionXYOffsetSelect, ps));
    s.coverage = static_cast<InputCoverage>(value_of(e::InputCoverageMaskState, extra));
    s.attributes = flag_of(e::AttributeEnable, extra);
    s.mask_to_target = facts.shader_mask;
    s.depth_to_target = facts.computed_depth;
    s.binding_table = static_cast<std::uint32_t>(
        packets::STATE_BINDING_TABLE_POINTERS::PointerToVSBindingTable.get(
            latched(state, rows.binding_table)));
    s.sampler_state = static_cast<std::uint32_t>(
        packets::STATE_SAMPLER_STATE_POINTERS::PointerToVSSamplerState.get(
            latched(state, rows.sampler_state)));
    s.color_calc =
        static_cast<std::uint32_t>(packets::STATE_CC_STATE_POINTERS::ColorCalcStatePointer.get(
            latched(state, rows.color_calc)));
    s.scratch_code = static_cast<std::uint8_t>(value_of(p::PerThreadScratchSpace, ps));
    s.scratch_base = p::ScratchSpaceBasePointer.get(ps);
    if (flag_of(p::PushConstantEnable, ps)) {
        namespace body = packets::STATE_CONSTANT_BODY;
        const Dwords constants = latched(state, rows.constants);
        const Dwords ranges = constants.empty() ? constants : constants.subspan(1);
        for (unsigned i = 0; i < s.constants.size(); ++i)
            s.constants[i] = {body::Buffer.at(i).get(ranges),
                              value_of(body::ReadLength.at(i), ranges)};
        s.constants_mocs =
            static_cast<std::uint8_t>(value_of(packets::STATE_CONSTANT::MOCS, constants));
    }

    s.vector_mask = flag_of(p::VectorMaskEnable, ps);
    s.single_program_flow = flag_of(p::SingleProgramFlow, ps);
    s.alternate_float = flag_of(p::FloatingPointMode, ps);
    s.software_exception = flag_of(p::SoftwareExceptionEnable, ps);
    s.stack_exception = flag_of(p::MaskStackExceptionEnable, ps);
    s.illegal_opcode_exception = flag_of(p::IllegalOpcodeExceptionEnable, ps);
    s.rounding = static_cast<std::uint8_t>(value_of(p::RoundingMode, ps));
    s.priority = static_cast<std::uint8_t>(value_of(p::ThreadDispatchPriority, ps));

    const bool tests =
        depth.depth_test || depth.depth_write || depth.stencil_test || depth.stencil_write;
    s.depth_done = test_time(facts).write_early || (!tests && !s.statistics);
    return s;
}

Width choose_width(const ShaderState& state, unsigned waiting) {
    const auto& [simd8, simd16, simd32] = state.kernels;
    if (simd32.enabled && (waiting > 7 || (!simd16.enabled && !simd8.enabled)))
        return Width::Simd32;
    if (simd16.enabled && (waiting > 2 || !simd8.enabled)) return Width::Simd16;
    return Width::Simd8;
}

}  // namespace gen9::pixel
