// SPDX-License-Identifier: Apache-2.0
#include "geometry/geometry_output.h"

#include <algorithm>
#include <array>

namespace gen9::geometry {
namespace {

/// The row with the number of vertices.
constexpr unsigned kCountDwords = kGrfBytes / 4;

/// A topology that a thread may make (GS-15).
bool is_output(Topology topology) {
    const packets::TopologyRules rules = packets::rules_of(topology);
    return rules.name != nullptr && !rules.adjacency && topology != Topology::LineLoop &&
           topology != Topology::QuadList && topology != Topology::QuadStrip;
}

/// Control bits, `width` for each vertex; those of no control data are 0 (GS-13).
unsigned control(std::span<const std::uint32_t> bits, unsigned width, unsigned vertex) {
    const unsigned at = vertex * width;
    if (at / 32 >= bits.size()) return 0;
    return bits[at / 32] >> at % 32 & ((1u << width) - 1);
}

class StreamSink final : public ObjectSink {
  public:
    explicit StreamSink(ObjectSink& sink) : sink_(sink) {}
    std::uint8_t stream = 0;

  private:
    void object(const Object& object) override {
        Object made = object;
        made.stream = stream;
        sink_.object(made);
    }
    ObjectSink& sink_;
};

}  // namespace

unsigned rows_before_vertices(const GeometryShaderState& shader) {
    return (shader.static_count ? 0 : 1) + shader.control_rows;
}

std::string output_problem(const GeometryShaderState& shader, unsigned entry_rows) {
    if (!is_output(shader.output))
        return "makes objects of topology " + std::to_string(static_cast<unsigned>(shader.output)) +
               ", which no thread may";
    if (rows_before_vertices(shader) > entry_rows)
        return "has more control data than its URB entry of " +
               std::to_string(entry_rows * kGrfBytes) + " bytes holds";
    return {};
}

OutputCount output_count(const GeometryShaderState& shader, std::span<const std::uint32_t> before,
                         unsigned entry_rows) {
    const unsigned asked = shader.static_count ? shader.vertex_count : before[0] & 0xFFFF;
    const unsigned room = (entry_rows - rows_before_vertices(shader)) * unsigned{kGrfBytes};
    const unsigned most = std::min(room / shader.vertex_bytes, kMaxOutputVertices);
    return {std::min(asked, most), asked > most};
}

// Vertices of one stream make its objects, whatever lies between them.
std::uint32_t assemble_output(const GeometryShaderState& shader,
                              std::span<const std::uint32_t> before, unsigned vertices,
                              ObjectSink& sink) {
    const auto bits = before.subspan(shader.static_count ? 0 : kCountDwords);
    const bool streams = shader.stream_bits && !bits.empty();
    std::array<std::optional<Assembly>, 4> assemblies;
    StreamSink to(sink);
    for (unsigned v = 0; v < vertices; ++v) {
        const unsigned stream = streams ? control(bits, 2, v) : shader.stream;
        std::optional<Assembly>& assembly = assemblies[stream];
        if (!assembly) assembly.emplace(shader.output, static_cast<ObjectSink&>(to));
        to.stream = static_cast<std::uint8_t>(stream);
        assembly->vertex({v});
        if (!streams && control(bits, 1, v)) assembly->cut();
    }
    std::uint32_t primitives = 0;
    for (unsigned stream = 0; stream < assemblies.size(); ++stream) {
        if (!assemblies[stream]) continue;
        to.stream = static_cast<std::uint8_t>(stream);
        assemblies[stream]->end();
        primitives += assemblies[stream]->primitives();
    }
    return primitives;
}

}  // namespace gen9::geometry
