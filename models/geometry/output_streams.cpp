// SPDX-License-Identifier: Apache-2.0
#include "geometry/output_streams.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/pixels.h"
#include "packets/draw/shaders.h"
#include "packets/draw/stream_out.h"

namespace gen9::geometry {
namespace {

using Dwords = StageState::Dwords;

template <class Value>
constexpr std::uint8_t byte(Value value) {
    return static_cast<std::uint8_t>(value);
}

/// Would a pixel of the draw be seen by anybody (SOL-02)?
bool has_pixel_work(const PipelineState& state) {
    static const auto& depth_row = packets::command_named("3DSTATE_WM_DEPTH_STENCIL");
    static const auto& pixel_row = packets::command_named("3DSTATE_PS_EXTRA");
    static const auto& wm_row = packets::command_named("3DSTATE_WM");
    const Dwords depth = latched(state, depth_row), pixel = latched(state, pixel_row),
                 wm = latched(state, wm_row);
    namespace DEPTH = packets::STATE_WM_DEPTH_STENCIL;
    namespace WM = packets::STATE_WM;
    return DEPTH::StencilTestEnable.get(depth) || DEPTH::DepthTestEnable.get(depth) ||
           DEPTH::DepthBufferWriteEnable.get(depth) ||
           packets::STATE_PS_EXTRA::PixelShaderValid.get(pixel) ||
           WM::LegacyDepthBufferClearEnable.get(wm) || WM::LegacyDepthBufferResolveEnable.get(wm) ||
           WM::LegacyHierarchicalDepthBufferResolveEnable.get(wm);
}

bool renders(const PipelineState& state, Dwords streamout) {
    namespace SO = packets::STATE_STREAMOUT;
    static const auto& gs_row = packets::command_named("3DSTATE_GS");
    constexpr std::uint64_t kForceOff = 2, kForceOn = 3;
    const auto force = SO::ForceRendering.get(streamout);
    if (force == kForceOn) return true;
    if (force == kForceOff || SO::RenderingDisable.get(streamout)) return false;
    // Vertices of 16 bytes have no header.
    const Dwords gs = latched(state, gs_row);
    if (packets::STATE_GS::Enable.get(gs) && packets::STATE_GS::OutputVertexSize.get(gs) == 0)
        return false;
    return has_pixel_work(state);
}

void decode_streams(const PipelineState& state, Dwords streamout, StreamOutputState& out) {
    namespace SO = packets::STATE_STREAMOUT;
    namespace LIST = packets::STATE_SO_DECL_LIST;
    namespace DECL = packets::SO_DECL;
    static const auto& row = packets::command_named("3DSTATE_SO_DECL_LIST");
    const Dwords list = latched(state, row);
    static const packets::Field* const kLengths[] = {
        &SO::Stream0VertexReadLength, &SO::Stream1VertexReadLength, &SO::Stream2VertexReadLength,
        &SO::Stream3VertexReadLength};
    static const packets::Field* const kOffsets[] = {
        &SO::Stream0VertexReadOffset, &SO::Stream1VertexReadOffset, &SO::Stream2VertexReadOffset,
        &SO::Stream3VertexReadOffset};
    static const packets::Field* const kSelects[] = {
        &LIST::StreamToBufferSelects0, &LIST::StreamToBufferSelects1, &LIST::StreamToBufferSelects2,
        &LIST::StreamToBufferSelects3};
    static const packets::Field* const kCounts[] = {&LIST::NumEntries0, &LIST::NumEntries1,
                                                    &LIST::NumEntries2, &LIST::NumEntries3};
    constexpr std::size_t kFirst = 3;  // DWord of the first entry, of four declarations
    const std::size_t room = list.size() > kFirst ? (list.size() - kFirst) / 2 : 0;
    for (unsigned s = 0; s < kStreams; ++s) {
        OutputStream& stream = out.streams[s];
        stream.read_offset = byte(kOffsets[s]->get(streamout));
        stream.read_rows = byte(kLengths[s]->get(streamout) + 1);
        stream.buffers = byte(kSelects[s]->get(list));
        const std::size_t count = std::min<std::size_t>(kCounts[s]->get(list), room);
        for (std::size_t i = 0; i < count; ++i) {
            const std::array<std::uint32_t, 1> given{list[kFirst + 2 * i + s / 2] >>
                                                     (s % 2 == 0 ? 0 : 16)};
            stream.declarations.push_back(
                {byte(DECL::ComponentMask.get(given)), byte(DECL::RegisterIndex.get(given)),
                 byte(DECL::OutputBufferSlot.get(given)), DECL::HoleFlag.get(given) != 0});
        }
    }
}

void decode_buffers(const PipelineState& state, Dwords streamout, StreamOutputState& out) {
    namespace SO = packets::STATE_STREAMOUT;
    namespace BUFFER = packets::STATE_SO_BUFFER;
    static const auto& row = packets::command_named("3DSTATE_SO_BUFFER");
    static const packets::Field* const kPitches[] = {
        &SO::Buffer0SurfacePitch, &SO::Buffer1SurfacePitch, &SO::Buffer2SurfacePitch,
        &SO::Buffer3SurfacePitch};
    const StageState* const stage = state.stage(row.latch.unit);
    for (unsigned b = 0; b < kStreamBuffers && stage; ++b) {
        const Dwords given = stage->command(row, b);
        StreamBuffer& buffer = out.buffers[b];
        if (given.empty() || !BUFFER::SOBufferEnable.get(given)) continue;
        buffer.enabled = true;
        buffer.loads = BUFFER::StreamOffsetWriteEnable.get(given) != 0;
        buffer.stores = BUFFER::StreamOutputBufferOffsetAddressEnable.get(given) != 0;
        buffer.mocs = byte(BUFFER::MOCS.get(given));
        buffer.pitch = static_cast<std::uint32_t>(kPitches[b]->get(streamout));
        buffer.offset = static_cast<std::uint32_t>(BUFFER::StreamOffset.get(given));
        buffer.bytes = 4 * (BUFFER::SurfaceSize.get(given) + 1);
        buffer.base = GpuAddr(BUFFER::SurfaceBaseAddress.get(given));
        buffer.offset_address = GpuAddr(BUFFER::StreamOutputBufferOffsetAddress.get(given));
    }
}

}  // namespace

StreamOutputState decode_stream_output(const PipelineState& state) {
    namespace SO = packets::STATE_STREAMOUT;
    static const auto& row = packets::command_named("3DSTATE_STREAMOUT");
    const Dwords streamout = latched(state, row);
    StreamOutputState out;
    out.enabled = SO::SOFunctionEnable.get(streamout) != 0;
    out.renders = renders(state, streamout);
    if (!out.enabled) return out;
    out.counts = SO::SOStatisticsEnable.get(streamout) != 0;
    out.reorder = SO::ReorderMode.get(streamout) ? ReorderMode::Trailing : ReorderMode::Leading;
    out.render_stream = byte(SO::RenderStreamSelect.get(streamout));
    decode_streams(state, streamout, out);
    decode_buffers(state, streamout, out);
    return out;
}

unsigned written_order(const PrimitiveObject& object, ReorderMode mode,
                       std::array<std::uint32_t, kMaxObjectVertices>& vertices) {
    PrimitiveObject shown = object;
    shown.count = static_cast<std::uint8_t>(without_adjacency(object, shown.vertices));
    vertices = shown_order(shown, mode);
    return shown.count;
}

bool fits(const StreamOutputState& state, const OutputStream& stream, const WriteOffsets& offsets,
          unsigned vertices) {
    for (unsigned b = 0; b < kStreamBuffers; ++b) {
        if (!(stream.buffers >> b & 1)) continue;
        const StreamBuffer& buffer = state.buffers[b];
        if (!buffer.enabled) return false;
        if (offsets[b] + std::uint64_t{vertices} * buffer.pitch > buffer.bytes) return false;
    }
    return true;
}

void StreamWriter::append(const StreamOutputState& state, const OutputStream& stream,
                          WriteOffsets& offsets, std::span<const std::uint32_t> vertex) {
    std::array<std::uint64_t, kStreamBuffers> at;
    std::ranges::copy(offsets, at.begin());
    for (const StreamDeclaration& declaration : stream.declarations) {
        const unsigned b = declaration.buffer;
        if (declaration.hole) {
            at[b] += 4u * static_cast<unsigned>(std::popcount(declaration.mask));
            continue;
        }
        for (unsigned c = 0; c < 4; ++c) {
            if (!(declaration.mask >> c & 1)) continue;
            const std::size_t from = std::size_t{declaration.slot} * 4 + c;
            if (stream.buffers >> b & 1)
                write(state.buffers[b], b, at[b], from < vertex.size() ? vertex[from] : 0);
            at[b] += 4;
        }
    }
    for (unsigned b = 0; b < kStreamBuffers; ++b)
        if (stream.buffers >> b & 1) offsets[b] += state.buffers[b].pitch;
}

// Nothing is written behind a buffer's end, also if the declarations are longer than the pitch.
void StreamWriter::write(const StreamBuffer& buffer, unsigned number, std::uint64_t at,
                         std::uint32_t dword) {
    if (at + 4 > buffer.bytes) return;
    const std::uint64_t address = buffer.base.value + at;
    const std::uint64_t line = address / kLineBytes * kLineBytes;
    std::size_t& open = open_[number];
    if (open == 0 || lines_[open - 1].address != line) {
        lines_.push_back({.address = line, .enabled = 0, .mocs = buffer.mocs, .bytes = {}});
        open = lines_.size();
    }
    StreamLine& into = lines_[open - 1];
    const std::uint64_t offset = (address - line) & ~std::uint64_t{3};
    std::memcpy(into.bytes.data() + offset, &dword, 4);
    into.enabled |= std::uint64_t{0xF} << offset;
}

void StreamWriter::clear() {
    lines_.clear();
    open_ = {};
}

}  // namespace gen9::geometry
