// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/direct_typed.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "common/bits.h"
#include "formats/codec.h"
#include "hdc/surface/place_element.h"
#include "hdc/surface/place_lanes.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;

constexpr unsigned kSlots = LanePlacer::kLanes;

/// The unsigned integers that formats without a conversion are read as (DP-070).
unsigned raw_format(unsigned bytes) {
    constexpr unsigned kR8Uint = 0x143, kR16Uint = 0x10D, kR32Uint = 0x0D7, kR32G32Uint = 0x087;
    return bytes == 1 ? kR8Uint : bytes == 2 ? kR16Uint : bytes == 4 ? kR32Uint : kR32G32Uint;
}

/// Typed messages of eight slots on surfaces of one sample: the places of all slots, then one
/// conversion of the row of texels. A message with a slot outside is left to its plan.
class TypedSite final : public DirectSite {
  public:
    TypedSite(Core& core, FunctionalDriver& driver, const Decoded& decoded, const SendForm& form)
        : core_(core),
          driver_(driver),
          d_(decoded),
          counters_(core.counters_of(decoded)),
          reads_(decoded.row->operation == Operation::Read),
          both_groups_(decoded.slot_group != 0 && form.eight_wide),
          first_length_(form.first_length) {}

    bool run(const DirectSender& sender, std::uint32_t given, const Grf* first, const Grf* second,
             Grf* response) override {
        if (given == 0) [[unlikely]] {
            core_.count_nothing();  // DP-013
            return true;
        }
        if (!ready(sender.thread)) [[unlikely]]
            return false;
        const auto payload = [&](unsigned n) {
            return n < first_length_ ? first[n].bytes : second[n - first_length_].bytes;
        };
        const std::uint32_t mask = mask_of(given, payload(0));
        if (mask == 0) return false;
        LanePlacer::Parameters parameters;
        for (unsigned n = 0; n < parameters.size(); ++n)
            parameters[n] =
                n < d_.address_registers ? payload(d_.address_at() + n) : LanePlacer::kNone;
        LanePlacer::Places places;
        const bool placed = placer_.usable() && placer_.find(parameters, mask, places);
        std::uint8_t* const base = placed ? find_together(places) : nullptr;
        std::array<std::uint8_t*, formats::kLanes> each;
        if (base == nullptr && !find_each(mask, parameters, placed ? &places : nullptr, each))
            return false;
        formats::Lanes lanes;
        if (reads_) {
            base != nullptr ? codec_->read(base, places.offset.data(), mask, lanes)
                            : codec_->read(each.data(), mask, lanes);
            for (unsigned c = 0, n = 0; c < 4; ++c)
                if (d_.channels >> c & 1) put(lanes.channel[c].data(), mask, response[n++].bytes);
        } else {
            unsigned n = d_.data_at();
            for (unsigned c = 0; c < 4; ++c)
                if (d_.channels >> c & 1)
                    std::memcpy(lanes.channel[c].data(), payload(n++), kGrfBytes);
            base != nullptr ? codec_->write(lanes, changes_, mask, base, places.offset.data())
                            : codec_->write(lanes, d_.channels, mask, each.data());
        }
        const auto count = static_cast<unsigned>(std::popcount(mask));
        core_.count_direct(sender.cause, counters_, count, std::uint64_t{count} * bytes_moved_);
        return true;
    }

  private:
    /// As Places::mask.
    std::uint32_t mask_of(std::uint32_t given, const std::uint8_t* header) const {
        std::uint32_t mask = given & 0xFFFF;
        if (both_groups_) mask |= mask << 8;
        if (d_.pixel_mask) mask &= load<std::uint16_t>(header + 28);
        return mask >> d_.slot_group & 0xFF;
    }
    /// The lanes of a mask.
    static void put(const std::uint32_t* values, std::uint32_t mask, std::uint8_t* to) {
        if (mask == 0xFF) {
            std::memcpy(to, values, kGrfBytes);
            return;
        }
        for (; mask != 0; mask &= mask - 1) {
            const auto slot = static_cast<unsigned>(std::countr_zero(mask));
            store(to + slot * 4, values[slot]);
        }
    }
    bool ready(const ThreadSideband& thread) {
        if (thread.state.get() == state_.get() && thread.binding_table_offset == table_ &&
            found_ == core_.findings() + driver_.findings()) [[likely]]
            return usable_;
        return usable_ = find_surface(thread);
    }
    bool find_surface(const ThreadSideband& thread);
    bool choose_codec();
    std::uint8_t* find_together(const LanePlacer::Places& placed);
    bool find_each(std::uint32_t mask, const LanePlacer::Parameters& parameters,
                   const LanePlacer::Places* placed,
                   std::array<std::uint8_t*, formats::kLanes>& places);

    Core& core_;
    FunctionalDriver& driver_;
    const Decoded d_;
    const Core::DirectCounters counters_;
    const bool reads_, both_groups_;
    const unsigned first_length_;

    PipelineStatePtr state_;  ///< what the following was found under
    std::uint32_t table_ = 0;
    std::uint64_t found_ = ~std::uint64_t{0};
    bool usable_ = false;
    const Surface* surface_ = nullptr;
    ChannelSelects select_{};  ///< of the codec
    std::optional<formats::Codec> codec_;
    formats::WriteMask changes_;
    unsigned bytes_moved_ = 0;  ///< by a slot
    MemoryFacts facts_;
    LanePlacer placer_;
    Stretch stretch_;
};

bool TypedSite::find_surface(const ThreadSideband& thread) {
    stretch_ = {};
    found_ = ~std::uint64_t{0};
    if (thread.state == nullptr) return false;
    state_ = thread.state;
    table_ = thread.binding_table_offset;
    const Surface* const s = core_.context().resolver.kept(thread, d_.binding_index);
    if (s == nullptr) return false;
    found_ = core_.findings() + driver_.findings();
    surface_ = s;
    facts_.mocs = s->mocs;
    facts_.coherent = s->coherent;
    // TileW holds bytes that are not clamped (DP-151); samples have a place of their own.
    if (s->null() || s->multisampled() || refuse_typed(*s, d_.address_registers, false) ||
        s->tiling == Tiling::W)
        return false;
    if (!reads_ && !s->typed->byte_components() && d_.channels != 0xF) return false;  // DP-073
    placer_ = LanePlacer(*s);
    return choose_codec();
}

bool TypedSite::choose_codec() {
    const Surface& s = *surface_;
    const unsigned code = reads_ && s.typed->raw_read ? raw_format(s.typed->bytes) : s.format;
    if (!codec_ || codec_->format().code != code || select_ != s.select) {
        codec_.reset();
        const formats::Format* const format = formats::find_format(code);
        if (format == nullptr || format->bytes() != s.typed->bytes) return false;
        formats::Selects select;
        for (unsigned c = 0; c < 4; ++c)
            select[c] = static_cast<formats::Select>(s.select[c]);
        codec_.emplace(*format, select);
        select_ = s.select;
    }
    // Bits that no channel has are zeros by a plan, but ones by the codec.
    if (reads_ ? !codec_->decodes() : !codec_->encodes() || codec_->format().unused.width != 0)
        return false;
    bytes_moved_ = s.typed->bytes;
    if (reads_) return true;
    // Of two channels that are written as one, the later stays.
    for (unsigned c = 1; c < 4; ++c)
        for (unsigned before = 0; before < c; ++before)
            if (s.select[c] == s.select[before] && s.select[c] >= state::SCS_RED) return false;
    changes_ = codec_->mask(d_.channels);
    unsigned bits = 0;
    for (const std::uint32_t word : changes_.word)
        bits += static_cast<unsigned>(std::popcount(word));
    bytes_moved_ = changes_.whole ? s.typed->bytes : bits / 8;
    return bytes_moved_ != 0;
}

/// Host memory of the first element, if all lie in one piece of it; else null.
std::uint8_t* TypedSite::find_together(const LanePlacer::Places& placed) {
    const std::uint64_t first = (surface_->base + placed.low) & kAddressMask;
    const std::uint32_t bytes = placed.farthest + surface_->typed->bytes;
    std::uint8_t* const host = stretch_.find(first, bytes, reads_);
    if (host != nullptr) [[likely]]
        return host;
    return first % kPageBytes + bytes <= kPageBytes
               ? driver_.reach(stretch_, first, bytes, reads_, facts_)
               : nullptr;
}

/// Host memory of the element of each slot. `placed`: null if the elements are not placed yet.
bool TypedSite::find_each(std::uint32_t mask, const LanePlacer::Parameters& parameters,
                          const LanePlacer::Places* placed,
                          std::array<std::uint8_t*, formats::kLanes>& places) {
    const Surface& s = *surface_;
    const unsigned bytes = s.typed->bytes;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        const auto parameter = [&](unsigned n) {
            return load<std::uint32_t>(parameters[n] + slot * 4);
        };
        std::uint64_t address = 0;
        if (placed != nullptr)
            address = s.base + placed->low + placed->offset[slot];
        else if (place_element(s, {parameter(0), parameter(1), parameter(2), parameter(3), 0},
                               address) != Placed::Inside)
            return false;
        address &= kAddressMask;
        std::uint8_t* host = stretch_.find(address, bytes, reads_);
        if (host == nullptr) host = driver_.reach(stretch_, address, bytes, reads_, facts_);
        if (host == nullptr) return false;
        places[slot] = host;
    }
    return true;
}

}  // namespace

std::unique_ptr<DirectSite> typed_site(Core& core, FunctionalDriver& driver, const Decoded& decoded,
                                       const SendForm& form) {
    if (decoded.pair || decoded.slots != kSlots || decoded.model != AddressModel::Surface)
        return nullptr;
    return std::make_unique<TypedSite>(core, driver, decoded, form);
}

}  // namespace gen9::hdc
