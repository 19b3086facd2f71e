// SPDX-License-Identifier: Apache-2.0
/// Indices: which vertices a draw consists of, in order (VF-01, VF-03..05, VF-16).
///
/// A draw without an index buffer (SEQUENTIAL) has consecutive vertices from StartVertexLocation on;
/// with one (RANDOM) the buffer says which. A cut index ends a strip and makes no vertex. The index
/// that is held against it, and the vertex number that shaders see, are those of the buffer, before
/// BaseVertexLocation is added.
///
/// Spec  003:11859-11915, 12010-12018; indices behind the buffer's end are 0, an assumption
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "common/units.h"
#include "interconnect/payload/stage_state.h"

namespace gen9::geometry {

/// What a 3DPRIMITIVE draws; an indirect one's come from registers (VF-28).
struct DrawParameters {
    bool indexed = false;
    std::uint32_t vertex_count = 0, start_vertex = 0;
    std::uint32_t instance_count = 0, start_instance = 0;
    std::int32_t base_vertex = 0;
};

/// A vertex of a draw before it is fetched.
struct DrawIndex {
    std::uint32_t vertex_index = 0;  ///< elements are addressed by it
    std::uint32_t vertex_id = 0;     ///< what shaders see
    bool cut = false;                ///< it is no vertex but ends a strip
};

class IndexStream {
  public:
    /// `vf`: what the vertex fetch has latched.
    IndexStream(const DrawParameters& draw, const StageState& vf);

    /// A stretch of the index buffer, to be read before `next` is asked for its indices.
    struct Stretch {
        GpuAddr address;
        std::uint32_t bytes = 0;  ///< that lie within the buffer
        std::uint32_t count = 0;  ///< indices, those behind its end included
    };
    /// Where the next indices lie, at most `count`. Of a sequential draw there is nothing to read.
    Stretch stretch(std::uint32_t count) const;
    /// The next vertices of the instance, as many as `out` holds or are left; how many that is.
    /// `buffer`: what was read of the stretch of that many.
    std::size_t next(std::span<const std::uint8_t> buffer, std::span<DrawIndex> out);
    std::uint32_t left() const { return draw_.vertex_count - position_; }
    /// The next instance begins.
    void rewind() { position_ = 0; }
    std::uint8_t mocs() const { return mocs_; }

  private:
    DrawParameters draw_;
    GpuAddr start_;
    std::uint32_t size_ = 0;
    unsigned index_bytes_ = 4;
    std::uint8_t mocs_ = 0;
    std::optional<std::uint32_t> cut_;
    std::uint32_t position_ = 0;
};

}  // namespace gen9::geometry
