// SPDX-License-Identifier: Apache-2.0
// A program of HeCBench's table, chosen by a rule (docs/validation.md).
#include <array>

#include "validation.h"

namespace {
using Words = std::array<std::uint32_t, 8>;  ///< a number modulo p, the lowest word first

/// Adds `factor` x `number` to `sum` from word `at` on.
template <std::size_t kSize>
void add(std::array<std::uint32_t, kSize>& sum, std::size_t at, std::uint64_t factor,
         std::uint32_t number) {
    std::uint64_t carry = factor * number;
    for (; at < kSize && carry; ++at) {
        carry += sum[at];
        sum[at] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
}

/// a x b modulo p = 2^256 - 2^32 - 977, not always below p.
Words product(const Words& a, const Words& b) {
    std::array<std::uint32_t, 16> all{};
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j)
            add(all, i + j, a[i], b[j]);
    for (int fold = 0; fold < 3; ++fold) {  // 2^256 is 2^32 + 977
        std::array<std::uint32_t, 16> less{};
        std::copy_n(all.begin(), 8, less.begin());
        for (std::size_t i = 0; i < 8; ++i) {
            add(less, i, 977, all[i + 8]);
            add(less, i + 1, 1, all[i + 8]);
        }
        all = less;
    }
    Words result;
    std::copy_n(all.begin(), 8, result.begin());
    return result;
}
Words sum(const Words& a, const Words& b) {
    std::array<std::uint32_t, 9> all{};
    for (std::size_t i = 0; i < 8; ++i) {
        add(all, i, 1, a[i]);
        add(all, i, 1, b[i]);
    }
    Words result;
    for (int fold = 0; fold < 2; ++fold) {
        const std::uint32_t above = all[8];
        all[8] = 0;
        add(all, 0, 977, above);
        add(all, 1, 1, above);
    }
    std::copy_n(all.begin(), 8, result.begin());
    return result;
}
Words difference(const Words& a, const Words& b) {
    Words minus_one{};  // p - 1
    minus_one.fill(0xffffffff);
    minus_one[0] = 0xfffffc2e;
    minus_one[1] = 0xfffffffe;
    return sum(a, product(minus_one, b));
}
bool same(const Words& a, const Words& b) {
    const Words zero = difference(a, b);
    Words p{};
    p.fill(0xffffffff);
    p[0] = 0xfffffc2f;
    p[1] = 0xfffffffe;
    return zero == Words{} || zero == p;
}
}  // namespace

/// Points: secp256k1, without the inversion of the result. The amount is points added. Their
/// numbers are any, for the sum asks nothing of them.
void curve(const Sizes& sizes) {
    const std::size_t count = std::max<std::size_t>(sizes[0], 2);
    Measured program("curve.cl", "-DPOINTS=" + std::to_string(count));
    Numbers numbers(13);
    std::vector<Words> points(2 * count);
    for (Words& number : points)
        for (std::uint32_t& word : number)
            word = numbers.next();
    const cl_mem in = program.buffer(points), out = program.room(32);
    for (int run = 0; run < 2; ++run)
        program.launch("curve", {32}, {32}, out, in);
    program.report("curve", static_cast<double>(count - 1));

    Words x = points[0], y = points[1], z{1}, all{1};
    for (std::size_t i = 1; i < count; ++i) {
        const Words z2 = product(z, z);
        const Words h = difference(product(points[2 * i], z2), x);
        const Words r = difference(product(points[2 * i + 1], product(z2, z)), y);
        const Words h2 = product(h, h), h3 = product(h, h2), t = product(x, h2);
        x = difference(difference(product(r, r), h3), sum(t, t));
        y = difference(product(r, difference(t, x)), product(h3, y));
        z = product(z, h);
        all = product(all, z);
    }
    const std::vector<unsigned char> bytes = program.program.read<unsigned char>(out, 32);
    Words found{};
    for (std::size_t i = 0; i < 32; ++i)
        found[i / 4] |= static_cast<std::uint32_t>(bytes[31 - i]) << (8 * (i % 4));
    if (!same(found, all)) OpenClProgram::fail("curve: wrong result");
}
