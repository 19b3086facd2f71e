// SPDX-License-Identifier: Apache-2.0
#include "rs/core.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "common/bits.h"
#include "packets/commands.h"
#include "packets/state.h"
#include "packets/surface_state.h"

namespace gen9::rs {

using packets::ResourceAction;

namespace {

ResourcePool pool_of(std::span<const std::uint32_t> dwords) {
    namespace row = packets::RESOURCE_POOL_ALLOC;
    ResourcePool pool;
    pool.enabled = row::PoolEnable.get(dwords) != 0;
    pool.base = canonical(row::PoolBaseAddress.get(dwords));
    pool.size_bytes = row::PoolBufferSize.get(dwords) * kPageBytes;
    pool.mocs = static_cast<std::uint8_t>(row::SurfaceObjectControlState.get(dwords));
    return pool;
}

/// Accesses of at most a line each that together cover `size` bytes at `address`, where a line
/// begins: pools begin at a page, and what is written to them at a line.
std::vector<LineAccess> lines_of(GpuAddr address, std::uint64_t size) {
    std::vector<LineAccess> lines;
    for (std::uint64_t done = 0; done < size;) {
        LineAccess line;
        line.address = canonical(address.value + done);
        line.size_bytes = static_cast<unsigned>(std::min<std::uint64_t>(size - done, kLineBytes));
        done += line.size_bytes;
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

void RsCore::guest_error(const std::string& kind, const std::string& text) {
    char place[96];
    std::snprintf(place, sizeof place, "0x%llx %s", static_cast<unsigned long long>(address_.value),
                  row_ ? row_->name : "command");
    reporter_.guest_error("rs: " + kind, place, text);
}

void RsCore::take_over(const ResourceState& state, bool new_batch) {
    state_ = state;
    if (!new_batch) return;
    tables_of_batch_ = 0;
    made_in_batch_ = false;
}

bool RsCore::execute(const StreamCommand& command, Memory& memory) {
    const Dwords dwords = command.dwords;
    address_ = command.address;
    row_ = command.row;
    const bool makes = packets::makes_resource(command.action, dwords, state_.tables.enabled,
                                               state_.gathers.enabled);
    switch (command.action) {
        case ResourceAction::Constants:  // the command streamer reports them
        case ResourceAction::Ignore:
        case ResourceAction::Stop:
        case ResourceAction::Block:
        case ResourceAction::Select:
            break;
        case ResourceAction::Gather:
            load_gather(dwords);
            if (makes) gather(dwords, memory);
            break;
        case ResourceAction::BindingTable:
            if (makes) write_table(dwords, memory);
            break;
        case ResourceAction::TablePool:
            state_.tables = pool_of(dwords);
            break;
        case ResourceAction::GatherPool:
            state_.gathers = pool_of(dwords);
            break;
        case ResourceAction::StoreData:
            store_data(dwords, memory);
            break;
        case ResourceAction::EditTable:
            edit(dwords);
            break;
        case ResourceAction::LatchBase:
            latch_base(dwords);
            break;
        case ResourceAction::Fence:
            ++stats_.fences;
    }
    return makes;
}

void RsCore::edit(Dwords dwords) {
    namespace row = packets::BINDING_TABLE_EDIT;
    constexpr unsigned kBlock = 16;
    if (!(row::BindingTableEditTarget.get(dwords) & 1)) return;
    auto& table = stage().table;
    const auto clear = row::BindingTableBlockClear.get(dwords);
    for (unsigned block = 0; block < kTableEntries / kBlock; ++block)
        if (clear >> block & 1) std::fill_n(table.begin() + block * kBlock, kBlock, 0);
    for (std::size_t i = row::kEntryDword; i < dwords.size(); ++i) {
        const Dwords entry = dwords.subspan(i, 1);
        table[row::BindingTableIndex.get(entry)] =
            static_cast<std::uint16_t>(row::SurfaceStatePointer.get(entry));
        ++stats_.edits;
    }
}

void RsCore::load_gather(Dwords dwords) {
    namespace row = packets::GATHER_CONSTANT;
    if (row::OnDieTable.get(dwords)) return;
    auto& table = stage().gather;
    table.fill(0);
    for (std::size_t i = row::kEntryDword; i < dwords.size(); ++i) {
        const std::size_t entry = 2 * (i - row::kEntryDword);
        if (entry >= kGatherEntries)
            return guest_error("gather table", "more than 256 entries; the rest is dropped");
        table[entry] = static_cast<std::uint16_t>(dwords[i]);
        table[entry + 1] = static_cast<std::uint16_t>(dwords[i] >> 16);
    }
}

// 003:2602, 2854-2856. How much of the table is written no document says. Assumed: the lines up to
// the last one with an entry, for drivers place tables as close as their own entries allow.
void RsCore::write_table(Dwords dwords, Memory& memory) {
    namespace row = packets::BINDING_TABLE_POINTERS;
    const auto& table = stage().table;
    const auto last = std::find_if(table.rbegin(), table.rend(), [](auto e) { return e != 0; });
    const auto used = static_cast<std::size_t>(table.rend() - last);
    constexpr std::size_t kOfLine = kLineBytes / sizeof table[0];
    const std::size_t lines = std::max<std::size_t>((used + kOfLine - 1) / kOfLine, 1);
    const std::uint64_t offset = row::PointerToBindingTable.get(dwords) << row::kPoolOffsetShift;
    write_pool(state_.tables, offset,
               {reinterpret_cast<const std::uint8_t*>(table.data()), lines * kLineBytes}, memory);
    ++stats_.tables;
    made_in_batch_ = true;
    if (++tables_of_batch_ == kMaxTablesOfBatch + 1)
        guest_error("binding tables", "more than 16383 in one batch buffer (RS-21)");
}

void RsCore::write_pool(const ResourcePool& pool, std::uint64_t offset,
                        std::span<const std::uint8_t> bytes, Memory& memory) {
    const std::uint64_t room = pool.size_bytes - std::min(offset, pool.size_bytes);
    if (bytes.size() > room) {
        guest_error("pool", "offset " + std::to_string(offset) +
                                " goes beyond its pool; what lies outside is not written");
        bytes = bytes.first(static_cast<std::size_t>(room));
    }
    std::vector<LineAccess> lines = lines_of(canonical(pool.base.value + offset), bytes.size());
    std::size_t done = 0;
    for (LineAccess& line : lines) {
        std::memcpy(line.bytes.data(), bytes.data() + done, line.size_bytes);
        done += line.size_bytes;
    }
    memory.write(lines);
}

// 003:2626, 2898-2900.
void RsCore::gather(Dwords dwords, Memory& memory) {
    namespace row = packets::GATHER_CONSTANT;
    namespace field = packets::GATHER_CONSTANT_ENTRY;
    const auto valid = row::ConstantBufferValid.get(dwords);
    std::vector<Element> elements;
    bool invalid = false;
    for (const std::uint16_t bits : stage().gather) {
        const std::uint32_t word = bits;
        const Dwords entry(&word, 1);
        Element element;
        element.buffer = static_cast<unsigned>(field::BindingTableIndexOffset.get(entry));
        element.channels = static_cast<unsigned>(field::ChannelMask.get(entry));
        element.offset_bytes = field::ConstantBufferOffset.get(entry) * 16;
        if (element.channels == 0) continue;
        invalid |= !(valid >> element.buffer & 1);
        elements.push_back(element);
    }
    // 003:2844.
    if (invalid)
        guest_error("gather", "an entry uses a constant buffer that is not valid; it reads zero");
    const auto buffers = find_buffers(dwords, elements, memory);
    const std::vector<std::uint32_t> packed = pack(elements, buffers, memory);
    write_pool(state_.gathers, row::GatherBufferOffset.get(dwords),
               {reinterpret_cast<const std::uint8_t*>(packed.data()), 4 * packed.size()}, memory);
    ++stats_.gathers;
    stats_.gathered_dwords += packed.size();
    made_in_batch_ = true;
}

std::array<RsCore::Buffer, 16> RsCore::find_buffers(Dwords dwords,
                                                    const std::vector<Element>& elements,
                                                    Memory& memory) {
    namespace row = packets::GATHER_CONSTANT;
    namespace surface = packets::render_surface_state;
    const auto& table = stage().table;
    const auto valid = row::ConstantBufferValid.get(dwords);
    const auto block = row::ConstantBufferBindingTableBlock.get(dwords);
    std::uint32_t used = 0;
    for (const Element& element : elements)
        if (valid >> element.buffer & 1) used |= 1u << element.buffer;
    std::vector<LineAccess> states;
    for (unsigned buffer = 0; buffer < 16; ++buffer) {
        if (!(used >> buffer & 1)) continue;
        const std::uint64_t entry = table[16 * block + buffer];
        states.push_back(
            {canonical(state_.surface_state_base.value + (entry << 6)), kLineBytes, {}});
    }
    memory.read(states);
    std::array<Buffer, 16> buffers{};
    auto next = states.begin();
    for (unsigned buffer = 0; buffer < 16; ++buffer) {
        if (!(used >> buffer & 1)) continue;
        std::array<std::uint32_t, surface::kDwords> words;
        std::memcpy(words.data(), (next++)->bytes.data(), sizeof words);
        const auto type = surface::SurfaceType.get(words);
        if (type == surface::SURFTYPE_NULL) continue;
        if (type != surface::SURFTYPE_BUFFER) {
            guest_error("gather", "constant buffer " + std::to_string(buffer) +
                                      " is no buffer surface; it reads zero");
            continue;
        }
        // The count of a buffer is divided over three fields (003:5040-5210).
        const std::uint64_t count = (surface::Width.get(words) & 0x7F) |
                                    surface::Height.get(words) << 7 |
                                    surface::Depth.get(words) << 21;
        // 003:2843: constants are 128-bit aligned; DWords must be.
        buffers[buffer] = {canonical(surface::SurfaceBaseAddress.get(words) & ~3ull),
                           (count + 1) * (surface::SurfacePitch.get(words) + 1)};
    }
    return buffers;
}

std::vector<std::uint32_t> RsCore::pack(const std::vector<Element>& elements,
                                        const std::array<Buffer, 16>& buffers, Memory& memory) {
    constexpr std::uint64_t kElementBytes = 16;
    std::vector<LineAccess> lines;  // each line of the buffers once, in order of address
    for (const Element& element : elements) {
        const Buffer& buffer = buffers[element.buffer];
        for (std::uint64_t byte = 0; byte < kElementBytes; byte += 4)
            if (element.offset_bytes + byte < buffer.size_bytes)
                lines.push_back(
                    {line_of(canonical(buffer.base.value + element.offset_bytes + byte)),
                     kLineBytes,
                     {}});
    }
    std::ranges::sort(lines, {}, &LineAccess::address);
    const auto same = [](const LineAccess& a, const LineAccess& b) {
        return a.address == b.address;
    };
    lines.erase(std::unique(lines.begin(), lines.end(), same), lines.end());
    memory.read(lines);

    std::vector<std::uint32_t> packed;
    for (const Element& element : elements)
        for (unsigned channel = 0; channel < 4; ++channel) {
            if (!(element.channels >> channel & 1)) continue;
            const Buffer& buffer = buffers[element.buffer];
            const std::uint64_t offset = element.offset_bytes + 4 * channel;
            std::uint32_t value = 0;
            if (offset + 4 <= buffer.size_bytes) {
                const GpuAddr at = canonical(buffer.base.value + offset);
                // It is there: the DWord lies within the buffer.
                const auto line =
                    std::ranges::lower_bound(lines, line_of(at), {}, &LineAccess::address);
                value = load<std::uint32_t>(line->bytes.data() + at.value % kLineBytes);
            }
            packed.push_back(value);
        }
    return packed;
}

void RsCore::latch_base(Dwords dwords) {
    namespace row = packets::STATE_BASE_ADDRESS;
    if (!row::SurfaceStateBaseAddressModifyEnable.get(dwords)) return;
    const GpuAddr base = canonical(row::SurfaceStateBaseAddress.get(dwords));
    // 003:2842.
    if (made_in_batch_ && base != state_.surface_state_base)
        guest_error("surface state base",
                    "changes within a batch for which the resource streamer has worked (RS-34)");
    state_.surface_state_base = base;
}

void RsCore::store_data(Dwords dwords, Memory& memory) {
    namespace row = packets::MI_RS_STORE_DATA_IMM;
    LineAccess word{canonical(row::DestinationAddress.get(dwords)), 4, {}};
    store(word.bytes.data(), static_cast<std::uint32_t>(row::DataDWord0.get(dwords)));
    memory.write({&word, 1});
    ++stats_.stores;
}

}  // namespace gen9::rs
