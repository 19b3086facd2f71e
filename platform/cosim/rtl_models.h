// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9::platform {

struct BlockModels;

/// Adds the models "rtl" and "both" of the blocks that have RTL. Without Verilator they are there
/// by name, and refuse with a UserError that says what to install.
void add_rtl_models(BlockModels& models);

}  // namespace gen9::platform
