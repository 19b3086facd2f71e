// SPDX-License-Identifier: Apache-2.0
#include "packets/stopped_draw.h"

#include <algorithm>

#include "packets/commands.h"
#include "packets/draw/vf.h"

namespace gen9 {
namespace {

namespace row = packets::PRIMITIVE_3D;

constexpr std::size_t kDwords = 7, kInstance = 7, kObjects = 8;
constexpr const packets::Field* kParameters[] = {
    &row::VertexCountPerInstance, &row::InstanceCount, &row::StartVertexLocation,
    &row::StartInstanceLocation, &row::BaseVertexLocation};

}  // namespace

StoppedWalker pack(std::span<const std::uint32_t> primitive, const DrawRest& rest) {
    StoppedWalker stopped{};
    std::copy_n(primitive.begin(), std::min(primitive.size(), kDwords), stopped.begin());
    row::IndirectParameterEnable.set(stopped, 0);
    row::PredicateEnable.set(stopped, 0);
    for (std::size_t i = 0; i < std::size(kParameters); ++i)
        kParameters[i]->set(stopped, rest.parameters[i]);
    stopped[kInstance] = rest.instance;
    stopped[kObjects] = rest.objects;
    return stopped;
}

bool is_draw(const StoppedWalker& stopped) {
    const packets::CommandRow* const found = packets::find_command(stopped[0]);
    return found != nullptr && found->command == packets::Command::PRIMITIVE_3D;
}

DrawRest unpack_draw(const StoppedWalker& stopped) {
    DrawRest rest;
    for (std::size_t i = 0; i < std::size(kParameters); ++i)
        rest.parameters[i] = static_cast<std::uint32_t>(kParameters[i]->raw(stopped));
    rest.instance = stopped[kInstance];
    rest.objects = stopped[kObjects];
    return rest;
}

std::span<const std::uint32_t> draw_of(const StoppedWalker& stopped) {
    return std::span(stopped).first(kDwords);
}

}  // namespace gen9
