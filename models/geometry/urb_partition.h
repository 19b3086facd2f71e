// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "interconnect/payload/state.h"
#include "interconnect/payload/urb_handles.h"

namespace gen9::geometry {

/// The part of the URB that 3DSTATE_URB_VS, _HS, _DS or _GS gives its stage, as far as handles reach
/// (FF-41..43, FF-48); nothing: the command has not been given.
std::optional<UrbPartition> urb_partition(const PipelineState& state,
                                          const packets::CommandRow& command);

}  // namespace gen9::geometry
