// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/core.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"
#include "interconnect/payload/lane_access.h"

namespace gen9::l3 {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

}  // namespace

std::uint64_t LineAccess::touched_each() const {
    if (lanes) {
        std::uint64_t mask = 0;
        const unsigned count = std::min<unsigned>(lanes->count, LaneAccess::kMaxLanes);
        for (unsigned i = 0; i < count; ++i)
            mask |= std::rotl(run(0, lanes->width_bytes),
                              static_cast<int>((offset + lanes->offset[i]) % kLineBytes));
        return mask;
    }
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < size; ++i)
        mask |= std::uint64_t{enables[i % enable_period] != 0} << (offset + i);
    return mask;
}

BankCore::BankCore(unsigned banks, std::string replacement, unsigned sets)
    : banks_(banks), sets_(sets), replacement_(std::move(replacement)) {}

void BankCore::set_partition(const Partition& partition) {
    const auto make = [this](unsigned first, unsigned ways) {
        return Pool{first, ways,
                    ways ? make_replacement(replacement_.c_str(), sets_, ways) : nullptr};
    };
    shared_ = partition.all_ways != 0;
    ways_ = partition.lines_ways();
    data_pool_ = make(0, shared_ ? partition.all_ways : partition.dc_ways);
    read_only_pool_ = make(partition.dc_ways, partition.ro_ways);
    hits_count_ = (data_pool_.ways && data_pool_.policy->hits_count()) ||
                  (read_only_pool_.ways && read_only_pool_.policy->hits_count());
    ++removals_;
    keys_.assign(std::size_t{sets_} * ways_, LineKey());
    lines_.assign(keys_.size(), Line());
    data_.assign(keys_.size() * kLineBytes, 0);
}

int BankCore::search(LineKey key) const {
    if (key == absent_) return kNone;
    const auto first = keys_.begin() + std::ptrdiff_t{set_of(key)} * ways_;
    const auto found = std::find(first, first + ways_, key);
    if (found == first + ways_) {
        absent_ = key;
        return kNone;
    }
    const std::ptrdiff_t slot = found - keys_.begin();
    recent_[recent_of(key)] = static_cast<std::uint16_t>(slot);
    return static_cast<int>(slot);
}

bool BankCore::clean(int slot, Victim& victim) {
    Line& line = lines_[static_cast<std::size_t>(slot)];
    if (!line.dirty) return false;
    victim.key = keys_[static_cast<std::size_t>(slot)];
    victim.dirty = line.dirty;
    victim.requester = line.requester;
    victim.thread = line.thread;
    victim.mocs = line.mocs;
    std::memcpy(victim.data, bytes(slot), kLineBytes);
    line.dirty = 0;
    return true;
}

void BankCore::drop(int slot) {
    ++removals_;
    keys_[static_cast<std::size_t>(slot)] = LineKey();
    lines_[static_cast<std::size_t>(slot)] = Line();
}

int BankCore::allocate(LineKey key, LineClass c, Victim& victim) {
    const Pool& pool = pool_of(c);
    GEN9_CHECK(pool.ways, "a line is put into a pool without ways");
    const unsigned set = set_of(key);
    const int slot = static_cast<int>(set * ways_ + pool.first + pool.policy->fill(set));
    victim.dirty = 0;
    clean(slot, victim);
    ++removals_;
    absent_ = LineKey();
    keys_[static_cast<std::size_t>(slot)] = key;
    recent_[recent_of(key)] = static_cast<std::uint16_t>(slot);
    lines_[static_cast<std::size_t>(slot)] = {key, 0, 0, c, Requester::DataPort, 0, {}};
    return slot;
}

void BankCore::fill(int slot, const std::uint8_t* data) {
    Line& line = lines_[static_cast<std::size_t>(slot)];
    std::uint8_t* to = bytes(slot);
    if (line.valid == 0)
        std::memcpy(to, data, kLineBytes);
    else
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (!(line.valid >> i & 1)) to[i] = data[i];
    line.valid = kAll;
}

void BankCore::count_hit(int slot) {
    const unsigned way = static_cast<unsigned>(slot) % ways_;
    Pool& pool = pool_of_way(way);
    pool.policy->hit(static_cast<unsigned>(slot) / ways_, way - pool.first);
}

// Anything but a read of data.
void BankCore::change(int slot, const LineAccess& access) {
    Line& line = lines_[static_cast<std::size_t>(slot)];
    std::uint8_t* at = bytes(slot);
    if (access.is_write() || access.is_atomic()) {
        const std::uint64_t bytes_written = access.touched();
        line.valid |= bytes_written;
        line.dirty |= bytes_written;
        line.line_class = LineClass::Data;  // whatever it was fetched for, its bytes are now data
        line.requester = access.requester;
        line.thread = access.thread;
        line.mocs = access.mocs;
    }
    if (access.lanes) {
        perform_lanes(*access.lanes, {at, kLineBytes}, access.offset);
    } else if (!access.enables) {
        std::memcpy(at + access.offset, access.data, access.size);
    } else {
        for (unsigned i = 0; i < access.size; ++i)
            if (access.enables[i % access.enable_period]) at[access.offset + i] = access.data[i];
    }
}

void BankCore::overlay(int slot, unsigned offset, std::span<std::uint8_t> data) const {
    const std::uint64_t valid = lines_[static_cast<std::size_t>(slot)].valid;
    for (std::size_t i = 0; i < data.size(); ++i)
        if (valid >> (offset + i) & 1) data[i] = bytes(slot)[offset + i];
}

void BankCore::patch(int slot, unsigned offset, std::span<const std::uint8_t> data) {
    std::copy(data.begin(), data.end(), bytes(slot) + offset);
    lines_[static_cast<std::size_t>(slot)].valid |=
        LineAccess::run(offset, static_cast<unsigned>(data.size()));
}

std::uint64_t BankCore::clean_all(ClassSet classes, bool coherent,
                                  const std::function<void(const Victim&)>& write) {
    Victim victim;
    std::uint64_t count = 0;
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
        if (!lines_[slot].dirty || !classes.has(lines_[slot].line_class)) continue;
        if (!coherent && is_coherent(slot)) continue;
        if (!clean(static_cast<int>(slot), victim)) continue;
        write(victim);
        ++count;
    }
    return count;
}

std::uint64_t BankCore::drop_all(ClassSet classes, bool coherent,
                                 const std::function<void(const Victim&)>& write) {
    clean_all(classes, coherent, write);
    std::uint64_t count = 0;
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
        if (keys_[slot] == LineKey() || !classes.has(lines_[slot].line_class)) continue;
        if (!coherent && is_coherent(slot)) continue;
        drop(static_cast<int>(slot));
        ++count;
    }
    return count;
}

void BankCore::refresh(const std::function<bool(LineKey, std::uint8_t* data)>& read) {
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
        if (keys_[slot] == LineKey()) continue;
        const int at = static_cast<int>(slot);
        if (!read(keys_[slot], bytes(at))) drop(at);
    }
}

std::uint64_t BankCore::dirty_lines() const {
    return static_cast<std::uint64_t>(
        std::count_if(lines_.begin(), lines_.end(), [](const Line& l) { return l.dirty != 0; }));
}

std::uint64_t BankCore::valid_lines() const {
    return static_cast<std::uint64_t>(
        std::count_if(keys_.begin(), keys_.end(), [](LineKey k) { return !(k == LineKey()); }));
}

}  // namespace gen9::l3
