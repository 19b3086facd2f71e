// SPDX-License-Identifier: Apache-2.0
/// What the state of a draw says of samples.
#pragma once
#include "interconnect/payload/draw_state.h"
#include "interpolation/multisample.h"

namespace gen9::interpolation {

/// What the mode of multisampling follows from. `hz_op`: of a clear by 3DSTATE_WM_HZ_OP.
MultisampleFields read_fields(const PipelineState& state, bool hz_op = false);
/// How many samples there are, where they are, and where coverage is tested (SF-44, WM-14 to WM-17,
/// WM-22).
Samples read_samples(const PipelineState& state, bool hz_op = false);
/// The samples that the state leaves (WM-15).
std::uint16_t read_sample_mask(const PipelineState& state, unsigned samples, bool hz_op = false);

}  // namespace gen9::interpolation
