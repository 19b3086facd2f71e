// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace gen9::platform {

/// Why the loader puts no library of ours into a program, which therefore finds no device: it is
/// static, for another processor, or runs with other rights than ours. Empty where it does. `word`
/// is looked for as a shell does; of a script its interpreter counts.
std::string why_not_preloaded(const std::string& word);

}  // namespace gen9::platform
