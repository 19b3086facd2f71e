// SPDX-License-Identifier: Apache-2.0
#include "eu/fetch/program.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "common/bits.h"
#include "eu/execute/executor.h"
#include "eu/execute/meeting_places.h"
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
    const PageKey key{base.value, ip & ~(kCodeBytes - 1)};
    auto& slot = pages_[key];
    if (!slot) {
        slot = std::make_unique<Page>();
        slot->base = base;
        slot->first_ip = key.first_ip;
    } else if (slot->generation != generation_) {
        for (const std::uint16_t place : slot->ready)
            slot->entries[place] = nullptr;
        slot->ready.clear();
    }
    slot->generation = generation_;
    return *slot;
}

Program::Page* Program::page_at_hand(GpuAddr base, std::uint32_t ip) const {
    const auto found = pages_.find({base.value, ip & ~(kCodeBytes - 1)});
    return found != pages_.end() && found->second->generation == generation_ ? found->second.get()
                                                                             : nullptr;
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
    const std::size_t place = ip % kCodeBytes >> 3;
    std::unique_ptr<Entry>& made = page.made[place];
    // Most of what was made before an invalidation has the bytes that it had, in one line.
    const std::uint64_t offset = address.value & kPageMask;
    if (made != nullptr && made->fetched && made->decoded.ip == ip &&
        offset % kLineBytes + made->bytes.size() <= kLineBytes) {
        const std::uint8_t* const before = made->bytes.data();
        const bool compacted = is_compacted(before);
        const std::uint64_t line = std::uint64_t{1} << offset / kLineBytes;
        const auto found = bytes_.find(address.value & ~kPageMask);
        const auto same = [&](std::size_t at) {
            const std::uint8_t* const now = found->second->data.data() + offset;
            return load<std::uint64_t>(now + at) == load<std::uint64_t>(before + at);
        };
        if (found != bytes_.end() && found->second->generation == generation_ &&
            (found->second->known & ~found->second->faulted & line) != 0 && same(0) &&
            (compacted || same(8))) {
            page.ready.push_back(static_cast<std::uint16_t>(place));
            made->forget_run();
            return page.entries[place] = made.get();
        }
    }
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
    page.ready.push_back(static_cast<std::uint16_t>(place));
    if (made != nullptr && !fault && made->fetched && made->bytes == bytes &&
        made->decoded.ip == ip) {
        made->forget_run();
        return page.entries[place] = made.get();
    }
    // Nobody has kept an older one: that was before an invalidation. Code that was compiled of it is
    // not in use since then.
    if (made == nullptr)
        ++entries_made_;
    else
        forget_compiled(page, made->decoded);
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
    if (entry.decoded.always_sends || entry.decoded.sends_checked ||
        entry.decoded.instruction.end_of_thread)
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
    entry.functional.stepped = region.get();
    entry.functional.follows = next;
    page.regions.push_back(std::move(region));
}

void Program::free_regions() {
    for (Page* const page : with_regions_) {
        page->regions.clear();
        for (const std::uint16_t place : page->ready)
            page->entries[place]->functional.forget_run();
    }
    with_regions_.clear();
    region_bytes_ = 0;
}

/// The instructions of a page that lie side by side with one, ready or not, as far as it has bytes and
/// no thread ends between.
std::vector<jit::Part> Program::parts_around(Page& page, const Entry& entry) const {
    const auto part_at = [&](std::uint32_t ip) -> std::optional<jit::Part> {
        if (!page.holds(ip)) return std::nullopt;
        if (const Entry* const ready = page.find(ip))
            return jit::Part{&ready->decoded, ip, ready->decoded.next_ip, ready->functional.send};
        std::array<std::uint8_t, 8> bytes;
        bool fault = false;
        if (!read(page.base + ip, bytes.data(), fault) || fault) return std::nullopt;
        return jit::Part{nullptr, ip, ip + (is_compacted(bytes.data()) ? 8u : 16u)};
    };
    const auto ends_thread = [](const DecodedInstruction* instruction) {
        return instruction != nullptr && instruction->instruction.end_of_thread;
    };
    std::vector<jit::Part> parts;
    std::uint32_t reach = 0;  // branches so far lead up to there
    // Code between, which nobody has run, is no part of it.
    const auto ready_behind = [&](std::uint32_t ip) -> std::optional<jit::Part> {
        for (std::uint32_t next = ip; next <= reach && page.holds(next); next += 8)
            if (page.find(next) != nullptr) return jit::Part{nullptr, ip, next};
        return std::nullopt;
    };
    const auto add_up_to = [&](std::uint32_t ip, std::uint32_t end) {
        std::optional<jit::Part> part;
        while (ip < end &&
               ((part = part_at(ip)).has_value() || (part = ready_behind(ip)).has_value())) {
            parts.push_back(*part);
            ip = part->next_ip;
            if (ends_thread(part->instruction) && reach < ip) break;
            if (part->instruction != nullptr && part->instruction->always_next)
                reach = std::max(reach, std::ranges::max(meeting_places(*part->instruction)));
        }
        return ip;
    };
    // Instructions before it belong to it if they lead up to it.
    std::uint32_t first = entry.decoded.ip;
    for (std::uint32_t ip = first; page.holds(ip - 8);) {
        ip -= 8;
        const Entry* const before = page.find(ip);
        if (before == nullptr) continue;
        if (ends_thread(&before->decoded)) break;
        parts.clear();
        reach = 0;
        if (before->decoded.next_ip != first && add_up_to(ip, first) != first) break;
        first = ip;
    }
    parts.clear();
    reach = 0;
    add_up_to(first, page.first_ip + kCodeBytes);
    while (!parts.empty() && parts.back().instruction == nullptr)
        parts.pop_back();
    return parts;
}

namespace {

/// The parts around an instruction that run in its modes: a write of cr0 may change them.
std::pair<std::size_t, std::size_t> parts_of_modes(std::span<const jit::Part> parts,
                                                   std::uint32_t ip) {
    const auto writes_control = [](const jit::Part& part) {
        return part.instruction != nullptr &&
               part.instruction->instruction.dst.is_arf(isa::Arf::Control);
    };
    const auto at = std::ranges::find(parts, ip, &jit::Part::ip);
    const auto end = std::find_if(at, parts.end(), writes_control);
    auto begin = at;
    while (begin != parts.begin() && !writes_control(begin[-1]))
        --begin;
    return {begin - parts.begin(), end - parts.begin()};
}

/// To enter code costs more than to step through a few instructions, up to a write of cr0.
bool worth_entering(std::span<const jit::Part> parts, std::uint32_t ip) {
    constexpr std::size_t kFew = 4;
    const auto [begin, end] = parts_of_modes(parts, ip);
    const auto jumps = [](const jit::Part& part) {
        return part.instruction != nullptr && part.instruction->always_next;
    };
    return end == parts.size() || end - begin >= kFew ||
           std::ranges::any_of(parts.subspan(begin, end - begin), jumps);
}

}  // namespace

bool Program::compile(Page& page, Entry& entry, std::uint32_t control, jit::Level level) {
    const std::vector<jit::Part> parts = parts_around(page, entry);
    if (!worth_entering(parts, entry.decoded.ip)) return false;
    std::unique_ptr<jit::CompiledRegion> region = jit::CompiledRegion::make(parts, control, level);
    if (region == nullptr) return false;
    if (page.compiled.size() == kMostCompiled) free_compiled(page);
    if (compiled_bytes_ + region->bytes() > kMostCompiledBytes) free_compiled();
    compiled_bytes_ += region->bytes();
    ++compiled_.regions;
    compiled_.instructions += parts.size();
    compiled_.bytes += region->bytes();
    link(page, *region, entry);
    if (page.compiled.empty()) with_compiled_.push_back(&page);
    page.compiled.push_back(std::move(region));
    ++page.compilations;
    return true;
}

/// The region is made for the modes at `entry`: what lies on the other side of a write of cr0 keeps
/// the region that it has.
void Program::link(Page& page, const jit::CompiledRegion& region, const Entry& entry) {
    const std::span<const jit::Part> parts = region.parts();
    const auto [begin, end] = parts_of_modes(parts, entry.decoded.ip);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!region.has(parts[i].ip)) continue;
        const jit::CompiledRegion*& linked = page.find(parts[i].ip)->functional.compiled;
        if (linked == nullptr || (i >= begin && i < end)) linked = &region;
    }
}

void Program::take_up_compiled(Page& page, Entry& entry) {
    if (entry.functional.outside_of == page.compilations) return;
    bool outside = true;
    for (const std::unique_ptr<jit::CompiledRegion>& region : page.compiled) {
        if (!region->has(entry.decoded.ip)) continue;
        outside = false;
        const bool whole = std::ranges::all_of(region->parts(), [&page](const jit::Part& part) {
            const Entry* const at = page.find(part.ip);
            return part.instruction == nullptr ||
                   (at != nullptr && &at->decoded == part.instruction);
        });
        if (whole && worth_entering(region->parts(), entry.decoded.ip))
            return link(page, *region, entry);
    }
    if (outside) entry.functional.outside_of = page.compilations;
}

/// Drops what was compiled of an instruction that is made ready anew.
void Program::forget_compiled(Page& page, const DecodedInstruction& instruction) {
    const auto uses = [&](const std::unique_ptr<jit::CompiledRegion>& region) {
        const bool found = std::ranges::any_of(region->parts(), [&](const jit::Part& part) {
            return part.instruction == &instruction;
        });
        if (found) compiled_bytes_ -= region->bytes();
        return found;
    };
    if (std::erase_if(page.compiled, uses) != 0 && page.compiled.empty())
        std::erase(with_compiled_, &page);
}

void Program::free_compiled(Page& page) {
    for (const std::unique_ptr<jit::CompiledRegion>& region : page.compiled)
        compiled_bytes_ -= region->bytes();
    page.compiled.clear();
    for (const std::uint16_t place : page.ready)
        page.entries[place]->functional.compiled = nullptr;
    std::erase(with_compiled_, &page);
}

void Program::free_compiled() {
    while (!with_compiled_.empty())
        free_compiled(*with_compiled_.back());
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
    with_compiled_.clear();
    compiled_bytes_ = 0;
    pages_.clear();
    bytes_.clear();
    entries_made_ = 0;
    sends_ = 0;
    ++numbering_;
}

}  // namespace gen9::eu
