// SPDX-License-Identifier: Apache-2.0
// math_functions float|double [FUNCTION...]: every built-in math function of OpenCL (2.0 section
// 6.13.2) on the device, against MPFR, within the limits of section 7.4 (full profile).
// Ordinary build options: no fast-math, no denormals-are-zero.
#include "math_inputs.h"

#include <algorithm>
#include <cstring>

namespace {

constexpr std::size_t inputs_per_function = 10240;

template <class T>
T rounded(const Real& value) {
    if constexpr (sizeof(T) == 4)
        return mpfr_get_flt(value, MPFR_RNDN);
    else
        return mpfr_get_d(value, MPFR_RNDN);
}

/// ulp(x) of section 7.4: the distance of the two finite numbers of type T around x.
template <class T>
void set_ulp(Real& ulp, const Real& x) {
    using Limits = std::numeric_limits<T>;
    const mpfr_exp_t lowest = Limits::min_exponent - Limits::digits;
    mpfr_exp_t exponent = lowest;
    if (mpfr_regular_p(x)) {
        const mpfr_exp_t top = std::min<mpfr_exp_t>(mpfr_get_exp(x), Limits::max_exponent);
        const bool power_of_two = mpfr_min_prec(x) == 1;
        exponent = std::max(lowest, top - Limits::digits - (power_of_two ? 1 : 0));
    }
    mpfr_set_ui_2exp(ulp, 1, exponent, MPFR_RNDN);
}

/// The error of `found` in ULP; infinity if it is of the wrong kind (NaN, infinity). A zero of the
/// wrong sign is no error in ULP and is counted on its own.
template <class T>
double error_in_ulp(T found, const Real& expected, double limit, const Expected& allowed,
                    bool underflowed, std::size_t& wrong_zeros) {
    constexpr double wrong = std::numeric_limits<double>::infinity();
    if (allowed.any_value) return 0;
    if (mpfr_nan_p(expected)) return std::isnan(found) ? 0 : wrong;
    if (std::isnan(found)) return wrong;
    const bool same_sign = std::signbit(found) == (mpfr_signbit(expected) != 0);
    if (mpfr_inf_p(expected))
        return std::isinf(found) && (same_sign || allowed.any_infinity_sign) ? 0 : wrong;
    const T nearest = rounded<T>(expected);
    const bool settled = limit == exactly || (mpfr_zero_p(expected) && !underflowed);
    if (found == 0 && nearest == 0 && settled && !same_sign && !allowed.any_zero_sign)
        ++wrong_zeros;
    if (settled && found == nearest) return 0;
    if (std::isinf(found) && std::isinf(nearest) && allowed.any_infinity_sign) return 0;
    if (std::isinf(found) && !same_sign) return wrong;
    if (std::isinf(found) && std::isinf(nearest)) return 0;
    Real ulp, difference;
    set_ulp<T>(ulp, expected);
    if (std::isinf(found))
        mpfr_set_si_2exp(difference, found < 0 ? -1 : 1, std::numeric_limits<T>::max_exponent,
                         MPFR_RNDN);
    else
        mpfr_set_d(difference, found, MPFR_RNDN);
    mpfr_sub(difference, difference, expected, MPFR_RNDN);
    mpfr_div(difference, difference, ulp, MPFR_RNDN);
    const double error = std::fabs(mpfr_get_d(difference, MPFR_RNDN));
    return settled ? std::max(error, 1.0) : error;
}

bool wanted(const Function& function, bool single, const std::vector<std::string>& names) {
    if ((single ? function.single_limit : function.double_limit) == not_defined) return false;
    return names.empty() || std::find(names.begin(), names.end(), function.name) != names.end();
}

std::string kernels(bool single, const std::vector<std::string>& names) {
    std::ostringstream text;
    if (!single) text << "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    text << "#define REAL " << (single ? "float\n" : "double\n") << "#define UNSIGNED "
         << (single ? "uint\n" : "ulong\n");
    for (const Function& function : math_functions()) {
        if (!wanted(function, single, names)) continue;
        text << "kernel void test_" << function.name
             << "(global const REAL* xs, global const REAL* ys, global const REAL* zs, global "
                "const int* ns,\n"
                "    global REAL* results, global REAL* seconds, global int* integers) {\n"
                "  size_t i = get_global_id(0);\n"
                "  REAL x = xs[i], y = ys[i], z = zs[i], second = 0;\n"
                "  int n = ns[i], integer = 0;\n"
                "  REAL result = "
             << function.expression
             << ";\n"
                "  results[i] = result; seconds[i] = second; integers[i] = integer;\n}\n";
    }
    return text.str();
}

template <class T>
bool test(OpenClProgram& program, const Function& function) {
    const double limit = sizeof(T) == 4 ? function.single_limit : function.double_limit;
    const MathInputs<T> inputs(function, inputs_per_function);
    const std::size_t count = inputs.x.size();
    const cl_mem results = program.buffer(std::vector<T>(count)),
                 seconds = program.buffer(std::vector<T>(count));
    const cl_mem integers = program.buffer(std::vector<cl_int>(count));
    const cl_kernel kernel = program.kernel(("test_" + function.name).c_str());
    program.arguments(kernel, program.buffer(inputs.x), program.buffer(inputs.y),
                      program.buffer(inputs.z), program.buffer(inputs.n), results, seconds,
                      integers);
    program.run(kernel, {count});
    const auto result = program.read<T>(results, count);
    const auto second = program.read<T>(seconds, count);
    const auto integer = program.read<cl_int>(integers, count);

    double worst = -1;
    std::size_t worst_at = 0, over = 0, failed = 0, wrong_zeros = 0;
    const double accepted = std::max(limit, library_limit(function.name, sizeof(T) == 4));
    Operands operands;
    operands.single = sizeof(T) == 4;
    for (std::size_t i = 0; i < count; ++i) {
        mpfr_set_d(operands.x, inputs.x[i], MPFR_RNDN);
        mpfr_set_d(operands.y, inputs.y[i], MPFR_RNDN);
        mpfr_set_d(operands.z, inputs.z[i], MPFR_RNDN);
        operands.n = inputs.n[i];
        Expected expected;
        mpfr_clear_flags();
        function.reference(expected, operands);
        const bool underflowed = mpfr_underflow_p() != 0;
        double error =
            error_in_ulp(result[i], expected.value, limit, expected, underflowed, wrong_zeros);
        if (function.has_second)
            error = std::max(error, error_in_ulp(second[i], expected.second, limit, expected,
                                                 underflowed, wrong_zeros));
        if (expected.check_integer && integer[i] != expected.integer)
            error = std::numeric_limits<double>::infinity();
        if (limit != unlimited && error > limit) {
            ++over;
            if (error > accepted && ++failed <= 3)
                std::printf(
                    "  %s(x %a, y %a, z %a, n %d): found %a, %a, %d; expected %a, %a, %ld: %g "
                    "ULP\n",
                    function.name.c_str(), double(inputs.x[i]), double(inputs.y[i]),
                    double(inputs.z[i]), inputs.n[i], double(result[i]), double(second[i]),
                    integer[i], double(rounded<T>(expected.value)),
                    double(rounded<T>(expected.second)), expected.integer, error);
        }
        if (error > worst) {
            worst = error;
            worst_at = i;
        }
    }
    char limit_text[32] = "-";
    if (limit != unlimited) std::snprintf(limit_text, sizeof limit_text, "%g", limit);
    std::printf("%-12s %-6s %6zu %12.5g %6s %5zu  %a %a %d", function.name.c_str(),
                sizeof(T) == 4 ? "float" : "double", count, worst, limit_text, wrong_zeros,
                double(inputs.x[worst_at]), double(inputs.y[worst_at]), inputs.n[worst_at]);
    if (over != 0)
        std::printf("  %zu over the limit: %s", over,
                    failed == 0 ? "as the library is known to be" : "FAIL");
    const bool zeros_matter = !sign_of_zero_lost(function.name, sizeof(T) == 4);
    if (wrong_zeros != 0 && zeros_matter) std::printf("  zeros of the wrong sign: FAIL");
    std::printf("\n");
    std::fflush(stdout);
    return failed == 0 && (wrong_zeros == 0 || !zeros_matter);
}

template <class T>
int test_all(const std::vector<std::string>& names) {
    constexpr bool single = sizeof(T) == 4;
    OpenClProgram program(OpenClProgram::Source{kernels(single, names)});
    std::printf("%-12s %-6s %6s %12s %6s %5s  %s\n", "function", "type", "inputs", "max ULP",
                "limit", "-0/+0", "worst input (x y n)");
    std::size_t tested = 0, failed = 0;
    for (const Function& function : math_functions()) {
        if (!wanted(function, single, names)) continue;
        ++tested;
        if (!test<T>(program, function)) ++failed;
    }
    std::printf("math_functions: %zu functions, %zu over their limit: %s\n", tested, failed,
                tested != 0 && failed == 0 ? "PASS" : "FAIL");
    return tested != 0 && failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string type = argc > 1 ? argv[1] : "";
    if (type != "float" && type != "double") {
        std::fprintf(stderr, "usage: math_functions float|double [FUNCTION...]\n");
        return 2;
    }
    const std::vector<std::string> names(argv + 2, argv + argc);
    return type == "float" ? test_all<float>(names) : test_all<double>(names);
}
