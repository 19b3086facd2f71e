// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/direct_typed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "common/bits.h"
#include "common/eight.h"
#include "formats/codec.h"
#include "hdc/access/direct.h"
#include "hdc/access/later_count.h"
#include "hdc/surface/place_element.h"
#include "hdc/surface/place_lanes.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;

constexpr unsigned kSlots = LanePlacer::kLanes;
constexpr std::uint32_t kEverySlot = (1u << kSlots) - 1;

/// The unsigned integers that formats without a conversion are read as (DP-070).
unsigned raw_format(unsigned bytes) {
    constexpr unsigned kR8Uint = 0x143, kR16Uint = 0x10D, kR32Uint = 0x0D7, kR32G32Uint = 0x087;
    return bytes == 1 ? kR8Uint : bytes == 2 ? kR16Uint : bytes == 4 ? kR32Uint : kR32G32Uint;
}

/// Has a format one channel, with the same bits in memory and in registers?
bool is_dword(const formats::Format& format) {
    const formats::Field& field = format.channel[0];
    return format.bytes() == sizeof(std::uint32_t) && field.width == 32 &&
           (field.kind == formats::Kind::Uint || field.kind == formats::Kind::Sint ||
            field.kind == formats::Kind::Float);
}

}  // namespace

/// Typed messages that do the same on one surface, and what is known of their memory.
struct TypedTarget {
    TypedTarget(const Surface& on, const Decoded& decoded, std::uint64_t findings);
    bool is(const Surface& on, const Decoded& decoded, std::uint64_t findings) const {
        return &surface == &on && found == findings && channels == decoded.channels &&
               address_registers == decoded.address_registers &&
               reads == (decoded.row->operation == Operation::Read);
    }
    std::uint8_t* find_together(FunctionalDriver& driver, const LanePlacer::Places& placed);
    bool find_each(FunctionalDriver& driver, std::uint32_t mask,
                   const LanePlacer::Parameters& parameters, const LanePlacer::Places* placed,
                   std::array<std::uint8_t*, formats::kLanes>& places);

    const Surface& surface;
    const std::uint64_t found;
    const bool reads;
    const std::uint8_t channels, address_registers;

    bool usable = false;
    std::optional<formats::Codec> codec;
    formats::WriteMask changes;
    std::uint8_t written = 0;  ///< shader channels that elements have, of those of a message
    bool one_dword = false;    ///< elements are the register values of the one that is written
    unsigned bytes_moved = 0;  ///< by a slot
    LanePlacer placer;
    ElementWindow window;  ///< where the elements of the last messages were

  private:
    bool choose_codec();
    void set_window(std::uint64_t from, std::uint64_t end, std::uint8_t* host);

    MemoryFacts facts_;
    Stretch stretch_;
};

TypedTarget::TypedTarget(const Surface& on, const Decoded& decoded, std::uint64_t findings)
    : surface(on),
      found(findings),
      reads(decoded.row->operation == Operation::Read),
      channels(decoded.channels),
      address_registers(decoded.address_registers) {
    facts_.mocs = on.mocs;
    facts_.coherent = on.coherent;
    // TileW holds bytes that are not clamped (DP-151); samples have a place of their own.
    if (on.null() || on.multisampled() || refuse_typed(on, address_registers, false) ||
        on.tiling == Tiling::W)
        return;
    if (!reads && !on.typed->byte_components() && channels != 0xF) return;  // DP-073
    placer = LanePlacer(on);
    usable = choose_codec();
}

bool TypedTarget::choose_codec() {
    const Surface& s = surface;
    const unsigned code = reads && s.typed->raw_read ? raw_format(s.typed->bytes) : s.format;
    const formats::Format* const format = formats::find_format(code);
    if (format == nullptr || format->bytes() != s.typed->bytes) return false;
    formats::Selects select;
    for (unsigned c = 0; c < 4; ++c)
        select[c] = static_cast<formats::Select>(s.select[c]);
    codec.emplace(*format, select);
    // Bits that no channel has are zeros by a plan, but ones by the codec.
    if (reads ? !codec->decodes() : !codec->encodes() || format->unused.width != 0) return false;
    bytes_moved = s.typed->bytes;
    if (reads) return true;
    // The later of two channels that are written as one stays.
    for (unsigned c = 1; c < 4; ++c)
        for (unsigned before = 0; before < c; ++before)
            if (s.select[c] == s.select[before] && s.select[c] >= state::SCS_RED) return false;
    changes = codec->mask(channels);
    // Selects leave out a part of a byte.
    if (!changes.whole && !s.typed->byte_components()) return false;
    for (unsigned c = 0; c < 4; ++c)
        if ((channels >> c & 1) != 0 && s.select[c] >= state::SCS_RED &&
            format->channel[s.select[c] - state::SCS_RED].kind != formats::Kind::None)
            written |= static_cast<std::uint8_t>(1u << c);
    one_dword = changes.whole && std::has_single_bit(written) && is_dword(*format);
    unsigned bits = 0;
    for (const std::uint32_t word : changes.word)
        bits += static_cast<unsigned>(std::popcount(word));
    bytes_moved = changes.whole ? s.typed->bytes : bits / 8;
    return bytes_moved != 0;
}

/// The window becomes the host memory of the addresses from `from` to `end`.
void TypedTarget::set_window(std::uint64_t from, std::uint64_t end, std::uint8_t* host) {
    const std::uint64_t base = surface.base & kAddressMask, begin = std::max(from, base),
                        last = std::min(end, base + (std::uint64_t{1} << 32)),
                        element = surface.typed->bytes;
    window = {};
    if (begin + element > last) return;
    window.begin = static_cast<std::uint32_t>(begin - base);
    window.room = static_cast<std::uint32_t>(last - begin - element);
    window.host = host + (begin - from);
}

/// Host memory of the first element, if all lie in one piece of it; else null.
std::uint8_t* TypedTarget::find_together(FunctionalDriver& driver,
                                         const LanePlacer::Places& placed) {
    const std::uint64_t first = (surface.base + placed.low) & kAddressMask;
    const std::uint32_t bytes = placed.farthest + surface.typed->bytes;
    const std::uint64_t in_page = first % kPageBytes;
    std::uint8_t* host = stretch_.find(first, bytes, reads);
    if (host == nullptr) {
        if (in_page + bytes > kPageBytes) return nullptr;
        host = driver.reach(stretch_, first, bytes, reads, facts_);
        if (host == nullptr) return nullptr;
    }
    const std::uint64_t begin = stretch_.begin(), end = begin + stretch_.bytes();
    if (std::uint8_t* const all = stretch_.find(begin, stretch_.bytes(), reads);
        all != nullptr && first >= begin && first < end)
        set_window(begin, end, all);
    else
        set_window(first - in_page, first - in_page + kPageBytes, host - in_page);
    return host;
}

/// Host memory of the element of each slot. `placed`: null if the elements are not placed yet.
bool TypedTarget::find_each(FunctionalDriver& driver, std::uint32_t mask,
                            const LanePlacer::Parameters& parameters,
                            const LanePlacer::Places* placed,
                            std::array<std::uint8_t*, formats::kLanes>& places) {
    const unsigned bytes = surface.typed->bytes;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        const auto parameter = [&](unsigned n) {
            return load<std::uint32_t>(parameters[n] + slot * 4);
        };
        std::uint64_t address = 0;
        if (placed != nullptr)
            address = surface.base + placed->low + placed->offset[slot];
        else if (place_element(surface, {parameter(0), parameter(1), parameter(2), parameter(3), 0},
                               address) != Placed::Inside)
            return false;
        address &= kAddressMask;
        std::uint8_t* host = stretch_.find(address, bytes, reads);
        if (host == nullptr) host = driver.reach(stretch_, address, bytes, reads, facts_);
        if (host == nullptr) return false;
        places[slot] = host;
    }
    return true;
}

std::shared_ptr<TypedTarget> TypedTargets::find(const Surface& surface, const Decoded& decoded,
                                                std::uint64_t found) {
    for (const std::shared_ptr<TypedTarget>& kept : kept_)
        if (kept != nullptr && kept->is(surface, decoded, found)) return kept;
    std::shared_ptr<TypedTarget>& place = kept_[next_++ % kept_.size()];
    return place = std::make_shared<TypedTarget>(surface, decoded, found);
}

namespace {

/// Typed messages of eight slots on surfaces of one sample: the places of all slots, then one
/// conversion of the row of texels. A message with a slot outside is left to its plan.
class TypedSite final : public DirectSite {
  public:
    TypedSite(DirectPort& port, TypedTargets& targets, Core& core, FunctionalDriver& driver,
              const Decoded& decoded, const SendForm& form)
        : targets_(targets),
          core_(core),
          driver_(driver),
          d_(decoded),
          count_(port, core, core.counters_of(decoded)),
          reads_(decoded.row->operation == Operation::Read),
          both_groups_(decoded.slot_group != 0 && form.eight_wide),
          plain_mask_(!both_groups_ && !decoded.pixel_mask) {
        const auto register_at = [&](unsigned n) -> Register {
            const bool in_first = n < form.first_length;
            return {in_first, static_cast<std::uint8_t>(in_first ? n : n - form.first_length)};
        };
        header_ = register_at(0);
        for (unsigned n = 0; n < d_.address_registers && n < address_.size(); ++n)
            address_[n] = register_at(d_.address_at() + n);
        if (reads_) return;
        unsigned n = d_.data_at();
        for (unsigned c = 0; c < 4; ++c)
            if (d_.channels >> c & 1) data_[c] = register_at(n++);
    }

    bool run(const DirectSender& sender, std::uint32_t given, const Grf* first, const Grf* second,
             Grf* response) override {
        const Payload payload{first, second};
        const std::uint32_t mask = mask_of(given, payload);
        if (mask == 0) [[unlikely]] {
            if (given == 0) core_.count_nothing();  // DP-013
            return given == 0;
        }
        if (!ready(sender.thread)) [[unlikely]]
            return false;
        LanePlacer::Parameters parameters{LanePlacer::kNone, LanePlacer::kNone, LanePlacer::kNone,
                                          LanePlacer::kNone};
        for (unsigned n = 0; n < d_.address_registers && n < address_.size(); ++n)
            parameters[n] = payload[address_[n]];
        const TypedTarget& target = *target_;
        LanePlacer::Lanes offset;
        if (mask == kEverySlot && target.window.host != nullptr &&
            target.placer.find_inside(parameters, target.window, offset)) [[likely]]
            move(mask, payload, response, target.window.host, offset.data());
        else if (!move_elsewhere(mask, parameters, payload, response))
            return false;
        const auto count = static_cast<unsigned>(std::popcount(mask));
        count_.add(count, std::uint64_t{count} * target.bytes_moved);
        return true;
    }

  private:
    /// A register of the payload: in which part, and which of it.
    struct Register {
        bool in_first = true;
        std::uint8_t number = 0;
    };
    struct Payload {
        const Grf *first, *second;
        const std::uint8_t* operator[](Register at) const {
            return (at.in_first ? first : second)[at.number].bytes;
        }
    };

    /// As Places::mask.
    std::uint32_t mask_of(std::uint32_t given, const Payload& payload) const {
        if (plain_mask_) [[likely]]
            return given >> d_.slot_group & kEverySlot;
        std::uint32_t mask = given & 0xFFFF;
        if (both_groups_) mask |= mask << 8;
        if (d_.pixel_mask) mask &= load<std::uint16_t>(payload[header_] + 28);
        return mask >> d_.slot_group & kEverySlot;
    }
    /// The lanes of a mask.
    static void put(const std::uint32_t* values, std::uint32_t mask, std::uint8_t* to) {
        if (mask == kEverySlot) {
            std::memcpy(to, values, kGrfBytes);
            return;
        }
        for (; mask != 0; mask &= mask - 1) {
            const auto slot = static_cast<unsigned>(std::countr_zero(mask));
            store(to + slot * 4, values[slot]);
        }
    }
    void put_channels(const formats::Lanes& lanes, std::uint32_t mask, Grf* response) const {
        for (unsigned c = 0, n = 0; c < 4; ++c)
            if (d_.channels >> c & 1) put(lanes.channel[c].data(), mask, response[n++].bytes);
    }
    void take_channels(const Payload& payload, formats::Lanes& lanes) const {
        for (unsigned left = target_->written; left != 0; left &= left - 1) {
            const auto c = static_cast<unsigned>(std::countr_zero(left));
            copy_eight(payload[data_[c]], lanes.channel[c].data());
        }
    }

    /// Moves elements that lie `offset` bytes behind `base`.
    void move(std::uint32_t mask, const Payload& payload, Grf* response, std::uint8_t* base,
              const std::uint32_t* offset) const {
        const TypedTarget& target = *target_;
        if (target.one_dword && mask == kEverySlot) {
            const auto channel = static_cast<unsigned>(std::countr_zero(target.written)) % 4;
            const std::uint8_t* const values = payload[data_[channel]];
            for (unsigned n = 0; n < kSlots; ++n)
                store(base + offset[n], load<std::uint32_t>(values + n * sizeof(std::uint32_t)));
            return;
        }
        formats::Lanes lanes;
        if (reads_) {
            target.codec->read(base, offset, mask, lanes);
            put_channels(lanes, mask, response);
        } else {
            take_channels(payload, lanes);
            target.codec->write(lanes, target.changes, mask, base, offset);
        }
    }
    bool move_elsewhere(std::uint32_t mask, const LanePlacer::Parameters& parameters,
                        const Payload& payload, Grf* response);

    bool ready(const ThreadSideband& thread) {
        if (thread.state.get() == state_.get() && thread.binding_table_offset == table_ &&
            found_ == core_.findings() + driver_.findings()) [[likely]]
            return usable_;
        return usable_ = find_surface(thread);
    }
    bool find_surface(const ThreadSideband& thread);

    TypedTargets& targets_;
    Core& core_;
    FunctionalDriver& driver_;
    const Decoded d_;
    LaterCount count_;
    const bool reads_, both_groups_, plain_mask_;
    Register header_;
    std::array<Register, 4> address_, data_;  ///< U, V, R, LOD; by shader channel

    PipelineStatePtr state_;  ///< what the following was found under
    std::uint32_t table_ = 0;
    std::uint64_t found_ = ~std::uint64_t{0};
    bool usable_ = false;
    std::shared_ptr<TypedTarget> target_;
};

bool TypedSite::find_surface(const ThreadSideband& thread) {
    found_ = ~std::uint64_t{0};
    if (thread.state == nullptr) return false;
    state_ = thread.state;
    table_ = thread.binding_table_offset;
    const Surface* const s = core_.context().resolver.kept(thread, d_.binding_index);
    if (s == nullptr) return false;
    found_ = core_.findings() + driver_.findings();
    target_ = targets_.find(*s, d_, found_);
    return target_->usable;
}

/// Messages of which some slots are off, or have elements that the window does not hold.
bool TypedSite::move_elsewhere(std::uint32_t mask, const LanePlacer::Parameters& parameters,
                               const Payload& payload, Grf* response) {
    TypedTarget& target = *target_;
    LanePlacer::Places places;
    const bool placed = target.placer.usable() && target.placer.find(parameters, mask, places);
    if (std::uint8_t* const base = placed ? target.find_together(driver_, places) : nullptr) {
        move(mask, payload, response, base, places.offset.data());
        return true;
    }
    std::array<std::uint8_t*, formats::kLanes> each;
    if (!target.find_each(driver_, mask, parameters, placed ? &places : nullptr, each))
        return false;
    formats::Lanes lanes;
    if (reads_) {
        target.codec->read(each.data(), mask, lanes);
        put_channels(lanes, mask, response);
    } else {
        take_channels(payload, lanes);
        target.codec->write(lanes, d_.channels, mask, each.data());
    }
    return true;
}

}  // namespace

std::unique_ptr<DirectSite> typed_site(DirectPort& port, TypedTargets& targets, Core& core,
                                       FunctionalDriver& driver, const Decoded& decoded,
                                       const SendForm& form) {
    if (decoded.pair || decoded.slots != kSlots || decoded.model != AddressModel::Surface)
        return nullptr;
    return std::make_unique<TypedSite>(port, targets, core, driver, decoded, form);
}

}  // namespace gen9::hdc
