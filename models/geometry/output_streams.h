// SPDX-License-Identifier: Apache-2.0
/// Output streams: what a draw's state says of stream output, and where the data of an object's
/// vertices go.
///
/// A stream has a list of declarations. Each copies some components of a slot of the vertex, or
/// leaves room for them, in one of four buffers. A buffer's write offset grows by its pitch for each
/// vertex, whatever the declarations write.
///
/// Spec  SOL-02, SOL-07..SOL-16; 003:13683-13824
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/units.h"
#include "geometry/order.h"
#include "interconnect/payload/primitive_batch.h"
#include "interconnect/payload/state.h"
#include "interconnect/payload/stream_offsets.h"

namespace gen9::geometry {

inline constexpr unsigned kStreams = 4;
/// StreamOffset with this value: the write offset is loaded from memory.
inline constexpr std::uint32_t kOffsetFromMemory = 0xFFFF'FFFF;

/// BatchVertex::urb_row of a vertex of 16 bytes that begins in the middle of its row has this bit
/// (GS-14). Only stream output meets such vertices: where they are, nothing is drawn.
inline constexpr std::uint32_t kHalfRow = 1u << 31;

/// SO_DECL.
struct StreamDeclaration {
    std::uint8_t mask = 0;    ///< of components
    std::uint8_t slot = 0;    ///< of what is read of the vertex, in 16 bytes
    std::uint8_t buffer = 0;  ///< number
    bool hole = false;        ///< nothing is written
};

struct OutputStream {
    std::vector<StreamDeclaration> declarations;  ///< none: its objects are ignored
    std::uint8_t buffers = 0;                     ///< a bit for each buffer that they write to
    std::uint8_t read_offset = 0;                 ///< of the vertex's entry, in 32 bytes
    std::uint8_t read_rows = 0;
};

/// 3DSTATE_SO_BUFFER, and the pitch of 3DSTATE_STREAMOUT.
struct StreamBuffer {
    bool enabled = false;
    bool loads = false;   ///< the write offset, before the draw: `offset`, or from memory
    bool stores = false;  ///< the write offset, after the draw
    std::uint8_t mocs = 0;
    std::uint32_t pitch = 0;   ///< bytes
    std::uint32_t offset = 0;  ///< kOffsetFromMemory: from `offset_address`
    std::uint64_t bytes = 0;
    GpuAddr base, offset_address;
};

struct StreamOutputState {
    bool enabled = false;
    bool renders = true;  ///< objects go on to the clipper
    bool counts = false;  ///< statistics
    ReorderMode reorder = ReorderMode::Leading;
    std::uint8_t render_stream = 0;
    std::array<OutputStream, kStreams> streams;
    std::array<StreamBuffer, kStreamBuffers> buffers;

    /// Does the object go on to the clipper (SOL-04)?
    bool passes(const PrimitiveObject& object) const {
        return renders && !packets::is_patch(object.topology) &&
               (!enabled || object.stream == render_stream);
    }
    bool captures(const PrimitiveObject& object) const {
        return enabled && !streams[object.stream].declarations.empty();
    }
};
StreamOutputState decode_stream_output(const PipelineState& state);

/// Vertices of an object in the order in which they are written, without those that only lie beside
/// it. Returns how many there are.
unsigned written_order(const PrimitiveObject& object, ReorderMode mode,
                       std::array<std::uint32_t, kMaxObjectVertices>& vertices);

/// Is there room for so many vertices in all buffers of the stream (SOL-14)?
bool fits(const StreamOutputState& state, const OutputStream& stream, const WriteOffsets& offsets,
          unsigned vertices);

/// Bytes of a line of memory.
struct StreamLine {
    std::uint64_t address = 0;
    std::uint64_t enabled = 0;  ///< a bit for each byte that is written
    std::uint8_t mocs = 0;
    std::array<std::uint8_t, kLineBytes> bytes{};
};

/// Gathers what objects write into lines.
class StreamWriter {
  public:
    /// A vertex, as the stream reads it. The offsets advance.
    void append(const StreamOutputState& state, const OutputStream& stream, WriteOffsets& offsets,
                std::span<const std::uint32_t> vertex);
    /// In the order in which they are to be written.
    std::span<const StreamLine> lines() const { return lines_; }
    void clear();

  private:
    void write(const StreamBuffer& buffer, unsigned number, std::uint64_t at, std::uint32_t dword);
    std::vector<StreamLine> lines_;
    std::array<std::size_t, kStreamBuffers> open_{};  ///< of each buffer: one more than its line
};

}  // namespace gen9::geometry
