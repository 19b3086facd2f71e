// SPDX-License-Identifier: Apache-2.0
// Programs limited by local memory or the data port.
#include <algorithm>

#include "validation.h"

/// Pairs of words each of the 48 work-items encrypts: W-20. The amount is rounds of a work-item.
void blowfish(const Sizes& sizes) {
    Measured program("blowfish.cl");
    const cl_mem out = program.buffer(std::vector<cl_uint>(48));
    const auto pairs = static_cast<cl_uint>(sizes[0]);
    for (const cl_uint count : {1u, pairs})
        program.launch("expand", {48}, {8}, out, count);
    program.report("blowfish", 16.0 * pairs);
}

namespace {

constexpr std::size_t kTile = 16 * 16;  ///< words

/// What the compiler knows of the matrices.
std::string sides(std::size_t n, std::size_t depth) {
    return "-DN=" + std::to_string(n) + " -DDEPTH=" + std::to_string(depth);
}

}  // namespace

/// Matrix side, rows of the product: W-22. The amount is SIMD16 reads of local memory.
void blocked(const Sizes& sizes) {
    const std::size_t n = sizes[0], rows = std::min(sizes[1], n);
    Measured program("matrix.cl", sides(n, n));
    const cl_mem a = program.floats(n * rows), b = program.floats(n * n),
                 c = program.floats(n * rows);
    for (const std::size_t side : {std::size_t{16}, rows})
        program.launch("blocked", {side == 16 ? 16 : n, side}, {16, 16}, a, b, c, Local{4 * kTile},
                       Local{4 * kTile});
    program.report("blocked", 2.0 / 16 * static_cast<double>(n * n * rows));
    if (program.program.read<float>(c, 1)[0] != static_cast<float>(n))
        OpenClProgram::fail("blocked: wrong product");
}

/// Rows of the matrix, columns: W-23, the launch of the inner tiles. The amount is SIMD16 reads of
/// local memory.
void lu(const Sizes& sizes) {
    Measured program("matrix.cl", sides(16, 16));
    const std::size_t side = sizes[0], n = std::max(sizes[1], side), inner = side - 16;
    const cl_mem m = program.floats(n * side), small = program.floats(32 * 32);
    const Local tile{4 * kTile};
    program.launch("lu_inner", {16, 16}, {16, 16}, small, 32, 0, tile, tile);
    program.launch("lu_inner", {inner, inner}, {16, 16}, m, static_cast<cl_int>(n), 0, tile, tile);
    program.report("lu", 2.0 / 16 * static_cast<double>(inner * inner * 16));
}

/// Matrix side, depth, columns: W-24 (R9), the first columns of the product. The amount is
/// multiply-adds.
void by_rows(const Sizes& sizes) {
    const std::size_t n = sizes[0], depth = sizes[1], columns = sizes[2];
    Measured program("matrix.cl", sides(n, depth));
    const cl_mem a = program.floats(n * n), b = program.floats(n * depth),
                 c = program.floats(n * n);
    program.launch("by_rows", {16, 1}, {}, a, b, c);
    program.launch("by_rows", {n, columns}, {}, a, b, c);
    program.report("by_rows", static_cast<double>(n * depth * columns));
}

/// Matrix side, columns: a row of the product for each work-item, in 16 groups. The amount is
/// multiply-adds of the columns after the first two, with which the row of `a` is loaded.
void rows(const Sizes& sizes) {
    constexpr std::size_t kGroups = 16, kBefore = 2;
    const std::size_t n = sizes[0], columns = sizes[1];
    Measured program("matrix.cl", sides(n, n));
    // Whole numbers, whose sums are exact in any order.
    const auto whole = [n](std::size_t across, std::size_t down, std::size_t below) {
        std::vector<float> values(n * n);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>((i / n * down + i % n * across) % below);
        return values;
    };
    const std::vector<float> left = whole(3, 7, 5), right = whole(11, 5, 7);
    const cl_mem a = program.buffer(left), b = program.buffer(right);
    const auto run = [&](const std::string& kernel, const auto&... last) {
        const cl_mem c = program.floats(n * n, -1);
        for (const std::size_t count : {kBefore, kBefore + columns}) {
            program.launch(kernel.c_str(), {n}, {n / kGroups}, a, b, c, static_cast<cl_int>(count),
                           last...);
            program.report((kernel + (count == kBefore ? "_before" : "")).c_str(),
                           static_cast<double>(n * n * columns));
        }
        const std::vector<float> product = program.program.read<float>(c, n * n);
        for (const std::size_t i : {std::size_t{0}, n / 3, n / 2, n - 1}) {
            for (std::size_t j = 0; j < kBefore + columns; ++j) {
                float sum = 0;
                for (std::size_t k = 0; k < n; ++k)
                    sum += left[i * n + k] * right[k * n + j];
                if (product[i * n + j] != sum) OpenClProgram::fail("rows: wrong product");
            }
            if (product[i * n + kBefore + columns] != -1)
                OpenClProgram::fail("rows: a column too many");
        }
    };
    run("row_read");
    run("row_kept");
    run("row_and_column", Local{sizeof(cl_float) * n});
}

/// Rows, depth: W-24 (R1), rows of 8192. The amount is multiply-adds.
void by_columns(const Sizes& sizes) {
    constexpr cl_ulong kAcross = 8192;
    const cl_ulong rows = sizes[0], depth = sizes[1];
    Measured program("matrix.cl", sides(16, 16));
    const cl_mem a = program.floats(rows * depth), b = program.floats(depth * kAcross),
                 c = program.floats(rows * kAcross);
    for (const cl_ulong steps : {cl_ulong{1}, depth})
        program.launch("by_columns", {kAcross, rows}, {}, kAcross, steps, a, b, c);
    program.report("by_columns", static_cast<double>(kAcross * rows * depth));
}
