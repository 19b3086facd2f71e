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

}  // namespace

/// Matrix side, rows of the product: W-22. The amount is SIMD16 reads of local memory.
void blocked(const Sizes& sizes) {
    const std::size_t n = sizes[0], rows = std::min(sizes[1], n);
    Measured program("matrix.cl", ("-DN=" + std::to_string(n)).c_str());
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
    Measured program("matrix.cl", "-DN=16");
    const std::size_t side = sizes[0], n = std::max(sizes[1], side), inner = side - 16;
    const cl_mem m = program.floats(n * side), small = program.floats(32 * 32);
    const Local tile{4 * kTile};
    program.launch("lu_inner", {16, 16}, {16, 16}, small, 32, 0, tile, tile);
    program.launch("lu_inner", {inner, inner}, {16, 16}, m, static_cast<cl_int>(n), 0, tile, tile);
    program.report("lu", 2.0 / 16 * static_cast<double>(inner * inner * 16));
}

namespace {

/// One element per work-item, `first` x `second` items; the amount is multiply-adds.
void product(const char* kernel, std::size_t first, std::size_t second, std::size_t n,
             std::size_t depth, std::size_t words_a, std::size_t words_b) {
    Measured program("matrix.cl", "-DN=16");
    const cl_mem a = program.floats(words_a), b = program.floats(words_b),
                 c = program.floats(n * std::max(first, second));
    for (const std::size_t steps : {std::size_t{1}, depth})
        program.launch(kernel, {first, second}, {}, static_cast<cl_int>(n),
                       static_cast<cl_int>(steps), a, b, c);
    program.report(kernel, static_cast<double>(first * second * depth));
}

}  // namespace

/// Matrix side, depth, columns: W-24 (R9), the first columns of the product.
void by_rows(const Sizes& sizes) {
    const std::size_t n = sizes[0], depth = sizes[1], columns = sizes[2];
    product("by_rows", n, columns, n, depth, n * n, n * depth);
}
/// Rows, depth: W-24 (R1), rows of 8192.
void by_columns(const Sizes& sizes) {
    const std::size_t rows = sizes[0], depth = sizes[1];
    product("by_columns", 8192, rows, 8192, depth, rows * depth, depth * 8192);
}
