// SPDX-License-Identifier: Apache-2.0
#include "isa/message_text.h"

namespace gen9::isa {

std::string message_text(const Instruction&) { return ""; }

}  // namespace gen9::isa
