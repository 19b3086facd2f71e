// SPDX-License-Identifier: Apache-2.0
// Commands and descriptors as a driver writes them, from the packet rows; and a memory to read
// from.
#pragma once
#include <cstring>
#include <map>
#include <vector>

#include "common/bits.h"
#include "media/walk/front_end.h"
#include "packets/media.h"
#include "tests/support/zeroed_memory.h"

namespace gen9::media::test {

inline constexpr ThreadTopology kOneSubslice{1, 1, 8, 7};

inline constexpr std::uint64_t kDynamicBase = 0x10000, kIndirectBase = 0x40000;

inline PipelineStatePtr make_state() {
    auto state = std::make_shared<PipelineState>();
    state->dynamic_state_base = GpuAddr(kDynamicBase);
    state->dynamic_state_size = 0x10000;
    state->indirect_object_base = GpuAddr(kIndirectBase);
    state->indirect_object_size = 0x20000;
    state->instruction_base = GpuAddr(0x100000);
    return state;
}

inline PipelineCommand make_command(std::uint32_t header, unsigned dwords,
                                    const PipelineStatePtr& state) {
    PipelineCommand command;
    command.row = packets::find_command(header);
    command.dwords[0] = header;
    command.length_dwords = dwords;
    command.address = GpuAddr(0x7000);
    command.state = state;
    return command;
}

struct VfeFields {
    unsigned threads = 168, entries = 1, entry_rows = 0x782, curbe_rows = 0;
    unsigned scratch_code = 0, stack_code = 0, slice_disable = 0;
    std::uint64_t scratch_base = 0;
};
inline PipelineCommand vfe_command(const PipelineStatePtr& state, const VfeFields& f = {}) {
    namespace p = packets::MEDIA_VFE_STATE;
    auto c = make_command(p::kHeader, 9, state);
    p::MaximumNumberofThreads.set(c.dwords, f.threads - 1);
    p::NumberofURBEntries.set(c.dwords, f.entries);
    p::URBEntryAllocationSize.set(c.dwords, f.entry_rows);
    p::CURBEAllocationSize.set(c.dwords, f.curbe_rows);
    p::PerThreadScratchSpace.set(c.dwords, f.scratch_code);
    p::StackSize.set(c.dwords, f.stack_code);
    p::ScratchSpaceBasePointer.set(c.dwords, f.scratch_base);
    p::SliceDisable.set(c.dwords, f.slice_disable);
    return c;
}

/// Pools on; by default those of three subslices.
inline PipelineCommand pool_command(const PipelineStatePtr& state, std::uint32_t map = 0x00777000) {
    namespace p = packets::MEDIA_POOL_STATE;
    auto c = make_command(p::kHeader, 6, state);
    p::PooledEUEnable.set(c.dwords, 1);
    c.dwords[2] = map;
    return c;
}

inline PipelineCommand idd_load(const PipelineStatePtr& state, unsigned bytes = 32,
                                unsigned offset = 0) {
    namespace p = packets::MEDIA_INTERFACE_DESCRIPTOR_LOAD;
    auto c = make_command(p::kHeader, 4, state);
    p::InterfaceDescriptorTotalLength.set(c.dwords, bytes);
    p::InterfaceDescriptorDataStartAddress.set(c.dwords, offset);
    return c;
}

inline PipelineCommand curbe_load(const PipelineStatePtr& state, unsigned bytes, unsigned offset) {
    namespace p = packets::MEDIA_CURBE_LOAD;
    auto c = make_command(p::kHeader, 4, state);
    p::CURBETotalDataLength.set(c.dwords, bytes);
    p::CURBEDataStartAddress.set(c.dwords, offset);
    return c;
}

inline PipelineCommand flush_command(const PipelineStatePtr& state, unsigned descriptor = 0,
                                     bool watermark = false, bool to_go = false) {
    namespace p = packets::MEDIA_STATE_FLUSH;
    auto c = make_command(p::kHeader, 2, state);
    p::InterfaceDescriptorOffset.set(c.dwords, descriptor);
    p::WatermarkRequired.set(c.dwords, watermark);
    p::FlushtoGO.set(c.dwords, to_go);
    return c;
}

struct WalkerFields {
    unsigned descriptor = 0;
    unsigned simd = 16;
    std::array<unsigned, 3> threads{1, 1, 1};  ///< width, height, depth
    std::array<std::uint32_t, 3> start{}, groups{1, 1, 1};
    std::uint32_t right = ~0u, bottom = ~0u;
    unsigned indirect_bytes = 0, indirect_offset = 0;
    bool indirect_dimensions = false;
};
inline PipelineCommand walker_command(const PipelineStatePtr& state, const WalkerFields& f) {
    namespace p = packets::GPGPU_WALKER;
    auto c = make_command(p::kHeader, 15, state);
    p::InterfaceDescriptorOffset.set(c.dwords, f.descriptor);
    p::IndirectDataLength.set(c.dwords, f.indirect_bytes);
    p::IndirectDataStartAddress.set(c.dwords, f.indirect_offset);
    p::ThreadWidthCounterMaximum.set(c.dwords, f.threads[0] - 1);
    p::ThreadHeightCounterMaximum.set(c.dwords, f.threads[1] - 1);
    p::ThreadDepthCounterMaximum.set(c.dwords, f.threads[2] - 1);
    p::SIMDSize.set(c.dwords, f.simd == 8 ? 0 : f.simd == 16 ? 1 : f.simd == 32 ? 2 : 3);
    p::ThreadGroupIDStartingX.set(c.dwords, f.start[0]);
    p::ThreadGroupIDStartingY.set(c.dwords, f.start[1]);
    p::ThreadGroupIDStartingResumeZ.set(c.dwords, f.start[2]);
    p::ThreadGroupIDXDimension.set(c.dwords, f.groups[0]);
    p::ThreadGroupIDYDimension.set(c.dwords, f.groups[1]);
    p::ThreadGroupIDZDimension.set(c.dwords, f.groups[2]);
    p::RightExecutionMask.set(c.dwords, f.right);
    p::BottomExecutionMask.set(c.dwords, f.bottom);
    p::IndirectParameterEnable.set(c.dwords, f.indirect_dimensions);
    return c;
}

struct DescriptorFields {
    std::uint64_t kernel_start = 0x40;
    unsigned per_thread_rows = 0, cross_thread_rows = 0, read_offset = 0;
    unsigned group_threads = 1, slm_code = 0;
    bool barrier = false, global_barrier = false;
    unsigned sampler_offset = 0, binding_table = 0, rounding = 0;
    bool stack_exception = false, high_priority = false;
};
inline std::array<std::uint32_t, 8> make_descriptor(const DescriptorFields& f) {
    namespace p = packets::INTERFACE_DESCRIPTOR_DATA;
    std::array<std::uint32_t, 8> d{};
    p::KernelStartPointer.set(d, f.kernel_start);
    p::ConstantURBEntryReadLength.set(d, f.per_thread_rows);
    p::ConstantURBEntryReadOffset.set(d, f.read_offset);
    p::CrossThreadConstantDataReadLength.set(d, f.cross_thread_rows);
    p::NumberofThreadsinGPGPUThreadGroup.set(d, f.group_threads);
    p::SharedLocalMemorySize.set(d, f.slm_code);
    p::BarrierEnable.set(d, f.barrier);
    p::GlobalBarrierEnable.set(d, f.global_barrier);
    p::SamplerStatePointer.set(d, f.sampler_offset);
    p::BindingTablePointer.set(d, f.binding_table);
    p::RoundingMode.set(d, f.rounding);
    p::MaskStackExceptionEnable.set(d, f.stack_exception);
    p::ThreadPriority.set(d, f.high_priority);
    return d;
}

/// Bytes from 0x10000 to 0x60000; reads outside fail.
class Memory : public MemoryReader {
  public:
    static constexpr std::uint64_t kBase = 0x10000, kSize = 0x50000;
    gen9::test::ZeroedMemory bytes{kSize};
    unsigned reads = 0;
    std::uint8_t last_mocs = 0;

    bool read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) override {
        ++reads;
        last_mocs = mocs;
        if (data.empty()) return true;
        if (address.value < kBase || address.value + data.size() > kBase + kSize) return false;
        std::memcpy(data.data(), bytes.data() + (address.value - kBase), data.size());
        return true;
    }
    bool look(GpuAddr address, std::span<std::uint8_t> data) override {
        const bool ok = read(address, data, last_mocs);
        --reads;
        return ok;
    }
    void put(std::uint64_t address, const void* data, std::size_t size) {
        std::memcpy(bytes.data() + (address - kBase), data, size);
    }
    void put(unsigned index, const DescriptorFields& fields) {
        const auto d = make_descriptor(fields);
        put(kDynamicBase + index * 32, d.data(), 32);
    }
    /// Row n of the indirect data is filled with the byte first + n.
    void put_rows(std::uint64_t address, unsigned rows, unsigned first = 0) {
        for (unsigned row = 0; row < rows; ++row)
            std::memset(bytes.data() + (address - kBase) + row * 32, static_cast<int>(first + row),
                        32);
    }
};

}  // namespace gen9::media::test
