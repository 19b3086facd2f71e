// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "common/filled_places.h"
#include "interconnect/payload/message.h"
#include "packets/surface_state.h"

namespace gen9::surface {

/// Reads state from memory for a resolver, with the cache control of the base it counts from
/// (DP-034). False: the address is not mapped.
class StateReader {
  public:
    virtual ~StateReader() = default;
    virtual bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) = 0;
};

/// Finds the surface behind a binding table index (DP-041, S-3) and keeps what it found until
/// the state cache is invalidated, or the bases are set anew, which software must do together
/// (L3-89). A surface is found again by addresses and by the bases' number, so work with other
/// state may be under way at the same time. `Surface` is what the block makes of the 16 DWords of a state, by `read`.
template <typename Surface, auto read>
class Resolver {
  public:
    /// The surface, or null when its table entry or state cannot be read.
    const Surface* resolve(const ThreadSideband& sender, std::uint8_t index, StateReader& reader) {
        if (const Surface* const surface = kept(sender, index)) return surface;
        const std::uint64_t base = surface_base_of(sender);
        const BindingTableEntry place = table_entry_of(sender, index);
        std::uint32_t pointer = 0;
        const std::uint8_t mocs = sender.state ? sender.state->surface_mocs : std::uint8_t{0};
        if (!reader.read_state(GpuAddr(place.address), &pointer, place.bytes, mocs)) return nullptr;
        return fetch({place.address, base, number_of(sender)}, entry_of(place),
                     base + place.state_offset(pointer), mocs, reader);
    }
    /// The surface if it is kept, null if it would have to be read first.
    const Surface* kept(const ThreadSideband& sender, std::uint8_t index) {
        const std::uint64_t base = surface_base_of(sender);
        const BindingTableEntry place = table_entry_of(sender, index);
        const Entry& entry = entry_of(place);
        return entry.key == Key{place.address, base, number_of(sender)} ? &entry.surface : nullptr;
    }
    /// The surface whose state lies at an offset from the bindless base (DP-053); null as well when
    /// the offset is beyond the last state.
    const Surface* resolve_bindless(const ThreadSideband& sender, std::uint32_t offset,
                                    StateReader& reader) {
        constexpr unsigned kStateBytes = packets::render_surface_state::kDwords * 4;
        constexpr std::uint64_t kBindlessKey = 1ull << 63;
        if (!sender.state || offset / kStateBytes > sender.state->bindless_surface_count)
            return nullptr;
        const std::uint64_t base = sender.state->bindless_surface_base.value;
        const std::uint64_t address = base + offset;
        Entry& entry = entries_[address / kStateBytes % kEntries];
        const Key key{address | kBindlessKey, base, number_of(sender)};
        if (entry.key == key) return &entry.surface;
        return fetch(key, entry, address, sender.state->bindless_mocs, reader);
    }
    /// Grows whenever an entry changes: until then, what `kept` has given stays as it is.
    const std::uint64_t& changes() const { return changes_; }
    /// Something else has changed that was found with its surfaces.
    void change() { ++changes_; }
    void invalidate() {
        ++changes_;
        filled_.empty([this](std::size_t place) { entries_[place].key = {}; });
    }

  private:
    static constexpr unsigned kEntries = 256;
    struct Key {
        std::uint64_t table_entry = ~0ull;  ///< bindless: the state's address with bit 63 set
        std::uint64_t surface_base = 0;
        std::uint32_t number = 0;  ///< of the bases
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        Surface surface;
    };
    static std::uint32_t number_of(const ThreadSideband& sender) {
        return sender.state ? sender.state->number : 0;
    }
    static std::uint64_t surface_base_of(const ThreadSideband& sender) {
        return sender.state ? sender.state->surface_state_base.value : 0;
    }
    static BindingTableEntry table_entry_of(const ThreadSideband& sender, std::uint8_t index) {
        const std::uint32_t pointer = sender.binding_table_offset;
        return sender.state ? sender.state->table_entry(pointer, index)
                            : StateBases{}.table_entry(pointer, index);
    }
    Entry& entry_of(const BindingTableEntry& place) {
        return entries_[place.address / place.bytes % kEntries];
    }
    const Surface* fetch(const Key& key, Entry& entry, std::uint64_t address, std::uint8_t mocs,
                         StateReader& reader) {
        std::uint32_t dwords[packets::render_surface_state::kDwords]{};
        if (!reader.read_state(GpuAddr(address), dwords, sizeof dwords, mocs)) return nullptr;
        ++changes_;
        entry.surface = read(std::span<const std::uint32_t>(dwords));
        entry.key = key;
        filled_.add(static_cast<std::size_t>(&entry - entries_.data()));
        return &entry.surface;
    }
    std::uint64_t changes_ = 0;
    std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
    FilledPlaces filled_{kEntries};
};

}  // namespace gen9::surface
