// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mpfr_real.h"

#include <string>
#include <vector>

/// The operands of one call, exact.
struct Operands {
    Real x, y, z;
    long n = 0;
    bool single = true;
};

/// What the specification asks of one call.
struct Expected {
    Real value, second;
    long integer = 0;
    bool check_integer = false;
    bool any_value = false;  ///< a defect of a compiler's library, named at the function
    /// Where C99 and OpenCL leave the sign open.
    bool any_zero_sign = false, any_infinity_sign = false;
};

/// Limits in ULP, OpenCL 2.0 section 7.4 (full profile), one column per type.
constexpr double exactly = 0;     ///< "0 ulp" and "correctly rounded": the nearest value, no other
constexpr double unlimited = -1;  ///< "undefined" or "any value": measured, never too much
constexpr double not_defined = -2;  ///< no such function for this type

enum class Takes { x, xy, xyz, xn, n };

/// One built-in function: its OpenCL expression over x, y, z, n (results beside the returned one go
/// to `second` and `integer`), what it may be wrong by, where it is interesting, and what it is.
struct Function {
    std::string name, expression;
    Takes takes;
    double single_limit, double_limit;
    /// Half of the random operands lie in -range..range.
    double range;
    void (*reference)(Expected&, const Operands&);
    bool has_second = false;
    /// Only operands up to this magnitude are defined (half_sin and its like).
    double domain = 0;
};

const std::vector<Function>& math_functions();

/// Functions whose zeros have the wrong sign in a compiler's own library, whatever executes it (the
/// conformance tests compare zeros as numbers, so no vendor notices). Counted, not failed.
bool sign_of_zero_lost(const std::string& name, bool single);

/// What a compiler's own library is known to be wrong by beyond the limit, whatever executes it;
/// 0 for all functions but these.
double library_limit(const std::string& name, bool single);
