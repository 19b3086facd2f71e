// SPDX-License-Identifier: Apache-2.0
#include "eu/issue/timing.h"

#include <algorithm>

namespace gen9::eu {
namespace {

std::uint32_t value(const Param& param) {
    return static_cast<std::uint32_t>(param.get());
}

}  // namespace

TimingTable::TimingTable(const EuParams& p)
    : double_unit_(value(p.double_unit)),
      strided_passes_(value(p.strided_passes)),
      bank_conflict_(value(p.bank_conflict)),
      switch_front_end_(value(p.switch_front_end)),
      payload_read_(value(p.payload_read)),
      payload_read_register_(value(p.payload_read_register)) {
    const auto row = [this](LatencyClass kind) -> Row& {
        return rows_[static_cast<std::size_t>(kind)];
    };
    const Row simple{value(p.simple_front_end), value(p.simple_unit), value(p.simple_result),
                     value(p.simple_accumulator), value(p.simple_flag)};
    const Row wide{value(p.wide_front_end), value(p.wide_unit), value(p.wide_result),
                   value(p.wide_accumulator), value(p.wide_flag)};
    row(LatencyClass::Simple) = row(LatencyClass::Mad) = simple;
    row(LatencyClass::Wide64) = row(LatencyClass::MulDword) = row(LatencyClass::MadWide) = wide;
    row(LatencyClass::Dot) = {value(p.dot_front_end), value(p.dot_unit), value(p.long_result),
                              value(p.long_accumulator), value(p.long_flag)};
    row(LatencyClass::Interpolate) = {value(p.interpolate_front_end), value(p.interpolate_unit),
                                      value(p.long_result), value(p.long_accumulator),
                                      value(p.long_flag)};
    row(LatencyClass::Math) = {value(p.math_front_end), value(p.math_unit),
                               value(p.math_result),    value(p.math_result),
                               value(p.math_result),    value(p.math_front_end_less)};
    row(LatencyClass::MathPow) = {value(p.math_front_end), value(p.pow_unit),
                                  value(p.pow_result),     value(p.pow_result),
                                  value(p.pow_result),     value(p.math_front_end_less)};
    row(LatencyClass::MathIntDiv) = {value(p.divide_front_end),
                                     value(p.divide_unit),
                                     value(p.divide_result),
                                     value(p.divide_result),
                                     value(p.divide_result),
                                     0,
                                     true};
    // Flow control and control instructions write at most ip, notification counts or a GRF with the
    // return address: an ALU result.
    row(LatencyClass::Branch) = {value(p.branch_front_end),
                                 value(p.branch_unit),
                                 value(p.simple_result),
                                 value(p.simple_accumulator),
                                 value(p.simple_flag),
                                 0,
                                 true};
    row(LatencyClass::Control) = {value(p.control_front_end),
                                  1,
                                  value(p.simple_result),
                                  value(p.simple_accumulator),
                                  value(p.simple_flag),
                                  0,
                                  true};
    row(LatencyClass::Send) = {value(p.send_front_end), value(p.send_unit), 0, 0, 0, 0, true};
}

IssueTiming TimingTable::of(const DecodedInstruction& instruction, unsigned payload) const {
    const Row& row = rows_[static_cast<std::size_t>(instruction.latency)];
    const std::uint32_t strided = instruction.strided_registers * strided_passes_;
    const std::uint32_t data =
        std::max({std::uint32_t{instruction.execution_registers}, strided, 1u});
    // A null destination has a region and costs like one (EU-071).
    const std::uint32_t written =
        instruction.destination_registers ? instruction.destination_registers : data;
    IssueTiming timing;
    if (row.flat) {
        timing.front_end = row.front_end;
        timing.unit = row.unit;
    } else {
        timing.front_end = row.front_end * std::max(written, strided) - row.front_end_less;
        // The EM pipe passes doubles faster than an FPU passes other 64-bit types.
        const bool wide = instruction.latency == LatencyClass::Wide64 ||
                          instruction.latency == LatencyClass::MadWide;
        timing.unit = (wide && instruction.pipe == Pipe::Em ? double_unit_ : row.unit) * data;
    }
    if (instruction.bank_conflict) timing.front_end += bank_conflict_ * written;
    if (instruction.latency == LatencyClass::Send) timing = with_payload(timing, payload);
    timing.front_end = std::max(timing.front_end, std::uint32_t{1});
    // The results count from the end of the front end (derived intervals of the measurements guide,
    // section 2: SIMD8 add 2 + 8, math 4 - 2 + 16).
    timing.result = timing.front_end + row.result;
    timing.accumulator = timing.front_end + row.accumulator;
    timing.flag = timing.front_end + row.flag;
    if (instruction.thread_switch) timing.front_end = std::max(timing.front_end, switch_front_end_);
    return timing;
}

}  // namespace gen9::eu
