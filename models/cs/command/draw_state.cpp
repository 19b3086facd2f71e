// SPDX-License-Identifier: Apache-2.0
#include "cs/command/draw_state.h"

#include "packets/draw.h"

namespace gen9::cs {
namespace {

constexpr std::uint32_t kVs = 0x7810, kPs = 0x7820;
constexpr unsigned kRectangles = 0xF;

}  // namespace

void DrawState::take(std::span<const std::uint32_t> dwords) {
    const std::uint32_t opcode = dwords[0] >> 16;
    if (opcode == kVs && dwords.size() == packets::STATE_VS::kDwords)
        vertex_shader_ = packets::STATE_VS::Enable.get(dwords) != 0;
    if (opcode != kPs || dwords.size() != packets::STATE_PS::kDwords) return;
    namespace row = packets::STATE_PS;
    const auto entries = row::BindingTableEntryCount.get(dwords);
    PixelShader shader;
    shader.fast_clear = row::RenderTargetFastClearEnable.get(dwords) != 0;
    shader.resolve = row::RenderTargetResolveType.get(dwords) != 0;
    // The first entry is the render target.
    shader.reads = row::SamplerCount.get(dwords) != 0 || entries > 1;
    shader.writes_only = entries == 1 && !shader.reads;
    pixel_shader_ = shader;
}

std::string DrawState::purpose(std::span<const std::uint32_t> primitive) const {
    const auto topology = packets::PRIMITIVE_3D::PrimitiveTopologyType.get(primitive);
    if (topology != kRectangles || vertex_shader_.value_or(false)) return "a draw";
    if (!vertex_shader_ || !pixel_shader_) return "";
    if (pixel_shader_->fast_clear) return "a fast clear";
    if (pixel_shader_->resolve) return "a resolve of a compressed surface";
    if (pixel_shader_->reads) return "a copy or blit by a rectangle";
    return pixel_shader_->writes_only ? "a clear or fill by a rectangle" : "";
}

}  // namespace gen9::cs
