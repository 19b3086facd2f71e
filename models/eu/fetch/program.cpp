// SPDX-License-Identifier: Apache-2.0
#include "eu/fetch/program.h"

#include <algorithm>
#include <cstring>

#include "eu/execute/executor.h"
#include "eu/execute/stepped_region.h"

namespace gen9::eu {
namespace {

constexpr std::uint64_t kPageMask = kPageBytes - 1;

/// CmptCtrl, bit 29 of the first DWord: the instruction has 8 bytes instead of 16 (EU-301).
bool is_compacted(const std::uint8_t* bytes) {
    return (bytes[3] & 0x20) != 0;
}

bool reads_the_timestamp(const isa::Instruction& instruction) {
    for (unsigned i = 0; i < instruction.source_count && i < instruction.src.size(); ++i)
        if (instruction.src[i].is_arf(isa::Arf::Timestamp)) return true;
    return false;
}

CycleUse shadow_of(const DecodedInstruction& instruction) {
    if (instruction.thread_switch) return CycleUse::Switch;
    return instruction.latency == LatencyClass::Branch ? CycleUse::Branch : CycleUse::Pipe;
}

}  // namespace

TimedEntry::TimedEntry(const DecodedInstruction& decoded, GpuAddr first_line, GpuAddr last_line)
    : reads_timestamp(reads_the_timestamp(decoded.instruction)),
      crosses_line(first_line != last_line),
      port(decoded.latency == LatencyClass::Send ? port_of(decoded.instruction.sfid)
                                                 : MessagePort::None),
      shadow(shadow_of(decoded)),
      steers_arbiter(decoded.thread_switch ||
                     decoded.instruction.thread_ctrl == isa::ThreadCtrl::Atomic),
      pipe(decoded.pipe),
      line(first_line),
      uses(decoded) {}

const TimingTable& Program::share(const TimingTable& table) {
    const auto found = std::find(tables_.begin(), tables_.end(), table);
    return found != tables_.end() ? *found : tables_.emplace_back(table);
}

Program::Page& Program::page(GpuAddr base, std::uint32_t ip) {
    const PageKey key{base.value, ip & ~static_cast<std::uint32_t>(kPageMask)};
    auto& slot = pages_[key];
    if (!slot) {
        slot = std::make_unique<Page>();
        slot->base = base;
        slot->first_ip = key.first_ip;
    } else if (slot->generation != generation_) {
        slot->entries.fill(nullptr);
    }
    slot->generation = generation_;
    return *slot;
}

bool Program::read(GpuAddr address, std::uint8_t* to, bool& fault) const {
    const auto found = bytes_.find(address.value & ~kPageMask);
    if (found == bytes_.end() || found->second->generation != generation_) return false;
    const std::uint64_t offset = address.value & kPageMask;
    const std::uint64_t line = std::uint64_t{1} << offset / kLineBytes;
    if (!(found->second->known & line)) return false;
    fault |= (found->second->faulted & line) != 0;
    std::memcpy(to, found->second->data.data() + offset, 8);
    return true;
}

Program::Entry* Program::prepare(Page& page, std::uint32_t ip, GpuAddr& missing_line) {
    // The reserved low bits of an IP read as 0 (EU-107).
    const GpuAddr address((page.base + ip).value & ~std::uint64_t{7});
    const auto line_of = [](GpuAddr a) {
        return GpuAddr(a.value & ~std::uint64_t{kLineBytes - 1});
    };
    std::array<std::uint8_t, 16> bytes{};
    bool fault = false;
    if (!read(address, bytes.data(), fault)) {
        missing_line = line_of(address);
        return nullptr;
    }
    std::size_t length = 8;
    if (!is_compacted(bytes.data()) && !fault) {
        length = 16;
        if (!read(address + 8, bytes.data() + 8, fault)) {
            missing_line = line_of(address + 8);
            return nullptr;
        }
    }
    const std::size_t place = ip % kPageBytes >> 3;
    std::unique_ptr<Entry>& made = page.made[place];
    if (made != nullptr && !fault && made->fetched && made->bytes == bytes &&
        made->decoded.ip == ip) {
        made->forget_run();
        return page.entries[place] = made.get();
    }
    // Nobody has kept an older one: that was before an invalidation.
    if (made == nullptr) ++entries_made_;
    made = std::make_unique<Entry>();
    Entry& entry = *made;
    entry.bytes = bytes;
    entry.fetched = !fault;
    entry.decoded = eu::prepare({bytes.data(), length}, ip, &entry.why);
    if (fault) {
        // Zeroes are an illegal opcode; only the reason differs.
        entry.decoded = eu::prepare(std::array<std::uint8_t, 16>{}, ip, nullptr);
        entry.why = "the instruction could not be fetched";
    }
    entry.timed = TimedEntry(entry.decoded, line_of(address), line_of(address + (length - 8)));
    entry.functional.reads_timestamp = entry.timed.reads_timestamp;
    if (entry.decoded.always_sends || entry.decoded.instruction.end_of_thread)
        entry.functional.send = sends_++;
    page.written.add(registers_written(entry.decoded));
    return page.entries[place] = &entry;
}

void Program::make_region(Page& page, Entry& entry, bool sends) {
    if (entry.decoded.always_sends && !sends) return;
    auto region = std::make_unique<SteppedRegion>();
    Entry* next = &entry;
    while (next != nullptr && (sends || !next->decoded.always_sends) &&
           region->add(next->decoded, next->functional.send))
        next = page.holds(region->end_ip()) ? page.find(region->end_ip()) : nullptr;
    region->complete();
    if (region_bytes_ + region->bytes() > most_region_bytes_) free_regions();
    region_bytes_ += region->bytes();
    if (page.regions.empty()) with_regions_.push_back(&page);
    entry.functional.region = region.get();
    entry.functional.follows = next;
    page.regions.push_back(std::move(region));
}

void Program::free_regions() {
    for (Page* const page : with_regions_) {
        page->regions.clear();
        for (Entry* const entry : page->entries)
            if (entry != nullptr) entry->functional.forget_run();
    }
    with_regions_.clear();
    region_bytes_ = 0;
}

void Program::fill(GpuAddr line, const std::uint8_t* bytes, bool fault) {
    auto& page = bytes_[line.value & ~kPageMask];
    if (!page) page = std::make_unique<Bytes>();
    if (page->generation != generation_) page->known = page->faulted = 0;
    page->generation = generation_;
    const std::uint64_t offset = line.value & kPageMask & ~std::uint64_t{kLineBytes - 1};
    const std::uint64_t bit = std::uint64_t{1} << offset / kLineBytes;
    std::memcpy(page->data.data() + offset, bytes, kLineBytes);
    page->known |= bit;
    if (fault)
        page->faulted |= bit;
    else
        page->faulted &= ~bit;
}

void Program::invalidate() {
    ++generation_;
    free_regions();
    if (entries_made_ <= kKeptEntries && sends_ <= kKeptEntries &&
        pages_.size() + bytes_.size() <= kKeptPages)
        return;
    pages_.clear();
    bytes_.clear();
    entries_made_ = 0;
    sends_ = 0;
    ++numbering_;
}

}  // namespace gen9::eu
