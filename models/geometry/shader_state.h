// SPDX-License-Identifier: Apache-2.0
/// Shader state: what 3DSTATE_VS, _HS, _DS and _GS have in common, the push constants and pointers
/// that go with each, and what every thread of theirs begins with.
///
/// A thread's R0 is its header. Handles follow, by the rules of the stage; from the start register
/// on lie the push constants, and behind them what was read of the URB.
///
/// Spec  FF-05..FF-25, FF-60..FF-64, FF-80..FF-84; 003:11052-11559
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/units.h"
#include "interconnect/payload/dispatch.h"
#include "interconnect/payload/state.h"
#include "interconnect/payload/thread_places.h"
#include "packets/commands.h"
#include "packets/fields.h"

namespace gen9::geometry {

/// A stretch of memory with push constants.
struct ConstantRange {
    GpuAddr address;
    std::uint32_t bytes = 0;
    std::uint8_t mocs = 0;
};

struct ShaderState {
    bool enabled = false;
    bool statistics = false;
    std::uint32_t kernel = 0;  ///< from the instruction base
    GpuAddr kernel_start;
    bool alternate_float = false, vector_mask = false, single_program_flow = false,
         illegal_opcode_exception = false, software_exception = false, high_priority = false;
    std::uint32_t max_threads = 1;
    std::uint32_t binding_table = 0, samplers = 0;  ///< offsets
    std::uint32_t scratch_base = 0;                 ///< bytes, from the general state base
    std::uint8_t scratch_code = 0;                  ///< 1 KB << code for each thread
    std::uint8_t start = 0;                         ///< first register of constants and data
    std::uint32_t read_offset = 0;                  ///< rows of an entry
    std::uint32_t read_rows = 0;                    ///< of each entry
    std::array<ConstantRange, 4> constants{};
    std::uint32_t constant_rows = 0;
};

/// Where the commands of a stage with threads say it. A field that the stage's command does not
/// have is null.
struct ShaderCommands {
    const packets::CommandRow& shader;
    const packets::CommandRow& constants;
    const packets::CommandRow& binding_table;
    const packets::CommandRow& samplers;
    const packets::Field& enable;
    const packets::Field& statistics;
    const packets::Field& kernel;
    const packets::Field& alternate_float;
    const packets::Field& vector_mask;
    const packets::Field* single_program_flow;
    const packets::Field& illegal_opcode_exception;
    const packets::Field& software_exception;
    const packets::Field& priority;
    const packets::Field& max_threads;
    const packets::Field& scratch_base;
    const packets::Field& scratch_size;
    const packets::Field& start;
    const packets::Field* start_high;  ///< the bits above those of `start`
    const packets::Field& read_offset;
    const packets::Field& read_length;
    const char* stage;   ///< for reports
    const char* thread;  ///< a thread of it, for reports
    std::uint8_t ffid;   ///< Assumed: the seeds give FFID codes for no unit
};
/// Of VS, HS, DS or GS.
const ShaderCommands& shader_commands(packets::Unit unit);

/// `problems`: what the guest did wrong, if anything; each goes on with a thread's name. Of a stage
/// that is not enabled only the statistics bit counts.
ShaderState decode_shader(const PipelineState& state, packets::Unit unit, bool absolute_constants,
                          std::vector<std::string>& problems);

/// Says what is wrong with a payload of so many registers, `header` of which come before the data.
void check_registers(const ShaderState& shader, unsigned header, unsigned registers, bool has_data,
                     std::vector<std::string>& problems);

/// The handle of an entry, in units of 64 bytes (FF-48); its place is in rows.
constexpr std::uint32_t urb_handle(std::uint32_t urb_row) {
    return urb_row / 2 & 0xFFFF;
}

/// What a thread has beside its stage's state.
struct ThreadFacts {
    std::span<const std::uint8_t> constants;
    std::uint32_t scratch_slot = 0;
    std::uint32_t number = 0;  ///< R0.6
};

/// The registers of a thread while they are made.
class ThreadPayload {
  public:
    /// Fills in all of the thread that does not depend on what it works on: not its channels, nor
    /// more of the registers than R0.3 to R0.6. The first `header` registers are zeros until
    /// something is put there, and so are those up to the state's start register.
    ThreadPayload(const ShaderState& shader, packets::Unit unit, const ThreadFacts& facts,
                  const ThreadTopology& topology, const ThreadPlace& place, unsigned header,
                  unsigned registers, ThreadDispatch& dispatch);

    void put(unsigned reg, unsigned dword, std::uint32_t value);
    /// A field of a DWord, whose others stay.
    void put(unsigned reg, const packets::Field& field, std::uint32_t value);
    /// Behind the constants: each DWord of the entries in a register of its own, entry n in channel
    /// n (FF-67).
    void put_channels(std::span<const std::uint8_t> data, unsigned rows, unsigned entries);
    /// Behind what is there: an element of 16 bytes of each of two entries in a register, `bytes`
    /// of each; the second is missing where there is one entry (FF-66).
    void put_interleaved(std::span<const std::uint8_t> data, std::size_t bytes);
    /// Behind what is there: DWord after DWord (FF-65).
    void put_linear(std::span<const std::uint8_t> data);

  private:
    Grf* const payload_;
    const unsigned registers_;
    unsigned next_;  ///< register
};

}  // namespace gen9::geometry
