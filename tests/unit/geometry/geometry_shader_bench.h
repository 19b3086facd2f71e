// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/unit/geometry/geometry_state.h"
#include "tests/unit/geometry/stage_bench.h"

// The geometry shader stage behind a vertex shader stage that is turned off.
namespace gen9::geometry::test::shader_stage {

using packets::Topology;
struct UrbPart {
    unsigned entries = 32, units = 4, start = 16;
};
/// Vertex n begins with n + 1000.
inline DrawState numbered(Topology topology, const GeometryCommand& command,
                          const UrbPart& part = {}) {
    DrawState state;
    state.urb(64)
        .topology(topology)
        .buffer(0, kMemory, 4 * 4096, 4)
        .elements({1})
        .take("3DSTATE_VS", {0x78100007, 0, 0, 0, 0, 0, 0, 0, 0})
        .take("3DSTATE_URB_GS",
              {0x78330000, part.start << 25 | (part.units - 1) << 16 | part.entries})
        .take("3DSTATE_GS", command.dwords());
    return state;
}
inline void put_vertices(StageBench& b) {
    std::vector<std::uint32_t> values(4096);
    std::iota(values.begin(), values.end(), 1000u);
    b.put(kMemory, values);
}
inline std::uint32_t dword(const ThreadDispatch& thread, unsigned reg, unsigned at) {
    std::uint32_t value;
    std::memcpy(&value, thread.payload[reg].bytes + 4 * at, 4);
    return value;
}
/// An entry as a thread sees it.
class Entry {
  public:
    Entry(StageBench& b, std::uint32_t handle)
        : dwords_(reinterpret_cast<std::uint32_t*>(&b.memory.bytes[(handle & 0xFFFF) * 64])) {}
    std::uint32_t& operator[](unsigned i) { return dwords_[i]; }

  private:
    std::uint32_t* dwords_;
};
constexpr unsigned kSingle = 0, kDualInstance = 1, kDualObject = 2, kSimd8 = 3;

/// A thread of objects of one vertex: makes so many vertices of each, which begin with the number of
/// the vertex it was given, its instance and their own. Control bits are all 0.
inline void make_vertices(StageBench& b, const ThreadDispatch& thread, bool instanced,
                          unsigned vertices, unsigned control_rows = 0,
                          unsigned dispatch = kSimd8) {
    // Channels of an object or instance; the register with handles of entries, and with a vertex'.
    const unsigned stride = dispatch == kSimd8 ? 1 : 4;
    const unsigned header = dispatch == kSimd8 ? 1 : 0, vertex = header + 1;
    const bool shared = dispatch == kSimd8 ? instanced : dispatch != kDualObject;
    for (unsigned n = 0; n < 8 / stride; ++n) {
        if (!(thread.dispatch_mask >> stride * n & 1)) continue;
        const std::uint32_t output = dword(thread, header, n);
        const std::uint32_t input = dword(thread, vertex, shared ? 0 : stride * n);
        Entry entry(b, output);
        entry[0] = vertices;
        for (unsigned i = 0; i < 8 * control_rows; ++i)
            entry[8 + i] = 0;
        for (unsigned v = 0; v < vertices; ++v) {
            const unsigned at = 8 * (1 + control_rows + v);
            entry[at] = Entry(b, input)[0];
            entry[at + 1] = output >> 27;
            entry[at + 2] = v;
        }
    }
}

struct Shown {
    std::uint32_t primitive;
    Topology topology;
    bool odd, starts;
    unsigned stream;
    std::vector<std::array<std::uint32_t, 3>> vertices;
    bool operator==(const Shown&) const = default;
};
inline std::vector<Shown> objects(const StageBench& b) {
    std::vector<Shown> shown;
    for (const auto& batch : b.next.seen)
        for (const PrimitiveObject& object : batch.objects) {
            Shown& each = shown.emplace_back(Shown{object.primitive_id,
                                                   object.topology,
                                                   object.odd,
                                                   object.starts,
                                                   object.stream,
                                                   {}});
            for (unsigned i = 0; i < object.count; ++i) {
                const Dwords& entry = batch.entries[object.vertices[i]];
                each.vertices.push_back({entry[0], entry[1], entry[2]});
            }
        }
    return shown;
}

}  // namespace gen9::geometry::test::shader_stage
