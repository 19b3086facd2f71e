// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "isa/instruction.h"

namespace gen9::eu {

/// One math function of finite or special operands (EU-256..EU-262). `b` is used by pow and fdiv;
/// `alternate`: logarithm and roots take the magnitude (EU-135).
float evaluate_math(isa::MathFunction function, float a, float b, bool alternate);

}  // namespace gen9::eu
