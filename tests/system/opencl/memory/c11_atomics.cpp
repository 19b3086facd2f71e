// SPDX-License-Identifier: Apache-2.0
// Atomic objects with orders and scopes against what any order of the items must leave.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kItems = 256, kCells = 16;

/// All values that went into a cell by exchange, but the last, came out again, each once.
template <class T>
bool all_came_out(std::vector<T> returned, T first, T last, std::vector<T> put) {
    returned.push_back(last);
    put.push_back(first);
    std::sort(returned.begin(), returned.end());
    std::sort(put.begin(), put.end());
    return returned == put;
}

template <class T>
void check(OpenClProgram& program, const char* name, Verdict& verdict) {
    using Unsigned = std::make_unsigned_t<T>;
    std::vector<T> cells(kCells);
    cells[4] = static_cast<T>(~Unsigned{0});
    cells[5] = std::numeric_limits<T>::max();
    cells[6] = std::numeric_limits<T>::min();
    const cl_mem memory = program.buffer(cells), results = program.buffer(std::vector<T>(kItems));
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, memory, results);
    program.run(kernel, {kItems}, {kItems});
    const auto end = program.read<T>(memory, kCells);
    std::vector<T> put;
    Unsigned sum = 0;
    for (std::size_t i = 0; i < kItems; ++i) {
        const T value = static_cast<T>(static_cast<int>(i) * 7 - 300);
        const Unsigned bit = Unsigned{1} << i % 31;
        sum += static_cast<Unsigned>(value);
        cells[2] = static_cast<T>(Unsigned(cells[2]) | bit);
        cells[3] = static_cast<T>(cells[3] ^ value);
        cells[4] = static_cast<T>(Unsigned(cells[4]) & ~bit);
        cells[5] = std::min(cells[5], value);
        cells[6] = std::max(cells[6], value);
        put.push_back(static_cast<T>(i + 1));
    }
    cells[0] = static_cast<T>(sum);
    cells[1] = static_cast<T>(Unsigned{0} - sum);
    cells[7] = static_cast<T>(3 * kItems);
    for (std::size_t cell = 0; cell < 8; ++cell)
        verdict.equal(end[cell], cells[cell], cell, name);
    verdict.equal(all_came_out(program.read<T>(results, kItems), T{0}, end[8], put), true, 8, name);
    // Each success of the strong exchange has counted the cell up by one; the others were counted.
    verdict.equal(static_cast<std::size_t>(end[9] + end[10]), kItems, 9, name);
}

void check_floats(OpenClProgram& program, Verdict& verdict) {
    const cl_mem memory = program.buffer(std::vector<float>{-1.0f, 0.0f, 0.0f, 21.5f}),
                 results = program.buffer(std::vector<float>(kItems));
    const cl_kernel kernel = program.kernel("global_float");
    program.arguments(kernel, memory, results);
    program.run(kernel, {kItems}, {64});
    const auto end = program.read<float>(memory, 4);
    std::vector<float> put;
    for (std::size_t i = 0; i < kItems; ++i)
        put.push_back(static_cast<float>(i) + 0.5f);
    verdict.equal(all_came_out(program.read<float>(results, kItems), -1.0f, end[0], put), true, 0,
                  "float exchange");
    verdict.equal(end[1], 7.25f, 1, "float store");
    verdict.equal(end[2], 43.0f, 2, "float load");
}

void check_flag(OpenClProgram& program, Verdict& verdict) {
    constexpr int kGroups = 20;
    const cl_mem lock = program.buffer(std::vector<cl_int>(1)),
                 guarded = program.buffer(std::vector<cl_int>(2));
    const cl_kernel kernel = program.kernel("flag");
    program.arguments(kernel, lock, guarded);
    program.run(kernel, {kGroups * 16}, {16});
    const auto end = program.read<cl_int>(guarded, 2);
    verdict.equal(end[0], kGroups, 0, "flag");
    verdict.equal(end[1], kGroups * (kGroups + 1) / 2, 1, "flag");
}

}  // namespace

int main() {
    Verdict verdict;
    for (const char* options :
         {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required"}) {
        OpenClProgram program("c11_atomics.cl", options);
        for (const std::string where : {"global_", "local_"}) {
            check<cl_int>(program, (where + "int").c_str(), verdict);
            check<cl_uint>(program, (where + "uint").c_str(), verdict);
            check<cl_long>(program, (where + "long").c_str(), verdict);
            check<cl_ulong>(program, (where + "ulong").c_str(), verdict);
        }
        check_floats(program, verdict);
        check_flag(program, verdict);
    }
    return verdict.finish("c11_atomics");
}
