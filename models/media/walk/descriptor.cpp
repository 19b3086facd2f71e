// SPDX-License-Identifier: Apache-2.0
#include "media/walk/descriptor.h"

#include "packets/media.h"

namespace gen9::media {

Descriptor decode_descriptor(std::span<const std::uint32_t> dwords) {
    namespace idd = packets::INTERFACE_DESCRIPTOR_DATA;
    const auto u8 = [&](const packets::Field& f) { return std::uint8_t(f.get(dwords)); };
    const auto u16 = [&](const packets::Field& f) { return std::uint16_t(f.get(dwords)); };
    Descriptor d;
    d.kernel_start = idd::KernelStartPointer.get(dwords);
    d.software_exception = idd::SoftwareExceptionEnable.get(dwords);
    d.illegal_opcode_exception = idd::IllegalOpcodeExceptionEnable.get(dwords);
    d.stack_exception = idd::MaskStackExceptionEnable.get(dwords);
    d.alternate_float = idd::FloatingPointMode.get(dwords);
    d.single_program_flow = idd::SingleProgramFlow.get(dwords);
    d.barrier = idd::BarrierEnable.get(dwords);
    d.global_barrier = idd::GlobalBarrierEnable.get(dwords);
    d.priority = u8(idd::ThreadPriority);
    d.rounding = u8(idd::RoundingMode);
    d.sampler_state_offset = std::uint32_t(idd::SamplerStatePointer.get(dwords));
    d.binding_table_offset = std::uint32_t(idd::BindingTablePointer.get(dwords));
    d.constant_read_offset = u16(idd::ConstantURBEntryReadOffset);
    d.per_thread_rows = u16(idd::ConstantURBEntryReadLength);
    d.cross_thread_rows = u16(idd::CrossThreadConstantDataReadLength);
    d.group_threads = u16(idd::NumberofThreadsinGPGPUThreadGroup);
    d.slm_code = u8(idd::SharedLocalMemorySize);
    return d;
}

}  // namespace gen9::media
