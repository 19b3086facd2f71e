// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../opencl_program.h"
#include "math_table.h"

#include <bit>
#include <climits>
#include <limits>
#include <type_traits>

/// Operands for one function: every special value (for two operands, every pair of them), the
/// neighbourhoods of poles, zeros and thresholds, random bit patterns, and the function's own
/// range.
template <class T>
class MathInputs {
  public:
    std::vector<T> x, y, z;
    std::vector<cl_int> n;

    MathInputs(const Function& function, std::size_t count) : function_(function) {
        const bool pairs = function.takes != Takes::x && function.takes != Takes::n;
        for (T first : specials())
            if (!pairs)
                add(first, 0, 0, 0);
            else if (function.takes == Takes::xn)
                for (cl_int exponent : special_integers())
                    add(first, 0, 0, exponent);
            else
                for (T second : specials())
                    add(first, second, any_special(), 0);
        if (!pairs)
            for (T point : points())
                for (int steps = -2; steps <= 2; ++steps)
                    add(moved(point, steps), 0, 0, 0);
        while (x.size() < count)
            add(any(), any(), any(), any_integer());
        while (x.size() % 64 != 0)
            add(any(), any(), any(), any_integer());
    }

  private:
    using Limits = std::numeric_limits<T>;
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

    static const std::vector<T>& specials() {
        static const std::vector<T> values = [] {
            const T magnitudes[] = {0,
                                    Limits::denorm_min(),
                                    3 * Limits::denorm_min(),
                                    Limits::min() / 2,
                                    std::nextafter(Limits::min(), T(0)),
                                    Limits::min(),
                                    Limits::epsilon(),
                                    T(0.25),
                                    T(0.5),
                                    std::nextafter(T(1), T(0)),
                                    1,
                                    std::nextafter(T(1), T(2)),
                                    T(1.5),
                                    2,
                                    T(2.5),
                                    3,
                                    T(1e6) + T(0.5),
                                    1 / Limits::epsilon(),
                                    2 / Limits::epsilon() + 2,
                                    Limits::max() / 2,
                                    Limits::max(),
                                    Limits::infinity()};
            std::vector<T> list{Limits::quiet_NaN()};
            for (T magnitude : magnitudes)
                list.insert(list.end(), {magnitude, -magnitude});
            return list;
        }();
        return values;
    }
    static const std::vector<cl_int>& special_integers() {
        static const std::vector<cl_int> values{
            0,    1,     -1,   2,     -2,   3,       -3,     4,       31,      126,
            -126, 127,   -127, 149,   -149, 150,     -150,   255,     -255,    1023,
            1074, -1074, 2100, -2100, 4096, 1 << 24, 100001, INT_MAX, INT_MIN, INT_MIN + 1};
        return values;
    }
    /// Multiples of pi/2 and of 1/2 (zeros, poles), and where exponentials overflow and underflow.
    static const std::vector<T>& points() {
        static const std::vector<T> values = [] {
            const double half_pi = 1.57079632679489661923;
            std::vector<T> list;
            for (int k = 1; k <= 64; ++k)
                for (double point : {k * half_pi, k * 0.5})
                    list.insert(list.end(), {T(point), T(-point)});
            for (double large : {1e4, 65536.0, 1e7, 1e15, 1e30, 1.7e38})
                list.insert(list.end(), {T(large), T(large * half_pi), T(-large)});
            for (double threshold : {88.722839,
                                     89.415986,
                                     103.27893,
                                     103.97208,
                                     128.0,
                                     126.0,
                                     149.0,
                                     150.0,
                                     38.531839,
                                     37.929779,
                                     44.853470,
                                     45.154499,
                                     709.782712893384,
                                     710.475860073944,
                                     745.133219101941,
                                     1022.0,
                                     1024.0,
                                     1074.0,
                                     308.254715559917,
                                     323.306215343116,
                                     35.04010,
                                     171.624376956303,
                                     26.543258,
                                     9.194549})
                list.insert(list.end(), {T(threshold), T(-threshold)});
            return list;
        }();
        return values;
    }
    static T moved(T value, int steps) {
        for (; steps > 0; --steps)
            value = std::nextafter(value, Limits::infinity());
        for (; steps < 0; ++steps)
            value = std::nextafter(value, -Limits::infinity());
        return value;
    }

    void add(T a, T b, T c, cl_int integer) {
        if (function_.domain != 0 && !(std::fabs(a) <= function_.domain))
            a = T(within(function_.domain));
        x.push_back(a);
        y.push_back(b);
        z.push_back(c);
        n.push_back(integer);
    }
    double within(double range) {
        const double high = numbers_.next(), low = numbers_.next();
        const double fine = (high + low / 4294967296.0) / 4294967296.0;
        return (2 * fine - 1) * range;
    }
    T any_special() {
        return specials()[numbers_.below(static_cast<std::uint32_t>(specials().size()))];
    }
    T any_bits() {
        std::uint64_t bits = 0;
        for (int i = 0; i < 4; ++i)
            bits = bits << 16 | numbers_.next() >> 16;
        const T value = std::bit_cast<T>(static_cast<Bits>(bits));
        return std::isnan(value) ? Limits::quiet_NaN() : value;
    }
    T any() {
        switch (numbers_.below(8)) {
            case 0:
                return moved(points()[numbers_.below(static_cast<std::uint32_t>(points().size()))],
                             static_cast<int>(numbers_.below(5)) - 2);
            case 1:
                return T(1 + within(1e-2));
            case 2:
                return T(std::ldexp(within(1), -static_cast<int>(numbers_.below(40))));
            case 3:
            case 4:
                return any_bits();
            default:
                return T(within(function_.range));
        }
    }
    cl_int any_integer() {
        switch (numbers_.below(4)) {
            case 0:
                return special_integers()[numbers_.below(
                    static_cast<std::uint32_t>(special_integers().size()))];
            case 1:
                return static_cast<cl_int>(numbers_.below(2400)) - 1200;
            default:
                return static_cast<cl_int>(numbers_.below(65)) - 32;
        }
    }

    const Function& function_;
    Numbers numbers_{20260101};
};
