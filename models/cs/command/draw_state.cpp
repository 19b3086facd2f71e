// SPDX-License-Identifier: Apache-2.0
#include "cs/command/draw_state.h"

#include "packets/draw/pixels.h"
#include "packets/draw/shaders.h"
#include "packets/draw/vf.h"

namespace gen9::cs {

std::string purpose_of_draw(const StateStore& state, std::span<const std::uint32_t> primitive) {
    static const packets::CommandRow& vs = packets::command_named("3DSTATE_VS");
    static const packets::CommandRow& ps = packets::command_named("3DSTATE_PS");
    constexpr unsigned kRectangles = 0xF;
    const auto vertex_shader = state.command(vs), pixel_shader = state.command(ps);
    const bool vertices = packets::STATE_VS::Enable.get(vertex_shader) != 0;
    const auto topology = packets::PRIMITIVE_3D::PrimitiveTopologyType.get(primitive);
    if (topology != kRectangles || vertices) return "a draw";
    if (vertex_shader.size() != packets::STATE_VS::kStructure.dwords ||
        pixel_shader.size() != packets::STATE_PS::kStructure.dwords)
        return "";
    namespace row = packets::STATE_PS;
    if (row::RenderTargetFastClearEnable.get(pixel_shader)) return "a fast clear";
    if (row::RenderTargetResolveType.get(pixel_shader)) return "a resolve of a compressed surface";
    // The first entry is the render target.
    const auto entries = row::BindingTableEntryCount.get(pixel_shader);
    if (row::SamplerCount.get(pixel_shader) != 0 || entries > 1)
        return "a copy or blit by a rectangle";
    return entries == 1 ? "a clear or fill by a rectangle" : "";
}

}  // namespace gen9::cs
