// SPDX-License-Identifier: Apache-2.0
// Messages of the media sampler.
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "packets/sampler_state_8x8.h"
#include "sampler/core.h"
#include "sampler/media/request.h"

namespace gen9::sampler {

bool Core::begin_media(Message& message, Request& q) {
    const Decoded& d = *q.decoded;
    if (!q.media) q.media = std::make_unique<media::MediaRequest>();
    media::MediaRequest& m = *q.media;
    m.scales = d.row->kind == Kind::Scale;
    m.to_memory = d.direct;
    q.header = read_header(message, d);
    media::Verdict verdict;
    (m.scales ? m.scaling.in : m.grid.in) = media::read_inputs(message, d, q.header, verdict);
    if (!q.header.channels) verdict.guest_error = "all channels are masked (SMP-111)";
    if (!verdict.refused() && m.to_memory) verdict = find_destination(message, q);
    if (!verdict.refused()) verdict = m.scales ? plan_scaling(message, q) : plan_grid(message, q);
    if (!verdict.refused() && !m.to_memory &&
        media::registers_returned(m.in(), m.shuffled()) != message.response_length)
        verdict.guest_error =
            "response length does not fit the channels and the output format (SMP-234, SMP-260)";
    if (verdict.refused()) {
        refuse(message, d, verdict.guest_error, verdict.not_modelled);
        return false;
    }
    for (const media::Elements& set : m.elements())
        q.texels += static_cast<unsigned>(set.addresses.size());
    count(q);
    return true;
}

/// SMP-259: the form of results is that of their format; turned pictures are not written.
media::Verdict Core::find_destination(Message& message, Request& q) {
    media::MediaRequest& m = *q.media;
    m.scaling.in.form = packets::MEDIA_SAMPLER_HEADER::FULL_8;
    m.block.read(message.payload[0]);
    const media::Destination* const found =
        destinations_.resolve(*message.sender, m.block.binding_index, reader_);
    if (!found) return {"state of the destination that is not mapped"};
    m.block.destination = *found;
    return {m.block.refuse()};
}

media::Verdict Core::plan_grid(Message& message, Request& q) {
    media::Grid& grid = q.media->grid;
    grid.elements.clear();
    if (!find_states(message, q)) return {q.guest_error, q.not_modelled};
    if (q.surface->raw.null() || q.sampler->disabled) return {};
    const media::Verdict verdict = media::Grid::refuse(grid.in, *q.surface, *q.sampler);
    if (verdict.refused()) return verdict;
    q.tables = tables_of(message);
    find_key(q);
    grid.plan(*q.surface, *q.sampler);
    q.places = static_cast<std::uint16_t>(grid.in.width() * grid.in.height());
    q.points = grid.linear() ? std::uint16_t{0} : q.places;
    return {};
}

media::Verdict Core::plan_scaling(const Message& message, Request& q) {
    const ThreadSideband& sender = *message.sender;
    const bool bindless = q.decoded->binding_index == kBindless;
    // GT_MODE, whose bit no document places, decides what the pointer counts from.
    if (bindless && bindless_samplers_) return {nullptr, "L3-88"};
    const surface::MediaSurface* const picture =
        bindless ? pictures_.resolve_bindless(sender, bindless_offset(message), reader_)
                 : pictures_.resolve(sender, q.decoded->binding_index, reader_);
    if (!picture) return {"surface state that is not mapped, or beyond the bindless ones"};
    const media::ScalerState* const state = find_scaler(message, q);
    if (!state) return {"sampler state that is not mapped"};
    q.mocs = picture->mocs;
    media::Scaling& scaling = q.media->scaling;
    scaling.picture = *picture;
    scaling.state = *state;
    media::Verdict verdict = scaling.refuse();
    if (!verdict.refused() && q.media->to_memory && picture->rotation)
        verdict.guest_error = "turned picture with results for memory (SMP-259)";
    if (!verdict.refused()) scaling.plan();
    return verdict;
}

const media::ScalerState* Core::find_scaler(const Message& message, const Request& q) {
    namespace state = packets::sampler_state_8x8_avs;
    const ThreadSideband& sender = *message.sender;
    // SMP-248.
    const std::uint64_t address =
        (sender.state->dynamic_state_base.value + q.header.sampler_state_pointer +
         q.decoded->sampler_index * state::kSpacingBytes) &
        surface::MediaSurface::kAddressMask;
    ScalerEntry& entry = scalers_[address / state::kSpacingBytes % scalers_.size()];
    const std::uint32_t number = sender.state->number;
    if (entry.address == address && entry.number == number) return &entry.state;
    std::array<std::uint32_t, state::kDwords> dwords{};
    if (!reader_.read_state(GpuAddr(address), dwords.data(), sizeof dwords,
                            sender.state->dynamic_mocs))
        return nullptr;
    entry = {address, number, media::read_scaler_state(dwords)};
    return &entry.state;
}

void Core::list_media_lines(Request& q) {
    std::vector<std::uint64_t> lines;
    q.media->for_each_part([&](std::uint64_t address, const std::uint8_t*, unsigned) {
        if (lines.empty() || lines.back() != address / Request::kLine)
            lines.push_back(address / Request::kLine);
    });
    std::ranges::sort(lines);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    q.lines.fit(lines.size());
    q.line_bytes.fit(lines.size());
    std::ranges::copy(lines, q.lines.data());
    q.line_count = static_cast<std::uint16_t>(lines.size());
}

void Core::finish_media(Message& message, Request& q) {
    media::MediaRequest& m = *q.media;
    std::uint32_t killed = 0;
    if (m.scales)
        m.scaling.filter(m.results);
    else if (m.grid.elements.addresses.empty())
        m.results = {};
    else
        killed = m.grid.filter(*q.surface, *q.sampler, q.key, m.results);
    if (m.to_memory)
        m.block.write(m.in(), m.results);
    else
        media::write_back(message, m.in(), m.shuffled(), m.results, killed);
}

void Core::execute_media(Message& message, Request& q, TexelMemory& memory) {
    q.media->for_each_part([&](std::uint64_t address, std::uint8_t* bytes, unsigned size) {
        const std::uint8_t* const host = pages_.find(address / Pages::kBytes, memory);
        if (host)
            std::memcpy(bytes, host + address % Pages::kBytes, size);
        else
            memory.read(address, bytes, size);
    });
    finish_media(message, q);
}

void Core::finish_media_by_lines(Message& message, Request& q) {
    const std::span<const std::uint64_t> lines(q.lines.data(), q.line_count);
    q.media->for_each_part([&](std::uint64_t address, std::uint8_t* bytes, unsigned size) {
        const auto line = std::ranges::lower_bound(lines, address / Request::kLine) - lines.begin();
        std::memcpy(bytes,
                    q.line_bytes[static_cast<std::size_t>(line)].data() + address % Request::kLine,
                    size);
    });
    finish_media(message, q);
}

void Core::forget_scalers() {
    for (ScalerEntry& entry : scalers_)
        entry.address = ~0ull;
}

}  // namespace gen9::sampler
