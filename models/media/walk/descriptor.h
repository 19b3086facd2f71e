// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace gen9::media {

/// INTERFACE_DESCRIPTOR_DATA as the dispatcher uses it (TD-02, TD-12, guide 3.2).
struct Descriptor {
    std::uint64_t kernel_start = 0;  ///< from the instruction base, bytes
    bool software_exception = false;
    bool illegal_opcode_exception = false;
    bool stack_exception = false;
    bool alternate_float = false;
    bool single_program_flow = false;
    bool barrier = false;
    bool global_barrier = false;
    std::uint8_t priority = 0;
    std::uint8_t rounding = 0;
    std::uint32_t sampler_state_offset = 0;
    std::uint32_t binding_table_offset = 0;
    std::uint16_t constant_read_offset = 0;  ///< rows
    std::uint16_t per_thread_rows = 0;
    std::uint16_t cross_thread_rows = 0;
    std::uint16_t group_threads = 0;  ///< terminating count of the group's barrier
    std::uint8_t slm_code = 0;

    bool operator==(const Descriptor&) const = default;
    /// Barrier or SLM bind a group to one subslice (TD-07, TD-08).
    bool bound_to_subslice() const { return barrier || slm_code != 0; }
};

Descriptor decode_descriptor(std::span<const std::uint32_t> dwords);

/// The largest legal code of the SLM size field, and its meaning (guide 3.6). Codes of more than
/// the machine's 64 KB are reserved; on a machine with more they go on in the same way, for so
/// Intel's driver 22.43 writes them (Measured: a group of 128 KB).
inline constexpr unsigned kMaxSlmCode = 7;
constexpr unsigned slm_kilobytes(unsigned code) {
    return code == 0 ? 0 : 1u << (code - 1);
}

}  // namespace gen9::media
