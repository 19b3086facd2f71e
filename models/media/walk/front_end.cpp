// SPDX-License-Identifier: Apache-2.0
#include "media/walk/front_end.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "common/bits.h"
#include "media/walk/refuse.h"
#include "packets/media.h"

namespace gen9::media {
namespace {

using packets::Command;

Command named(const PipelineCommand& command) {
    return command.row ? command.row->command : Command::Other;
}

}  // namespace

FrontEnd::Kind FrontEnd::kind_of(const PipelineCommand& command) {
    switch (named(command)) {
        case Command::MEDIA_VFE_STATE:
        case Command::MEDIA_POOL_STATE:
            return Kind::State;
        case Command::MEDIA_CURBE_LOAD:
        case Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD:
            return Kind::Load;
        case Command::MEDIA_STATE_FLUSH:
            return Kind::Flush;
        case Command::GPGPU_WALKER:
            return Kind::Walker;
        default:
            return media_command_of(command) ? Kind::Media : Kind::Refused;
    }
}

bool FrontEnd::makes_partition(const PipelineCommand& command) {
    return named(command) == Command::MEDIA_VFE_STATE;
}

Refusal FrontEnd::refuse() {
    return guest("media command", "unknown to the media pipe; skipped");
}

FrontEnd::FlushRequest FrontEnd::flush_of(const PipelineCommand& command) {
    namespace flush = packets::MEDIA_STATE_FLUSH;
    const auto dwords = dwords_of(command);
    return {flush::WatermarkRequired.get(dwords) != 0, flush::FlushtoGO.get(dwords) != 0,
            static_cast<unsigned>(flush::InterfaceDescriptorOffset.get(dwords))};
}

Descriptor FrontEnd::descriptor(unsigned index) const {
    return decode_descriptor(descriptor_rows_[index % VfeState::kDescriptorRows]);
}

std::optional<Refusal> FrontEnd::execute(const PipelineCommand& command, MemoryReader& memory) {
    if (kind_of(command) == Kind::Load && !command.state)
        return guest("media command", "no STATE_BASE_ADDRESS before it");
    switch (named(command)) {
        case Command::MEDIA_VFE_STATE: {
            VfeState state = decode_vfe_state(dwords_of(command));
            state.power_request = command.power_request;
            if (auto refusal = check(state, urb_rows_)) return refusal;
            // MED-12: all handles of the old partition are gone, and a new set is built.
            vfe_ = state;
            vfe_valid_ = true;
            urb_handles_.reset(kUrbOwner);
            urb_handles_.partition(kUrbOwner, {VfeState::kDescriptorRows + vfe_.curbe_rows,
                                               vfe_.urb_entry_rows, vfe_.urb_entries});
            curbe_.assign(std::size_t{vfe_.curbe_rows} * kGrfBytes, 0);
            return std::nullopt;
        }
        case Command::MEDIA_POOL_STATE: {
            const EuPools pools = decode_pools(dwords_of(command));
            if (auto refusal = check(pools, topology_)) return refusal;
            pools_ = pools;
            return std::nullopt;
        }
        case Command::MEDIA_CURBE_LOAD:
            return load_curbe(command, memory);
        default:
            return load_descriptors(command, memory);
    }
}

std::optional<Refusal> FrontEnd::load_descriptors(const PipelineCommand& command,
                                                  MemoryReader& memory) {
    namespace load = packets::MEDIA_INTERFACE_DESCRIPTOR_LOAD;
    const auto dwords = dwords_of(command);
    const std::uint64_t bytes = load::InterfaceDescriptorTotalLength.get(dwords);
    const std::uint64_t offset = load::InterfaceDescriptorDataStartAddress.get(dwords);
    if (bytes > sizeof descriptor_rows_ || bytes % kGrfBytes != 0)
        return guest(
            load::kStructure.name,
            std::to_string(bytes) + " bytes; descriptors are 32 bytes, at most 64 of them");
    if (!within(offset, bytes, command.state->dynamic_state_size))
        return guest(load::kStructure.name, "descriptors lie outside the dynamic state buffer");
    auto* const rows = reinterpret_cast<std::uint8_t*>(descriptor_rows_.data());
    if (!memory.read(command.state->dynamic_state_base + offset, {rows, bytes},
                     command.state->dynamic_mocs))
        return guest(load::kStructure.name, "descriptors could not be read");
    descriptors_loaded_ = static_cast<unsigned>(bytes / kGrfBytes);
    return std::nullopt;
}

std::optional<Refusal> FrontEnd::load_curbe(const PipelineCommand& command, MemoryReader& memory) {
    namespace load = packets::MEDIA_CURBE_LOAD;
    const auto dwords = dwords_of(command);
    const std::uint64_t bytes = load::CURBETotalDataLength.get(dwords);
    const std::uint64_t offset = load::CURBEDataStartAddress.get(dwords);
    if (bytes > curbe_.size())
        return guest(load::kStructure.name, std::to_string(bytes) +
                                                " bytes; the CURBE area holds " +
                                                std::to_string(curbe_.size()));
    if (!within(offset, bytes, command.state->dynamic_state_size))
        return guest(load::kStructure.name, "data lies outside the dynamic state buffer");
    if (!memory.read(command.state->dynamic_state_base + offset, {curbe_.data(), bytes},
                     command.state->dynamic_mocs))
        return guest(load::kStructure.name, "data could not be read");
    return std::nullopt;
}

std::span<std::uint8_t> FrontEnd::curbe_of(const PipelineCommand& command) {
    if (named(command) != Command::MEDIA_CURBE_LOAD) return {};
    return {curbe_.data(), packets::MEDIA_CURBE_LOAD::CURBETotalDataLength.get(dwords_of(command))};
}

bool FrontEnd::waits_for_entry(const PipelineCommand& command, Cycles now) {
    urb_handles_.collect(kUrbOwner, now);
    if (urb_handles_.total(kUrbOwner) == 0 || urb_handles_.free(kUrbOwner) != 0) return false;
    if (const auto media = media_command_of(command))
        return needs_entry(decode_media_object(*media, dwords_of(command)));
    return packets::GPGPU_WALKER::IndirectDataLength.get(dwords_of(command)) != 0;
}

std::optional<Refusal> FrontEnd::prepare(const PipelineCommand& command, MemoryReader& memory,
                                         Walk& walk) {
    constexpr const char* kName = packets::GPGPU_WALKER::kStructure.name;
    if (!command.state) return guest(kName, "no STATE_BASE_ADDRESS before it");
    if (!vfe_valid_) return guest(kName, "no MEDIA_VFE_STATE before it");
    walk.media.reset();
    walk.urb_data.clear();
    walk.walker = decode_walker(dwords_of(command), command.indirect_dimensions, command.resumes);
    walk.walker.returns_to_zero = ids_return_to_zero_;
    if (auto refusal = check(walk.walker)) return refusal;
    if (walk.walker.descriptor_index >= descriptors_loaded_)
        return guest(kName, "interface descriptor " + std::to_string(walk.walker.descriptor_index) +
                                " of " + std::to_string(descriptors_loaded_) + " loaded");
    walk.descriptor = descriptor(walk.walker.descriptor_index);
    walk.vfe = vfe_;
    walk.pools = pools_;
    walk.state = command.state;

    const Descriptor& d = walk.descriptor;
    if (auto refusal = check_slm(kName, d)) return refusal;
    if (walk.payload_rows() > kGrfCount)
        return guest(kName, "payload of " + std::to_string(walk.payload_rows()) +
                                " registers; a thread has 128");
    walk.registers = registers_of(*walk.state, d, walk.payload_rows(), memory);
    if (auto refusal = check_registers(kName, *walk.state, d, walk.registers)) return refusal;
    // TD-07: 003:16913-16916.
    const unsigned threads = walk.walker.group_threads(), room = room_for_groups(walk);
    if (d.bound_to_subslice() && threads > room)
        return guest(kName, "a group of " + std::to_string(threads) +
                                " threads with barrier or SLM can never fit a " +
                                (walk.pooled() ? "pool" : "subslice") + " with room for " +
                                std::to_string(room));
    walk.indirect = walk.walker.indirect_bytes != 0;
    walk.holds_entry = walk.indirect;
    return walk.indirect ? fetch_indirect(command, memory, walk) : fetch_curbe(walk);
}

std::optional<Refusal> FrontEnd::check_slm(const char* command, const Descriptor& d) const {
    if (d.slm_code > kMaxSlmCode && d.slm_code > static_cast<unsigned>(std::bit_width(slm_kb_)))
        return guest(command, "reserved shared local memory size " + std::to_string(d.slm_code));
    if (const unsigned asked = slm_kilobytes(d.slm_code); asked > slm_kb_)
        return guest(command, "a group with " + std::to_string(asked) +
                                  " KB of shared local memory; a subslice has " +
                                  std::to_string(slm_kb_) + " KB");
    return {};
}

unsigned FrontEnd::room_for_groups(const Walk& walk) const {
    ThreadTopology filled = topology_;
    if (walk.registers != 0)
        filled.threads = std::min(filled.threads, registers_.registers / walk.registers);
    const unsigned eus = vfe_.eus(filled);
    const unsigned room = walk.global_barrier() ? vfe_.room(filled)
                          : walk.pooled()
                              ? most_threads(pools_, filled, vfe_.subslice_mask(filled), eus)
                              : eus * filled.threads;
    return std::min<unsigned>(room, vfe_.max_threads);
}

unsigned FrontEnd::registers_of(const PipelineState& state, const Descriptor& descriptor,
                                unsigned payload, MemoryReader& memory) {
    if (!counts_registers_) return 0;
    if (!registers_.by_use) return registers_.taken(kGrfCount);
    isa::RegisterSet named = kernels_.of(
        state.instruction_base, static_cast<std::uint32_t>(descriptor.kernel_start), memory);
    for (unsigned i = 0; i < std::min<unsigned>(payload, kGrfCount); ++i)
        named.set(i);
    return registers_.taken(static_cast<unsigned>(named.count()));
}

std::optional<Refusal> FrontEnd::check_registers(const char* command, const PipelineState& state,
                                                 const Descriptor& descriptor,
                                                 unsigned registers) const {
    if (registers <= registers_.registers) return std::nullopt;
    char at[24];
    std::snprintf(
        at, sizeof at, "%llx",
        static_cast<unsigned long long>((state.instruction_base + descriptor.kernel_start).value));
    return guest(command, std::string("a thread of the kernel at ") + at + " takes " +
                              std::to_string(registers) + " registers; an EU has " +
                              std::to_string(registers_.registers) + " (eu.registers)");
}

std::optional<Refusal> FrontEnd::fetch_indirect(const PipelineCommand& command,
                                                MemoryReader& memory, Walk& walk) {
    constexpr const char* kName = packets::GPGPU_WALKER::kStructure.name;
    const WalkerParameters& w = walk.walker;
    const Descriptor& d = walk.descriptor;
    const std::uint64_t entry_bytes = std::uint64_t{vfe_.urb_entry_rows} * kGrfBytes;
    // TD-31: 003:17250-17252.
    if (vfe_.urb_entries == 0 || w.indirect_bytes > entry_bytes)
        return guest(kName, std::to_string(w.indirect_bytes) +
                                " bytes of indirect data; there are " +
                                std::to_string(vfe_.urb_entries) + " URB entries of " +
                                std::to_string(entry_bytes));
    const std::uint64_t needed =
        (d.cross_thread_rows + std::uint64_t{d.per_thread_rows} * w.group_threads()) * kGrfBytes;
    if (needed > w.indirect_bytes)
        return guest(kName, "threads read " + std::to_string(needed) + " bytes of payload; " +
                                std::to_string(w.indirect_bytes) + " are loaded");
    if (!within(w.indirect_offset, w.indirect_bytes, command.state->indirect_object_size))
        return guest(kName, "indirect data lies outside the indirect object buffer");
    walk.data.resize(w.indirect_bytes);
    // TD-15: of the dynamic state here too.
    if (!memory.read(command.state->indirect_object_base + w.indirect_offset, walk.data,
                     command.state->dynamic_mocs))
        return guest(kName, "indirect data could not be read");
    walk.urb_entry = urb_handles_.allocate(kUrbOwner);
    walk.urb_handle = vfe_.handle(walk.urb_entry);
    return std::nullopt;
}

std::optional<Refusal> FrontEnd::fetch_curbe(Walk& walk) const {
    const Descriptor& d = walk.descriptor;
    const std::size_t offset = std::size_t{d.constant_read_offset} * kGrfBytes;
    const std::size_t needed =
        (d.cross_thread_rows + std::size_t{d.per_thread_rows} * walk.walker.group_threads()) *
        kGrfBytes;
    // TD-14: with neither indirect data nor CURBE a walker has no payload to read.
    if (needed != 0 && !within(offset, needed, curbe_.size()))
        return guest(packets::GPGPU_WALKER::kStructure.name,
                     "threads read " + std::to_string(needed) + " bytes at " +
                         std::to_string(offset) + " of the CURBE, which has " +
                         std::to_string(curbe_.size()));
    walk.data.assign(curbe_.begin() + static_cast<std::ptrdiff_t>(needed ? offset : 0),
                     curbe_.begin() + static_cast<std::ptrdiff_t>(needed ? offset + needed : 0));
    walk.urb_handle = 0;
    return std::nullopt;
}

}  // namespace gen9::media
