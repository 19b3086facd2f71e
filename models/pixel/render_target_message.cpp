// SPDX-License-Identifier: Apache-2.0
// What messages to render targets mean, and the data of their pixels.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "common/bits.h"
#include "interconnect/payload/subspans.h"
#include "interpolation/smooth_line.h"
#include "packets/draw/pixels.h"
#include "pixel/render_target_module.h"

namespace gen9::pixel {

namespace {

constexpr std::size_t kUses = 16;
constexpr std::uint64_t kAddresses = std::uint64_t{1} << 48;
constexpr const char* kTargetStage = "render target";

constexpr unsigned kMessageDwords = Message::kMaxPayload * 8;

}  // namespace

void RenderTarget::refuse(Message& message, const PixelRecord* record, const char* why) const {
    message.status = MessageStatus::GuestError;
    std::string text = why;
    if (record != nullptr)
        text = "primitive " + std::to_string(record->object->primitive_id) + ": " + text;
    env_.reporter.guest_error(
        "render target message",
        record != nullptr ? place_of(*record->draw, kTargetStage) : place_text(message),
        text + " (" + to_text(message) + ")");
}

bool RenderTarget::read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) {
    ++stats_.state_reads;
    return read_blocking(
        mem_out, pool_, address.value, bytes, size,
        {.requester = Requester::StateCache, .mocs = mocs, .trace_id = cause_, .thread = {}},
        delay_);
}

// --- State

void RenderTarget::read_colors(const Draw& draw, ColorState& state) {
    const PixelCommands& rows = PixelCommands::rows();
    const PipelineState& bases = *draw.state;
    const std::uint64_t base = bases.dynamic_state_base.value;
    const auto fetch = [&](std::uint32_t offset, std::span<std::uint32_t> dwords) {
        if (!read_state(GpuAddr((base + offset) % kAddresses), dwords.data(),
                        static_cast<unsigned>(dwords.size_bytes()), bases.dynamic_mocs))
            env_.reporter.guest_error("colour state", place_of(draw, kTargetStage),
                                      "some of BLEND_STATE or COLOR_CALC_STATE is not mapped; it "
                                      "reads as zeros");
    };
    std::array<std::uint32_t, 1 + 2 * kTargets> blend{};
    std::array<std::uint32_t, 6> calc{};
    namespace b = packets::STATE_BLEND_STATE_POINTERS;
    namespace c = packets::STATE_CC_STATE_POINTERS;
    if (const Dwords pointer = latched(bases, rows.blend_state);
        b::BlendStatePointerValid.get(pointer))
        fetch(static_cast<std::uint32_t>(b::BlendStatePointer.get(pointer)), blend);
    if (const Dwords pointer = latched(bases, rows.color_calc);
        c::ColorCalcStatePointerValid.get(pointer))
        fetch(static_cast<std::uint32_t>(c::ColorCalcStatePointer.get(pointer)), calc);
    state = read_color_state(blend, calc);
}

void RenderTarget::make_use(const ThreadSideband& sender, Use& use) {
    const Draw& draw = *sender.pixels->draw;
    const PipelineState& bases = *draw.state;
    const PixelCommands& rows = PixelCommands::rows();
    namespace p = packets::STATE_PS;
    namespace e = packets::STATE_PS_EXTRA;
    const Dwords ps = latched(bases, rows.ps), extra = latched(bases, rows.ps_extra);
    use.shader_mask = e::OMaskPresentToRenderTarget.get(extra) != 0;
    use.computed_depth = test_facts(bases, depth_state_of(bases)).computed_depth;
    use.computed_stencil = e::PixelShaderComputesStencil.get(extra) != 0;
    use.keeps_alpha = e::PixelShaderDisablesAlphaToCoverage.get(extra) != 0;
    use.pass = p::RenderTargetFastClearEnable.get(ps)    ? Pass::FastClear
               : p::RenderTargetResolveType.get(ps) != 0 ? Pass::Resolve
                                                         : Pass::Draw;
    read_colors(draw, use.state);

    const BindingTableEntry entry = bases.table_entry(sender.binding_table_offset, use.binding);
    std::uint32_t pointer = 0;
    std::array<std::uint32_t, packets::render_surface_state::kDwords> dwords{};
    const bool found =
        read_state(GpuAddr(entry.address % kAddresses), &pointer, entry.bytes,
                   bases.surface_mocs) &&
        read_state(
            GpuAddr((bases.surface_state_base.value + entry.state_offset(pointer)) % kAddresses),
            dwords.data(), sizeof dwords, bases.surface_mocs);
    if (!found) {
        use.target.problem = "its surface state is not mapped";
        return;
    }
    use.target = read_target(dwords);
    const Target& target = use.target;
    if (target.not_modelled != nullptr) env_.reporter.not_modelled("RT-04", target.not_modelled);
    if (target.null() || target.problem != nullptr || target.not_modelled != nullptr) return;
    use.color.emplace(*target.format, target.select, use.state, use.index, dithering_);
    const formats::WriteMask& mask = use.color->mask();
    use.reads = use.color->reads_destination();
    for (unsigned byte = 0; byte < target.bytes; ++byte) {
        const std::uint32_t bits8 = mask.word[byte / 4] >> byte % 4 * 8 & 0xFF;
        use.written |= std::uint32_t{bits8 != 0} << byte;
        use.reads |= bits8 != 0 && bits8 != 0xFF;
    }
    if (use.written == 0 && use.pass == Pass::Draw) use.color.reset();
    use.plain = is_plain(use);
    if (target.auxiliary_use == AuxiliaryUse::None) return;
    // As a write of the colour would store it, without blending.
    const formats::Codec codec(*target.format, target.select);
    formats::Lanes color{};
    for (unsigned c = 0; c < 4; ++c)
        color.channel[c].fill(target.clear_color[c]);
    formats::Elements elements;
    codec.encode(color, elements);
    for (unsigned byte = 0; byte < target.bytes; ++byte)
        use.clear[byte] = static_cast<std::uint8_t>(elements.word[byte / 4][0] >> byte % 4 * 8);
}

void RenderTarget::find_use(const ThreadSideband& sender, std::uint8_t binding, std::uint8_t index,
                            UsePtr& use) {
    const std::uint64_t draw = sender.pixels->draw->order;
    const auto is = [&](const UsePtr& known) {
        return known->draw == draw && known->binding == binding && known->index == index;
    };
    if (use && is(use)) return;
    if (const auto known = std::ranges::find_if(uses_, is); known != uses_.end()) {
        use = *known;
        return;
    }
    const auto made = std::make_shared<Use>();
    made->draw = draw;
    made->binding = binding;
    made->index = index;
    make_use(sender, *made);
    if (uses_.size() < kUses)
        uses_.push_back(made);
    else
        uses_[next_use_++ % kUses] = made;
    use = made;
}

// --- Messages

void RenderTarget::understand(Message& message, Access& access) {
    access.kind = Access::Kind::Nothing;
    access.rows.clear();
    message.status = MessageStatus::Ok;
    std::fill_n(message.response_enable.begin(), message.response_length, 0u);
    cause_ = message.trace_id;
    ++stats_.messages;
    const PixelRecord* const record = message.sender->pixels;
    if (record == nullptr)
        return refuse(message, nullptr, "it does not come from a pixel thread; nothing is done");
    switch (bits(message.descriptor, 17, 14)) {
        case kWriteCode:
            return understand_write(message, *record, access);
        case kReadCode:
            return understand_read(message, *record, access);
        default:
            return refuse(message, record, "no message has this code; nothing is done");
    }
}

/// The pixels of `lanes`, and the slice that they are in.
void RenderTarget::find_places(const PixelRecord& record, unsigned first_slot, std::uint32_t lanes,
                               Access& access) {
    for (unsigned n = 0; n < access.slots; ++n) {
        const unsigned slot = first_slot + n;
        const PixelRecord::Subspan& subspan = record.subspans[slot / 4];
        access.places.x[n] = static_cast<std::uint16_t>(subspan.x + (slot & 1));
        access.places.y[n] = static_cast<std::uint16_t>(subspan.y + (slot >> 1 & 1));
        access.covered[n] = lanes >> n & 1 ? subspan.covered[slot % 4] : 0;
    }
    std::fill(access.covered.begin() + access.slots, access.covered.end(), 0u);
    access.slice = access.use->target.slice(record.object->render_target_index);
}

void RenderTarget::understand_write(Message& message, const PixelRecord& record, Access& access) {
    const auto descriptor = read_descriptor(message.descriptor);
    if (!descriptor) return refuse(message, &record, "its subtype is reserved; nothing is written");
    if (descriptor->first_slot() + descriptor->slots() > PixelRecord::kSlots)
        return refuse(message, &record, "it is for slots that no thread has");
    ++stats_.writes;
    std::uint32_t dwords[kMessageDwords];
    std::memcpy(dwords, message.payload.data(), message.length * kGrfBytes);
    const std::span<const std::uint32_t> registers(dwords, message.length * 8u);

    WriteHeader header;
    if (message.header_present) header = read_header(registers);
    find_use(*message.sender, descriptor->binding, header.target, access.use);
    const Use& use = *access.use;
    if (!message.header_present)
        header = dispatched_header(use.shader_mask, use.computed_depth, use.computed_stencil);
    const WriteLayout layout = write_layout(*descriptor, header);
    if (layout.problem != nullptr) refuse(message, &record, layout.problem);
    if (layout.total > message.length)
        refuse(message, &record, "it is shorter than its parts; what is missing reads as 0");

    access.slots = descriptor->slots();
    read_row(*descriptor, layout, registers, access.pixels);
    std::uint32_t lanes = written_lanes(*descriptor, header, message.execution_mask, record.lit);
    if (descriptor->last) stats_.subspans_killed += killed(record, *descriptor, lanes);
    if (lanes == 0) return;
    find_places(record, descriptor->first_slot(), lanes, access);
    if (record.object->smooth_line()) fade_edges(*record.object, access);

    // The order of CC-02: masks and alpha, then depth and stencil, then colour.
    if (layout.mask != kAbsent)
        for (unsigned n = 0; n < access.slots; ++n)
            access.covered[n] &= access.pixels.mask[n];
    if (use.pass == Pass::Draw) {
        AlphaRow alpha = access.pixels.alpha0;
        if (record.samples > 1 &&
            covers_by_alpha(use.state, layout.mask != kAbsent, use.keeps_alpha))
            for (unsigned n = 0; n < access.slots; ++n)
                access.covered[n] &= alpha_coverage(std::bit_cast<float>(alpha[n]), record.samples);
        if (use.state.alpha_test) {
            if (use.state.alpha_to_one) alpha.fill(std::bit_cast<std::uint32_t>(1.0f));
            const std::uint32_t passed = alpha_test(use.state, alpha);
            if (descriptor->last)
                stats_.subspans_failed += slot_subspans(lanes) - slot_subspans(lanes & passed);
            for (unsigned n = 0; n < access.slots; ++n)
                if (!(passed >> n & 1)) access.covered[n] = 0;
        }
        if (!record.depth_done) test_late(record, *descriptor, layout, access);
    }

    const Target& target = use.target;
    if (target.problem != nullptr) return refuse(message, &record, target.problem);
    if (target.not_modelled != nullptr) {
        message.status = MessageStatus::NotModelled;
        return;
    }
    if (!use.color) return;
    if (use.pass != Pass::Draw) return pass_over(message, access);
    access.kind = Access::Kind::Write;
    make_rows(access);
    prepare_auxiliary(message, access);
}

/// Source alpha takes the share of a pixel that a smooth line has (CC-04): at the pixel's centre, where
/// the rasteriser looks at such lines.
void RenderTarget::fade_edges(const SetUpObject& line, Access& access) {
    if (access.use->color && access.use->color->codec().format().integer()) return;
    WriteRow& pixels = access.pixels;
    for (unsigned n = 0; n < access.slots; ++n) {
        const float share =
            interpolation::smooth_coverage(line, access.places.x[n], access.places.y[n], {});
        for (std::uint32_t* const alpha : {&pixels.color.channel[3][n], &pixels.alpha0[n]})
            *alpha = std::bit_cast<std::uint32_t>(std::bit_cast<float>(*alpha) * share);
    }
}

void RenderTarget::understand_read(Message& message, const PixelRecord& record, Access& access) {
    constexpr unsigned kSimd16 = 0, kSimd8 = 1;
    const unsigned subtype = bits(message.descriptor, 10, 8);
    if (subtype > kSimd8)
        return refuse(message, &record, "its subtype is reserved; nothing is read");
    ++stats_.reads;
    access.slots = subtype == kSimd16 ? 16 : 8;
    const unsigned first = bits(message.descriptor, 11, 11) ? 16 : 0;
    find_use(*message.sender, static_cast<std::uint8_t>(message.descriptor), 0, access.use);
    const Target& target = access.use->target;
    // Every register is written, with zeros where there is nothing to read (RT-33, RT-35).
    const unsigned rows = access.slots / 8;
    for (unsigned i = 0; i < std::min<unsigned>(4 * rows, message.response_length); ++i) {
        std::uint32_t enable = 0;
        for (unsigned n = 0; n < 8; ++n)
            if (message.execution_mask >> (i % rows * 8 + n) & 1) enable |= 0xFu << 4 * n;
        message.response_enable[i] = enable;
        message.response[i] = {};
    }
    if (target.problem != nullptr) return refuse(message, &record, target.problem);
    if (target.null() || !target.format || target.not_modelled != nullptr) return;
    const std::uint32_t lanes = access.slots == 16 ? 0xFFFFu : 0xFFu;
    find_places(record, first, lanes, access);
    for (unsigned n = 0; n < access.slots; ++n) {
        const PixelRecord::Subspan& subspan = record.subspans[(first + n) / 4];
        const unsigned sample = record.per_sample ? subspan.sample : 0;
        access.covered[n] = subspan.used ? 1u << sample : 0u;
    }
    access.kind = Access::Kind::Read;
    make_rows(access);
    prepare_auxiliary(message, access);
}

void RenderTarget::make_rows(Access& access) {
    const Target& target = access.use->target;
    std::uint32_t inside = 0, any = 0;
    for (unsigned n = 0; n < access.slots; ++n) {
        if (access.covered[n] == 0) continue;
        if (target.inside(access.places.x[n], access.places.y[n]))
            inside |= 1u << n;
        else
            ++stats_.pixels_outside;
        any |= access.covered[n];
    }
    for (unsigned sample = 0; sample < target.samples; ++sample) {
        if (!(any >> sample & 1)) continue;
        std::uint32_t lanes = 0;
        for (unsigned n = 0; n < access.slots; ++n)
            lanes |= (access.covered[n] >> sample & 1) << n;
        lanes &= inside;
        if (lanes == 0) continue;
        Row& row = access.rows.emplace_back();
        row.sample = static_cast<std::uint8_t>(sample);
        row.lanes = lanes;
        for (unsigned n = 0; n < access.slots; n += 4) {
            const std::uint32_t group = lanes >> n & 15;
            if (group == 0) continue;
            const auto of = [&](unsigned lane) {
                return target.address(access.slice, access.places.x[lane], access.places.y[lane],
                                      sample);
            };
            if (target.below == 0) {
                for (unsigned lane = n; lane < n + 4; ++lane)
                    if (lanes >> lane & 1) row.address[lane] = of(lane);
                continue;
            }
            const std::uint64_t first = of(n);
            row.address[n] = first;
            row.address[n + 1] = (first + target.right) & Target::kAddressMask;
            row.address[n + 2] = (first + target.below) & Target::kAddressMask;
            row.address[n + 3] = (first + target.below + target.right) & Target::kAddressMask;
        }
    }
    if (access.rows.empty()) access.kind = Access::Kind::Nothing;
}

void RenderTarget::test_late(const PixelRecord& record, const WriteDescriptor& descriptor,
                             const WriteLayout& layout, Access& access) {
    DepthTest test;
    test.record = &record;
    test.first_slot = static_cast<std::uint8_t>(descriptor.first_slot());
    test.writes = descriptor.last;
    test.has_depth = layout.depth != kAbsent;
    test.has_stencil = layout.stencil != kAbsent;
    if (test.has_depth) std::ranges::copy(access.pixels.depth, test.depth.begin());
    if (test.has_stencil) std::ranges::copy(access.pixels.stencil, test.stencil.begin());
    for (unsigned n = 0; n < DepthTest::kLanes; ++n)
        test.covered[n] = static_cast<std::uint16_t>(access.covered[n]);
    late_out->b_transport(test, delay_);
    for (unsigned n = 0; n < DepthTest::kLanes; ++n)
        access.covered[n] = test.covered[n];
}

// --- Data

/// `at`: the elements of the row's lanes.
void RenderTarget::calculate(const Access& access, const Row& row, std::uint8_t* const* at) {
    const ColorTarget& color = *access.use->color;
    const formats::Transfer& transfer = color.codec().transfer();
    formats::Elements elements;
    if (access.use->reads) transfer.collect(at, row.lanes, elements);
    formats::Lanes source = access.pixels.color;
    color.calculate(source, access.pixels.color1, elements, access.places, access.slots);
    transfer.distribute(elements, color.mask(), row.lanes, at);
}

void RenderTarget::answer_read(const Access& access, const Row& row, std::uint8_t* const* at,
                               Message& message) {
    const formats::Codec codec(*access.use->target.format, access.use->target.select);
    formats::Elements elements;
    formats::Lanes colors;
    codec.transfer().collect(at, row.lanes, elements);
    codec.decode(elements, colors, access.slots);
    const unsigned rows = access.slots / 8;
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned n = 0; n < access.slots; ++n) {
            const unsigned grf = c * rows + n / 8;
            if (row.lanes >> n & 1 && grf < message.response_length)
                store(message.response[grf].bytes + n % 8 * 4, colors.channel[c][n]);
        }
}

void RenderTarget::count_write(const Access& access) {
    std::uint64_t pixels = 0, quads = 0;
    for (const Row& row : access.rows) {
        pixels += static_cast<unsigned>(std::popcount(row.lanes));
        quads += slot_subspans(row.lanes);
    }
    stats_.pixels += pixels;
    stats_.subspans += quads;
    if (!access.use->reads) return;
    stats_.pixels_blended += pixels;
    stats_.subspans_blended += quads;
}

void RenderTarget::access_directly(Access& access, Message& message) {
    const Target& target = access.use->target;
    const bool writes = access.kind == Access::Kind::Write;
    for (const Row& row : access.rows) {
        std::array<std::uint8_t*, formats::kLanes> at;
        std::uint32_t left = row.lanes;
        for (; left != 0; left &= left - 1) {
            const auto n = static_cast<unsigned>(std::countr_zero(left));
            at[n] = pages_.find(row.address[n], target.bytes, writes, target.surface.mocs);
            if (at[n] == nullptr) [[unlikely]]
                break;
        }
        if (left != 0) [[unlikely]]
            access_by_lines(access, row, message);
        else if (writes)
            calculate(access, row, at.data());
        else
            answer_read(access, row, at.data(), message);
    }
}

void RenderTarget::add_lines(const Row& row, LineSet& lines) {
    for (std::uint32_t left = row.lanes; left != 0; left &= left - 1)
        lines.add(row.address[static_cast<unsigned>(std::countr_zero(left))],
                  Requester::RenderTarget);
}

/// What comes of the bytes of a row's lines, which are there if they are needed.
void RenderTarget::apply(const Access& access, const Row& row, LineSet& lines, Message& message) {
    const bool writes = access.kind == Access::Kind::Write;
    std::array<std::uint8_t*, formats::kLanes> at;
    for (std::uint32_t left = row.lanes; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        LineSet::Line& line = lines.line_of(row.address[n]);
        at[n] = line.data + row.address[n] % kLineBytes;
        if (writes)
            line.written |= std::uint64_t{access.use->written} << row.address[n] % kLineBytes;
    }
    if (writes)
        calculate(access, row, at.data());
    else
        answer_read(access, row, at.data(), message);
}

void RenderTarget::fill(MemoryTransaction& transaction, const LineSet::Line& line, bool reads,
                        const Message& message, const Use& use) const {
    transaction.access(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, line.address,
                       kLineBytes);
    MemoryAttributes& a = transaction.attributes;
    a.requester = line.of;
    a.uncached = true;  // L3 keeps none of it
    a.mocs = use.target.surface.mocs;
    a.thread = message.sender->place;
    a.trace_id = message.trace_id;
    if (reads) return;
    std::memcpy(transaction.data, line.data, kLineBytes);
    if (~line.written != 0) transaction.enable_bytes(line.written, kLineBytes);
}

/// In the call, through the socket.
void RenderTarget::access_by_lines(const Access& access, const Row& row, Message& message) {
    LineSet& lines = functional_lines_;
    lines.clear();
    add_lines(row, lines);
    const bool writes = access.kind == Access::Kind::Write;
    if (!writes || access.use->reads) move_lines(message, *access.use, lines, true);
    apply(access, row, lines, message);
    if (writes) move_lines(message, *access.use, lines, false);
}

void RenderTarget::report_unmapped(const Message& message, std::uint64_t address) const {
    char text[80];
    std::snprintf(text, sizeof text, "the target's line at %012llx is not mapped; it is dropped",
                  static_cast<unsigned long long>(address));
    env_.reporter.guest_error("render target",
                              place_of(*message.sender->pixels->draw, kTargetStage), text);
}

}  // namespace gen9::pixel
