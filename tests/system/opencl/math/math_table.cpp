// SPDX-License-Identifier: Apache-2.0
#include "math_table.h"

#include <climits>
#include <cmath>
#include <limits>
#include <set>

namespace {

constexpr auto nearest = MPFR_RNDN;

double host(const Real& value) {
    return mpfr_get_d(value, nearest);
}

/// A float or double result computed by the host; only for functions whose result is exact.
void set(Real& to, double value) {
    mpfr_set_d(to, value, nearest);
}

void widen(Real& value) {
    mpfr_set_prec(value, Real::exact);
}

void magnitude(Expected& e, const Operands& o, bool larger) {
    const int order = mpfr_nan_p(o.x) || mpfr_nan_p(o.y) ? 0 : mpfr_cmpabs(o.x, o.y);
    if (order == 0)
        (larger ? mpfr_max : mpfr_min)(e.value, o.x, o.y, nearest);
    else
        mpfr_set(e.value, (order > 0) == larger ? o.x : o.y, nearest);
    e.any_zero_sign = true;
}

/// fract: x - floor(x), but never 1; C99 has none, OpenCL 6.13.2 gives the edge cases.
void fract(Expected& e, const Operands& o) {
    mpfr_rint(e.second, o.x, MPFR_RNDD);
    if (mpfr_nan_p(o.x)) return mpfr_set_nan(e.value);
    if (mpfr_inf_p(o.x) || mpfr_zero_p(o.x)) {
        mpfr_set_zero(e.value, mpfr_signbit(o.x) ? -1 : 1);
        return;
    }
    widen(e.value);
    mpfr_sub(e.value, o.x, e.second, nearest);
    const Real below_one(o.single ? std::nextafter(1.0f, 0.0f) : std::nextafter(1.0, 0.0));
    mpfr_min(e.value, e.value, below_one, nearest);
}

/// remquo: seven low bits of the quotient, with the sign of x / y.
void remquo(Expected& e, const Operands& o) {
    long quotient = 0;
    mpfr_remquo(e.value, &quotient, o.x, o.y, nearest);
    if (mpfr_nan_p(e.value)) return;
    e.check_integer = true;
    const long low = std::labs(quotient) & 0x7f;
    e.integer = mpfr_signbit(o.x) != mpfr_signbit(o.y) ? -low : low;
}

/// MPFR's NaN has no sign; every NaN among the operands is a positive one.
void copy_sign(Expected& e, const Operands& o) {
    mpfr_setsign(e.value, o.x, !mpfr_nan_p(o.y) && mpfr_signbit(o.y), nearest);
}

/// OpenCL 7.5.1: powr(x, NaN) is NaN for every x; MPFR's powr(1, NaN) is 1.
void powr(Expected& e, const Operands& o) {
    if (mpfr_nan_p(o.y)) return mpfr_set_nan(e.value);
    mpfr_powr(e.value, o.x, o.y, nearest);
}

void next_after(Expected& e, const Operands& o) {
    const double x = host(o.x), y = host(o.y);
    set(e.value, o.single ? std::nextafter(static_cast<float>(x), static_cast<float>(y))
                          : std::nextafter(x, y));
}

/// frexp: the exponent of an infinity or a NaN is unspecified.
void frexp(Expected& e, const Operands& o) {
    int exponent = 0;
    set(e.value, std::frexp(host(o.x), &exponent));
    e.check_integer = mpfr_number_p(o.x);
    e.integer = exponent;
}

/// ilogb: FP_ILOGB0 and FP_ILOGBNAN are the implementation's choice, so only numbers are compared.
void ilogb(Expected& e, const Operands& o) {
    e.check_integer = mpfr_regular_p(o.x) || mpfr_inf_p(o.x);
    e.integer = mpfr_inf_p(o.x) ? INT_MAX : mpfr_regular_p(o.x) ? std::ilogb(host(o.x)) : 0;
}

void lgamma_r(Expected& e, const Operands& o) {
    int sign = 1;
    mpfr_lgamma(e.value, &sign, o.x, nearest);
    e.check_integer = mpfr_number_p(e.value);
    e.integer = sign;
}

/// rsqrt(-0): 1 / sqrt(-0) is -infinity, MPFR's is +infinity, OpenCL says nothing.
void rsqrt(Expected& e, const Operands& o) {
    mpfr_rec_sqrt(e.value, o.x, nearest);
    e.any_infinity_sign = true;
}

/// tgamma: Intel's, in double, is wrong where its steps leave the range: it takes pi / (x gamma(-x)
/// sin(pi x)) = 0 for a pole and returns +infinity; infinities never get a sign. See library_limit.
void tgamma(Expected& e, const Operands& o) {
    mpfr_gamma(e.value, o.x, nearest);
    if (o.single) return;
    e.any_infinity_sign = true;
    const Real smallest(4 * std::numeric_limits<double>::min());
    e.any_value = mpfr_number_p(e.value) && mpfr_cmpabs(e.value, smallest) < 0;
}

}  // namespace

// clang-format off
#define IS(...) [](Expected& e, const Operands& o) { (void)o; __VA_ARGS__; }
#define MPFR1(name) IS(mpfr_##name(e.value, o.x, nearest))
#define MPFR2(name) IS(mpfr_##name(e.value, o.x, o.y, nearest))

const std::vector<Function>& math_functions() {
    using enum Takes;
    static const std::vector<Function> functions{
        {"add", "x + y", xy, exactly, exactly, 1e6, IS(widen(e.value); mpfr_add(e.value, o.x, o.y, nearest))},
        {"subtract", "x - y", xy, exactly, exactly, 1e6, IS(widen(e.value); mpfr_sub(e.value, o.x, o.y, nearest))},
        {"multiply", "x * y", xy, exactly, exactly, 1e6, MPFR2(mul)},
        {"divide", "x / y", xy, 2.5, exactly, 1e6, MPFR2(div)},
        {"reciprocal", "1 / x", x, 2.5, exactly, 1e6, IS(mpfr_ui_div(e.value, 1, o.x, nearest))},
        {"acos", "acos(x)", x, 4, 4, 1.001, MPFR1(acos)},
        {"acosh", "acosh(x)", x, 4, 4, 100, MPFR1(acosh)},
        {"acospi", "acospi(x)", x, 5, 5, 1.001, MPFR1(acospi)},
        {"asin", "asin(x)", x, 4, 4, 1.001, MPFR1(asin)},
        {"asinh", "asinh(x)", x, 4, 4, 100, MPFR1(asinh)},
        {"asinpi", "asinpi(x)", x, 5, 5, 1.001, MPFR1(asinpi)},
        {"atan", "atan(x)", x, 5, 5, 20, MPFR1(atan)},
        {"atan2", "atan2(x, y)", xy, 6, 6, 100, MPFR2(atan2)},
        {"atanh", "atanh(x)", x, 5, 5, 1.001, MPFR1(atanh)},
        {"atanpi", "atanpi(x)", x, 5, 5, 20, MPFR1(atanpi)},
        {"atan2pi", "atan2pi(x, y)", xy, 6, 6, 100, MPFR2(atan2pi)},
        {"cbrt", "cbrt(x)", x, 2, 2, 1000, MPFR1(cbrt)},
        {"ceil", "ceil(x)", x, exactly, exactly, 1000, IS(mpfr_rint(e.value, o.x, MPFR_RNDU))},
        {"copysign", "copysign(x, y)", xy, exactly, exactly, 1000, copy_sign},
        {"cos", "cos(x)", x, 4, 4, 1000, MPFR1(cos)},
        {"cosh", "cosh(x)", x, 4, 4, 100, MPFR1(cosh)},
        {"cospi", "cospi(x)", x, 4, 4, 100, MPFR1(cospi)},
        {"erfc", "erfc(x)", x, 16, 16, 28, MPFR1(erfc)},
        {"erf", "erf(x)", x, 16, 16, 6, MPFR1(erf)},
        {"exp", "exp(x)", x, 3, 3, 120, MPFR1(exp)},
        {"exp2", "exp2(x)", x, 3, 3, 160, MPFR1(exp2)},
        {"exp10", "exp10(x)", x, 3, 3, 50, MPFR1(exp10)},
        {"expm1", "expm1(x)", x, 3, 3, 90, MPFR1(expm1)},
        {"fabs", "fabs(x)", x, exactly, exactly, 1000, IS(mpfr_abs(e.value, o.x, nearest))},
        {"fdim", "fdim(x, y)", xy, exactly, exactly, 1000, IS(widen(e.value); mpfr_dim(e.value, o.x, o.y, nearest))},
        {"floor", "floor(x)", x, exactly, exactly, 1000, IS(mpfr_rint(e.value, o.x, MPFR_RNDD))},
        {"fma", "fma(x, y, z)", xyz, exactly, exactly, 1000, IS(widen(e.value); mpfr_fma(e.value, o.x, o.y, o.z, nearest))},
        {"mad", "mad(x, y, z)", xyz, unlimited, unlimited, 1000, IS(widen(e.value); mpfr_fma(e.value, o.x, o.y, o.z, nearest))},
        {"fmax", "fmax(x, y)", xy, exactly, exactly, 1000, IS(mpfr_max(e.value, o.x, o.y, nearest); e.any_zero_sign = true)},
        {"fmin", "fmin(x, y)", xy, exactly, exactly, 1000, IS(mpfr_min(e.value, o.x, o.y, nearest); e.any_zero_sign = true)},
        {"fmod", "fmod(x, y)", xy, exactly, exactly, 1000, MPFR2(fmod)},
        {"fract", "fract(x, &second)", x, exactly, exactly, 1000, fract, true},
        {"frexp", "frexp(x, &integer)", x, exactly, exactly, 1000, frexp},
        {"hypot", "hypot(x, y)", xy, 4, 4, 1000, MPFR2(hypot)},
        {"ilogb", "0; integer = ilogb(x)", x, exactly, exactly, 1000, ilogb},
        {"ldexp", "ldexp(x, n)", xn, exactly, exactly, 1000, IS(mpfr_mul_2si(e.value, o.x, o.n, nearest))},
        {"lgamma", "lgamma(x)", x, unlimited, unlimited, 50, IS(int sign; mpfr_lgamma(e.value, &sign, o.x, nearest))},
        {"lgamma_r", "lgamma_r(x, &integer)", x, unlimited, unlimited, 50, lgamma_r},
        {"log", "log(x)", x, 3, 3, 100, MPFR1(log)},
        {"log2", "log2(x)", x, 3, 3, 100, MPFR1(log2)},
        {"log10", "log10(x)", x, 3, 3, 100, MPFR1(log10)},
        {"log1p", "log1p(x)", x, 2, 2, 2, MPFR1(log1p)},
        {"logb", "logb(x)", x, exactly, exactly, 1000, IS(set(e.value, std::logb(host(o.x))))},
        {"maxmag", "maxmag(x, y)", xy, exactly, exactly, 1000, IS(magnitude(e, o, true))},
        {"minmag", "minmag(x, y)", xy, exactly, exactly, 1000, IS(magnitude(e, o, false))},
        {"modf", "modf(x, &second)", x, exactly, exactly, 1000, IS(mpfr_modf(e.second, e.value, o.x, nearest)), true},
        {"nan", "nan((UNSIGNED)n)", n, exactly, exactly, 1000, IS(mpfr_set_nan(e.value))},
        {"nextafter", "nextafter(x, y)", xy, exactly, exactly, 1000, next_after},
        {"pow", "pow(x, y)", xy, 16, 16, 40, MPFR2(pow)},
        {"pown", "pown(x, n)", xn, 16, 16, 40, IS(mpfr_pow_si(e.value, o.x, o.n, nearest))},
        {"powr", "powr(x, y)", xy, 16, 16, 40, powr},
        {"remainder", "remainder(x, y)", xy, exactly, exactly, 1000, MPFR2(remainder)},
        {"remquo", "remquo(x, y, &integer)", xy, exactly, exactly, 1000, remquo},
        {"rint", "rint(x)", x, exactly, exactly, 1000, IS(mpfr_roundeven(e.value, o.x))},
        {"rootn", "rootn(x, n)", xn, 16, 16, 1000, IS(mpfr_rootn_si(e.value, o.x, o.n, nearest))},
        {"round", "round(x)", x, exactly, exactly, 1000, IS(mpfr_round(e.value, o.x))},
        {"rsqrt", "rsqrt(x)", x, 2, 2, 1000, rsqrt},
        {"sin", "sin(x)", x, 4, 4, 1000, MPFR1(sin)},
        {"sincos", "sincos(x, &second)", x, 4, 4, 1000, IS(mpfr_sin(e.value, o.x, nearest); mpfr_cos(e.second, o.x, nearest)), true},
        {"sinh", "sinh(x)", x, 4, 4, 100, MPFR1(sinh)},
        {"sinpi", "sinpi(x)", x, 4, 4, 100, MPFR1(sinpi)},
        {"sqrt", "sqrt(x)", x, 3, exactly, 1000, MPFR1(sqrt)},
        {"tan", "tan(x)", x, 5, 5, 1000, MPFR1(tan)},
        {"tanh", "tanh(x)", x, 5, 5, 20, MPFR1(tanh)},
        {"tanpi", "tanpi(x)", x, 6, 6, 100, MPFR1(tanpi)},
        {"tgamma", "tgamma(x)", x, 16, 16, 40, tgamma},
        {"trunc", "trunc(x)", x, exactly, exactly, 1000, IS(mpfr_rint(e.value, o.x, MPFR_RNDZ))},
        {"half_cos", "half_cos(x)", x, 8192, not_defined, 1000, MPFR1(cos), false, 65536},
        {"half_divide", "half_divide(x, y)", xy, 8192, not_defined, 1000, MPFR2(div)},
        {"half_exp", "half_exp(x)", x, 8192, not_defined, 80, MPFR1(exp)},
        {"half_exp2", "half_exp2(x)", x, 8192, not_defined, 120, MPFR1(exp2)},
        {"half_exp10", "half_exp10(x)", x, 8192, not_defined, 36, MPFR1(exp10)},
        {"half_log", "half_log(x)", x, 8192, not_defined, 100, MPFR1(log)},
        {"half_log2", "half_log2(x)", x, 8192, not_defined, 100, MPFR1(log2)},
        {"half_log10", "half_log10(x)", x, 8192, not_defined, 100, MPFR1(log10)},
        {"half_powr", "half_powr(x, y)", xy, 8192, not_defined, 20, powr},
        {"half_recip", "half_recip(x)", x, 8192, not_defined, 1000, IS(mpfr_ui_div(e.value, 1, o.x, nearest))},
        {"half_rsqrt", "half_rsqrt(x)", x, 8192, not_defined, 1000, rsqrt},
        {"half_sin", "half_sin(x)", x, 8192, not_defined, 1000, MPFR1(sin), false, 65536},
        {"half_sqrt", "half_sqrt(x)", x, 8192, not_defined, 1000, MPFR1(sqrt)},
        {"half_tan", "half_tan(x)", x, 8192, not_defined, 1000, MPFR1(tan), false, 65536},
    };
    return functions;
}
// clang-format on

bool sign_of_zero_lost(const std::string& name, bool single) {
    static const std::set<std::string> lost{
        // Intel's, by its compiled code: atan picks the sign with x < 0; fract is x - rndd(x);
        // frexp and nextafter select the constant 0; round is rndz(x + 0.49999997) when not x < 0;
        // sin ends with mad(x, x, +0) = -0 + +0. The others are made of these.
        "atan", "atan2", "atan2pi", "fract", "frexp", "nextafter", "round", "sin", "sincos",
        "sinpi", "half_sin",
        // PoCL's.
        "atanpi", "cospi", "tanpi"};
    // Intel has no double rounding instruction: ceil and floor are the whole part plus +0.
    static const std::set<std::string> lost_in_double{"ceil", "expm1", "floor"};
    return lost.count(name) != 0 || (!single && lost_in_double.count(name) != 0);
}

double library_limit(const std::string& name, bool single) {
    // Intel's tgamma(double) is exp(lgamma(x)), bit for bit: half an ulp of lgamma, up to 709, is
    // hundreds of ulp of the result.
    return name == "tgamma" && !single ? 1024 : 0;
}
