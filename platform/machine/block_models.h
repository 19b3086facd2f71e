// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>

#include "platform/blocks.h"

namespace gen9::platform {

/// The models of gen9sim, and what plugins have added.
BlockModels& block_models();

/// Makes the banks of the L3 whose path is `parent`, and puts them into `banks`.
l3::MakeBank banks_of(std::deque<Place<BankBlock>>& banks, const std::string& parent,
                      Environment& env, const Clock& clock);

}  // namespace gen9::platform
