// SPDX-License-Identifier: Apache-2.0
#include "geometry/indices.h"

#include <algorithm>

#include "packets/draw/vf.h"

namespace gen9::geometry {

IndexStream::IndexStream(const DrawParameters& draw, const StageState& vf) : draw_(draw) {
    namespace fetch = packets::STATE_VF;
    namespace buffer = packets::STATE_INDEX_BUFFER;
    static const auto& fetch_row = packets::command_named("3DSTATE_VF");
    static const auto& buffer_row = packets::command_named("3DSTATE_INDEX_BUFFER");
    const auto state = vf.command(fetch_row);
    const auto& cuts =
        draw.indexed ? fetch::IndexedDrawCutIndexEnable : fetch::SequentialDrawCutIndexEnable;
    if (cuts.get(state)) cut_ = static_cast<std::uint32_t>(fetch::CutIndex.get(state));
    const auto indices = vf.command(buffer_row);
    if (!draw.indexed || indices.empty()) return;
    start_ = GpuAddr(buffer::BufferStartingAddress.get(indices));
    size_ = static_cast<std::uint32_t>(buffer::BufferSize.get(indices));
    // The reserved code is taken as the widest.
    index_bytes_ = 1u << std::min<std::uint64_t>(buffer::IndexFormat.get(indices), 2);
    mocs_ = static_cast<std::uint8_t>(buffer::MOCS.get(indices));
}

IndexStream::Stretch IndexStream::stretch(std::uint32_t count) const {
    Stretch out;
    out.count = std::min(count, left());
    if (!draw_.indexed) return out;
    const std::uint64_t first = (std::uint64_t{draw_.start_vertex} + position_) * index_bytes_;
    out.address = start_ + first;
    if (first < size_)
        out.bytes = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(size_ - first, std::uint64_t{out.count} * index_bytes_));
    return out;
}

std::size_t IndexStream::next(std::span<const std::uint8_t> buffer, std::span<DrawIndex> out) {
    const std::size_t count = std::min<std::size_t>(out.size(), left());
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t in_order = position_ + static_cast<std::uint32_t>(i);
        if (!draw_.indexed) {
            out[i] = {draw_.start_vertex + in_order, in_order, cut_ == in_order};
            continue;
        }
        std::uint32_t index = 0;
        if ((i + 1) * index_bytes_ <= buffer.size())
            for (unsigned b = 0; b < index_bytes_; ++b)
                index |= std::uint32_t{buffer[i * index_bytes_ + b]} << 8 * b;
        out[i] = {index + static_cast<std::uint32_t>(draw_.base_vertex), index, cut_ == index};
    }
    position_ += static_cast<std::uint32_t>(count);
    return count;
}

}  // namespace gen9::geometry
