// SPDX-License-Identifier: Apache-2.0
// Writes of functional mode as most of them are: one sample a pixel, tested for depth before, to
// pages that host pointers are granted for. They do what understand and access_directly do, by 2x2
// pixels.
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "common/host.h"
#include "common/register_bytes.h"
#include "interconnect/payload/subspans.h"
#include "pixel/render_target_module.h"

namespace gen9::pixel {

namespace {

constexpr unsigned kQuadLanes = 4;  ///< lanes of 2x2 pixels
constexpr unsigned kDwordsPerGrf = kGrfBytes / 4;
constexpr formats::Lanes kNoSource1{};

}  // namespace

bool RenderTarget::is_plain(const Use& use) {
    const Target& target = use.target;
    return use.color && use.pass == Pass::Draw && target.samples == 1 && target.below != 0 &&
           target.auxiliary_use != AuxiliaryUse::Mcs && !use.state.alpha_test &&
           !use.color->dithers();
}

/// Memory has the pixels of an element, or gets them now. False: that is not for here.
bool RenderTarget::has_element(const Use& use, std::uint32_t slice, std::uint32_t x,
                               std::uint32_t y) {
    const Target& target = use.target;
    const surface::ElementPlace place =
        surface::ccs_element(target.auxiliary, target.bytes, target.level, slice, x, y);
    const std::uint64_t address = place.address & Target::kAddressMask;
    const std::uint8_t* const byte = pages_.find(address, 1, false, target.surface.mocs);
    if (byte == nullptr) return false;
    const unsigned value = surface::element_value(place, *byte);
    if (value == surface::kPassThrough) return true;
    const surface::ElementSize size = surface::element_size(target.bytes);
    std::uint8_t* const marks =
        value == surface::kClear ? pages_.find(address, 1, true, target.surface.mocs) : nullptr;
    if (marks == nullptr ||
        !fill_directly(use, slice, x / size.width * size.width, y / size.height * size.height))
        return false;
    *marks = surface::with_element(place, *marks, surface::kPassThrough);
    ++stats_.elements_filled;
    return true;
}

/// The page of the host that holds a pixel of a target with pages, or null.
void RenderTarget::find_page(const Target& target, std::uint32_t slice, std::uint32_t x,
                             std::uint32_t y, PlainPlaces& places) {
    const std::uint64_t page = target.address(slice, x, y, 0) & ~(kPageBytes - 1);
    places.page = pages_.find_any(page, true, target.surface.mocs);
}

/// The host memory of 2x2 pixels, row by row.
bool RenderTarget::find_rows(const Target& target, std::uint32_t slice, std::uint32_t x,
                             std::uint32_t y, std::uint32_t lit, PlainPlaces& places,
                             unsigned lane) {
    const std::uint64_t first = target.address(slice, x, y, 0);
    const unsigned pair = target.right + target.bytes;
    std::uint8_t* const page_of_first = pages_.find_any(first, true, target.surface.mocs);
    for (unsigned row = 0; row < 2; ++row) {
        if (!(lit >> 2 * row & 3)) continue;
        const std::uint64_t below = row * target.below;
        std::uint8_t* host = nullptr;
        if (page_of_first != nullptr && first % kPageBytes + below + pair <= kPageBytes) {
            host = page_of_first + below;
        } else {
            const std::uint64_t address = (first + below) & Target::kAddressMask;
            if (address % kPageBytes + pair > kPageBytes) return false;
            host = pages_.find(address, pair, true, target.surface.mocs);
        }
        if (host == nullptr) return false;
        places.at[lane + 2 * row] = host;
        places.at[lane + 2 * row + 1] = host + target.right;
    }
    return true;
}

/// The host memory of 2x2 pixels of which some are lit. False: not all of it is granted, or the
/// control surface tells something else of them than that memory has them, or can have them.
GEN9_INLINE bool RenderTarget::find_group(const Use& use, std::uint32_t slice, std::uint32_t x,
                                          std::uint32_t y, std::uint32_t lit, PlainPlaces& places,
                                          unsigned lane) {
    const Target& target = use.target;
    if (target.auxiliary_use == AuxiliaryUse::Ccs) {
        const std::uint32_t element = y / 4 << 16 | x >> target.element_columns;
        if (element != places.element) {
            if (!has_element(use, slice, x, y)) return false;
            places.element = element;
        }
    }
    if (!target.paged) return find_rows(target, slice, x, y, lit, places, lane);
    const surface::TileByte at = target.tile_byte(places.first_row, x, y);
    if (at.column != places.tile_column || at.row != places.tile_row) {
        find_page(target, slice, x, y, places);
        places.tile_column = at.column;
        places.tile_row = at.row;
    }
    if (places.page == nullptr) return find_rows(target, slice, x, y, lit, places, lane);
    std::uint8_t* const host = places.page + at.offset;
    places.at[lane] = host;
    places.at[lane + 1] = host + target.right;
    places.at[lane + 2] = host + target.below;
    places.at[lane + 3] = host + target.below + target.right;
    return true;
}

bool RenderTarget::write_plainly(const PlainWrite& write) {
    const PixelRecord* const record = write.sender.pixels;
    if (record == nullptr || bits(write.descriptor, 17, 14) != kWriteCode || !record->depth_done ||
        record->samples != 1 || record->object->smooth_line())
        return false;
    const auto descriptor = read_descriptor(write.descriptor);
    if (!descriptor || descriptor->half || descriptor->dual() ||
        descriptor->first_slot() + descriptor->slots() > PixelRecord::kSlots)
        return false;
    WriteHeader header;
    if (write.header) {
        std::array<std::uint32_t, 16> dwords;
        if (write.length < 2) return false;
        for (unsigned n = 0; n < 2; ++n)
            std::memcpy(dwords.data() + n * kDwordsPerGrf, write.payload(n).bytes, kGrfBytes);
        header = read_header(dwords);
    }
    cause_ = write.cause;
    UsePtr& known = functional_.use;
    find_use(write.sender, descriptor->binding, header.target, known);
    delay_ = sc_core::SC_ZERO_TIME;
    const Use& use = *known;
    if (!use.plain) return false;
    if (!write.header)
        header = dispatched_header(use.shader_mask, use.computed_depth, use.computed_stencil);
    const WriteLayout layout = write_layout(*descriptor, header);
    if (layout.problem != nullptr || layout.total > write.length || layout.mask != kAbsent)
        return false;

    const Target& target = use.target;
    const unsigned slots = descriptor->slots(), first = descriptor->first_slot();
    std::uint32_t lanes = written_lanes(*descriptor, header, write.channels, record->lit);
    const std::uint32_t slice = target.slice(record->object->render_target_index);
    PlainPlaces places;
    places.first_row = target.first_row(slice);
    std::uint32_t outside = 0;
    for (unsigned lane = 0; lane < slots; lane += kQuadLanes) {
        std::uint32_t lit = lanes >> lane & 15;
        if (lit == 0) continue;
        const PixelRecord::Subspan& subspan = record->subspans[(first + lane) / kQuadLanes];
        if (!target.inside(subspan.x + 1u, subspan.y + 1u)) [[unlikely]] {
            for (unsigned n = 0; n < kQuadLanes; ++n)
                if (!target.inside(subspan.x + (n & 1), subspan.y + (n >> 1)))
                    outside |= (lit & 1u << n) << lane;
            lit &= ~(outside >> lane);
            if (lit == 0) continue;
        }
        if (!find_group(use, slice, subspan.x, subspan.y, lit, places, lane)) return false;
    }

    ++stats_.messages;
    ++stats_.writes;
    stats_.pixels_outside += static_cast<unsigned>(std::popcount(outside));
    if (descriptor->last) stats_.subspans_killed += killed(*record, *descriptor, lanes);
    lanes &= ~outside;
    if (lanes == 0) return true;
    const auto pixels = static_cast<unsigned>(std::popcount(lanes));
    const unsigned quads = slot_subspans(lanes);
    stats_.pixels += pixels;
    stats_.subspans += quads;
    if (use.reads) {
        stats_.pixels_blended += pixels;
        stats_.subspans_blended += quads;
    }

    formats::Lanes color;
    if (descriptor->subtype == WriteSubtype::Replicated) {
        for (unsigned c = 0; c < 4; ++c)
            color.channel[c].fill(load<std::uint32_t>(write.payload(layout.color).bytes + 4 * c));
    } else {
        const unsigned rows = slots / kDwordsPerGrf;
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned row = 0; row < rows; ++row)
                std::memcpy(color.channel[c].data() + row * kDwordsPerGrf,
                            write.payload(layout.color + c * rows + row).bytes, kGrfBytes);
    }
    const ColorTarget& calculator = *use.color;
    const formats::Transfer& transfer = calculator.codec().transfer();
    formats::Elements elements;
    if (use.reads) transfer.collect(places.at.data(), lanes, elements);
    calculator.calculate(color, kNoSource1, elements, {}, slots);
    transfer.distribute(elements, calculator.mask(), lanes, places.at.data());
    return true;
}

namespace {

/// The writes of one send instruction.
class WriteSite final : public DirectSite {
  public:
    WriteSite(PlainWriter& writer, const SendForm& form) : writer_(writer), form_(form) {}
    bool run(const DirectSender& sender, std::uint32_t mask, const Grf* first, const Grf* second,
             Grf*) override {
        return writer_.write_plainly({sender.thread, sender.cause, form_.descriptor, form_.length,
                                      form_.first_length, form_.header_present, mask, first,
                                      second});
    }

  private:
    PlainWriter& writer_;
    const SendForm form_;
};

}  // namespace

std::unique_ptr<DirectSite> PlainWriter::site(const SendForm& form) {
    if (bits(form.descriptor, 17, 14) != kWriteCode || form.response_length != 0) return nullptr;
    return std::make_unique<WriteSite>(*this, form);
}

}  // namespace gen9::pixel
