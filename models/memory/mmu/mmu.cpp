// SPDX-License-Identifier: Apache-2.0
#include "memory/mmu/mmu.h"

#include <algorithm>
#include <cstdio>

#include "common/bits.h"
#include "interconnect/payload/message.h"
#include "memory/physical_memory.h"

namespace gen9::memory {
namespace {

const char* to_text(AddressSpace space) {
    switch (space) {
        case AddressSpace::Ppgtt:
            return "PPGTT";
        case AddressSpace::Ggtt:
            return "GGTT";
        case AddressSpace::Physical:
            return "physical";
        case AddressSpace::Urb:
            return "URB";
    }
    return "?";
}

}  // namespace

Mmu::Mmu(const PhysicalMemory& memory, unsigned tlb_sets, unsigned tlb_ways)
    : memory_(&memory), tlb_(tlb_sets, tlb_ways) {}

Translation Mmu::find(AddressSpace space, GpuAddr address) const {
    if (space == AddressSpace::Ggtt) return global_.translate(address);
    if (space == AddressSpace::Ppgtt) return walk(*memory_, roots_, address);
    Translation found;
    found.address = PhysAddr(address.value);
    // The URB lies in L3: no such access comes down here.
    if (space == AddressSpace::Urb || address.value >= PhysicalMemory::kBytes) {
        found.fault = WalkFault::BeyondMemory;
        found.level = WalkLevel::Canonical;
    }
    return found;
}

Mmu::Answer Mmu::peek(AddressSpace space, GpuAddr address, bool write) const {
    Answer answer;
    Translation found = find(space, address);
    if (found.ok() && write && !found.writable) found.fault = WalkFault::NotWritable;
    answer.ok = found.ok();
    answer.writable = found.writable;
    answer.attribute = found.attribute;
    answer.table_reads = found.levels;
    answer.page_shift = found.page_shift;
    answer.address = found.address;
    answer.fault = found;
    return answer;
}

Mmu::Reach Mmu::reach(AddressSpace space, GpuAddr page, const Answer& answer, const Reach& most) {
    constexpr unsigned kMostWalks = 1024;  // each way
    const std::uint64_t place = page.value & ~std::uint64_t{kPageBytes - 1},
                        distance = (answer.address.value & ~std::uint64_t{kPageBytes - 1}) - place;
    const auto known = std::ranges::find_if(runs_, [&](const Run& run) {
        return run.first <= place && place < run.end && run.distance == distance &&
               run.space == space && run.writable == answer.writable;
    });
    Run& run = known != runs_.end() ? *known : runs_[next_run_++ % runs_.size()];
    if (known == runs_.end()) run = {place, place + kPageBytes, distance, space, answer.writable};
    // Bytes of the page of any size around `at`, from there on in a direction; 0: it does not go on.
    const auto more = [&](std::uint64_t at, bool up) -> std::uint64_t {
        const Answer next = peek(space, GpuAddr(at), false);
        if (!next.ok || next.writable != run.writable || next.address.value - at != run.distance)
            return 0;
        const std::uint64_t bytes = std::uint64_t{1} << next.page_shift, in = at & (bytes - 1);
        return up ? bytes - in : in + kPageBytes;
    };
    std::uint64_t bytes = 0;
    for (unsigned n = 0; place - run.first < most.before && n < kMostWalks; ++n, run.first -= bytes)
        if ((bytes = more(run.first - kPageBytes, false)) == 0) break;
    for (unsigned n = 0; run.end - place - kPageBytes < most.behind && n < kMostWalks;
         ++n, run.end += bytes)
        if ((bytes = more(run.end, true)) == 0) break;
    return {place - run.first, run.end - place - kPageBytes};
}

Mmu::Answer Mmu::translate(AddressSpace space, GpuAddr address, bool write) {
    if (space != AddressSpace::Physical) {
        const Tlb::Entry* entry = tlb_.find(space, address.value);
        // A write to a page held as read-only walks again, so that the fault names its entry.
        if (entry && (entry->writable || !write)) {
            Answer answer;
            answer.ok = true;
            answer.writable = entry->writable;
            answer.attribute = entry->attribute;
            answer.address = PhysAddr(entry->physical(address.value));
            return answer;
        }
    }
    const Answer answer = peek(space, address, write);
    if (answer.ok && space != AddressSpace::Physical)
        tlb_.insert(space, address.value, answer.address.value, answer.fault.page_shift,
                    answer.writable, answer.attribute);
    return answer;
}

void Mmu::set_roots(const PageDirectories& roots) {
    roots_ = roots;
    tlb_.drop(AddressSpace::Ppgtt);
    runs_ = {};
}

bool Mmu::record(AddressSpace space, GpuAddr address, const Translation& fault) {
    // RING_FAULT_REG: 0 valid, 2:1 type, 10:3 source, 11 GGTT, 14:12 engine (render is 0).
    // FAULT_TLB_DATA0/1: address 43:12; 47:44 in 3:0, GGTT in 4.
    if (!(fault_ & 1)) {
        const bool global = space == AddressSpace::Ggtt;
        const auto type = std::min<std::uint32_t>(static_cast<std::uint32_t>(fault.level), 3);
        fault_ = 1u | (global ? 0u : type << 1) | std::uint32_t{global} << 11;
        fault_data0_ = static_cast<std::uint32_t>(bits<std::uint64_t>(address.value, 43, 12));
        fault_data1_ = static_cast<std::uint32_t>(bits<std::uint64_t>(address.value, 47, 44)) |
                       std::uint32_t{global} << 4;
    }
    // A program that runs wild touches endless pages; what has been said of a few thousand is
    // enough.
    constexpr std::size_t kMaxPages = 4096;
    if (faulted_pages_.size() >= kMaxPages) return false;
    return faulted_pages_.insert({space, address.value / kPageBytes}).second;
}

std::string Mmu::place(AddressSpace space, GpuAddr address, const Origin& origin) {
    char text[64];
    std::snprintf(text, sizeof text, "%s page %012llx, ", to_text(space),
                  static_cast<unsigned long long>(address.value & ~std::uint64_t{kPageBytes - 1}));
    std::string place = std::string(text) + to_text(origin.requester);
    if (origin.requester == Requester::DataPort || origin.requester == Requester::Sampler)
        place += " of " + place_text(origin.thread);
    return place;
}

std::string Mmu::text(GpuAddr address, bool write, const Translation& fault) {
    char text[160];
    std::snprintf(text, sizeof text, "%s at %012llx: %s %016llx is %s; %s",
                  write ? "write" : "read", static_cast<unsigned long long>(address.value),
                  memory::to_text(fault.level), static_cast<unsigned long long>(fault.entry),
                  memory::to_text(fault.fault), write ? "nothing is written" : "reads zero");
    return text;
}

}  // namespace gen9::memory
