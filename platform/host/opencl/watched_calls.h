// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "platform/host/opencl/launch_checker.h"

namespace gen9::checks {

/// Puts functions into the layer that tell the checker of buffers, kernels and their arguments, and
/// of programs that are compiled. The others are the layer's own.
void watch_objects(cl_icd_dispatch& layer, const cl_icd_dispatch& driver, LaunchChecker& checker);

}  // namespace gen9::checks
