// SPDX-License-Identifier: Apache-2.0
// Atomics: the end value of every cell, and that the results are those of some order of the items.
#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kItems = 256, kCells = 16, kOperations = 11;

template <class T>
T value_of(std::size_t item) {
    return static_cast<T>(static_cast<int>(item) * 7 - 300);
}

/// Do the results of an operation whose order is not known form one chain from the first value?
/// Each result is what the operation before it left: starting at `first`, every step must find an
/// unused item that saw exactly the present value.
template <class T>
bool is_some_order(T first, const std::vector<T>& results,
                   const std::function<T(T, std::size_t)>& apply) {
    std::vector<bool> used(results.size());
    T now = first;
    for (std::size_t step = 0; step < results.size(); ++step) {
        std::size_t item = 0;
        while (item < results.size() && (used[item] || results[item] != now))
            ++item;
        if (item == results.size()) return false;
        used[item] = true;
        now = apply(now, item);
    }
    return true;
}

/// What all items leave in cells 0 to 8, in whatever order.
template <class T>
std::vector<T> after_all_items(std::vector<T> cells) {
    using Unsigned = std::make_unsigned_t<T>;
    const auto sum = [](T a, T b) { return static_cast<T>(Unsigned(a) + Unsigned(b)); };
    for (std::size_t i = 0; i < kItems; ++i) {
        const T value = value_of<T>(i);
        const T bit = static_cast<T>(Unsigned{1} << i % 31);
        cells[0] = sum(cells[0], value);
        cells[1] = sum(cells[1], static_cast<T>(Unsigned{0} - Unsigned(value)));
        ++cells[2];
        cells[3] = sum(cells[3], static_cast<T>(~Unsigned{0}));
        cells[4] = std::min(cells[4], value);
        cells[5] = std::max(cells[5], value);
        cells[6] = static_cast<T>(cells[6] & ~bit);
        cells[7] = static_cast<T>(cells[7] | bit);
        cells[8] = static_cast<T>(cells[8] ^ value);
    }
    return cells;
}

template <class T>
std::vector<T> first_cells() {
    std::vector<T> cells(kCells);
    cells[4] = std::numeric_limits<T>::max();
    cells[5] = std::numeric_limits<T>::min();
    cells[6] = static_cast<T>(~std::make_unsigned_t<T>{0});
    return cells;
}

template <class T>
void check_silent(OpenClProgram& program, const char* name, Verdict& verdict) {
    const auto start = first_cells<T>(), expected = after_all_items(start);
    const cl_mem memory = program.buffer(start);
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, memory);
    program.run(kernel, {kItems}, {kItems});
    const auto end = program.read<T>(memory, kCells);
    for (std::size_t cell = 0; cell < 9; ++cell)
        verdict.equal(end[cell], expected[cell], cell, name);
}

template <class T>
void check_operations(OpenClProgram& program, const char* name, Verdict& verdict) {
    using Unsigned = std::make_unsigned_t<T>;
    const std::vector<T> start = first_cells<T>();
    const cl_mem memory = program.buffer(start),
                 returned = program.buffer(std::vector<T>(kItems * kOperations));
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, memory, returned);
    program.run(kernel, {kItems}, {kItems});
    const auto end = program.read<T>(memory, kCells);
    const auto results = program.read<T>(returned, kItems * kOperations);
    const auto of = [&](std::size_t operation) {
        std::vector<T> list(kItems);
        for (std::size_t i = 0; i < kItems; ++i)
            list[i] = results[i * kOperations + operation];
        return list;
    };
    const auto sum = [](T a, T b) { return static_cast<T>(Unsigned(a) + Unsigned(b)); };

    const std::vector<T> expected = after_all_items(start);
    for (std::size_t cell = 0; cell < 9; ++cell)
        verdict.equal(end[cell], expected[cell], cell, name);

    // Each result is what some item before left behind.
    const auto order = [&](std::size_t cell, const std::function<T(T, std::size_t)>& apply) {
        verdict.equal(is_some_order<T>(start[cell], of(cell), apply), true, cell, name);
    };
    order(2, [&](T now, std::size_t) { return sum(now, 1); });
    order(3, [&](T now, std::size_t) { return sum(now, static_cast<T>(~Unsigned{0})); });
    order(9, [&](T, std::size_t item) { return value_of<T>(item); });
    // The last exchange is what memory holds: all values but one were returned, and the first.
    std::vector<T> exchanged = of(9);
    exchanged.push_back(end[9]);
    std::vector<T> all(1, start[9]);
    for (std::size_t i = 0; i < kItems; ++i)
        all.push_back(value_of<T>(i));
    std::sort(exchanged.begin(), exchanged.end());
    std::sort(all.begin(), all.end());
    verdict.equal(exchanged == all, true, 9, name);
    // Compare-exchange of item with item + 1: the cell has counted the items that came in order.
    std::size_t successes = 0;
    const std::vector<T> seen = of(10);
    for (std::size_t i = 0; i < kItems; ++i)
        successes += seen[i] == static_cast<T>(i);
    verdict.equal(end[10], static_cast<T>(successes), 10, name);
}

void check_unused(OpenClProgram& program, Verdict& verdict) {
    const cl_mem cells = program.buffer(std::vector<cl_int>(4)),
                 sum = program.buffer(std::vector<cl_uint>(4));
    const cl_kernel kernel = program.kernel("unused_results");
    program.arguments(kernel, cells, sum);
    program.run(kernel, {4 * kItems}, {kItems});
    const auto end = program.read<cl_int>(cells, 4);
    const int items = 4 * static_cast<int>(kItems);
    const cl_int expected[] = {items * (items - 1) / 2, items, (items - 1) * 3, 0x7FFFFFFF};
    for (std::size_t i = 0; i < 4; ++i) {
        verdict.equal(end[i], expected[i], i, "unused");
        verdict.equal(program.read<cl_uint>(sum, 4)[i], cl_uint(kItems), i, "group sums");
    }
}

void check_floats(OpenClProgram& program, Verdict& verdict) {
    const cl_mem cells = program.buffer(std::vector<float>(4));
    const cl_kernel kernel = program.kernel("float_sums");
    program.arguments(kernel, cells);
    program.run(kernel, {kItems}, {64});
    float expected[4] = {0, 0, 0, 1.5f};
    for (std::size_t i = 0; i < kItems; ++i)
        expected[i % 3] += static_cast<float>(i % 8);
    for (std::size_t i = 0; i < 4; ++i)
        verdict.equal(program.read<float>(cells, 4)[i], expected[i], i, "float");
}

void check_lock(OpenClProgram& program, Verdict& verdict) {
    constexpr int kGroups = 24;
    const cl_mem lock = program.buffer(std::vector<cl_int>(1)),
                 values = program.buffer(std::vector<cl_int>(2));
    const cl_kernel kernel = program.kernel("locked");
    program.arguments(kernel, lock, values);
    program.run(kernel, {kGroups * 16}, {16});
    verdict.equal(program.read<cl_int>(values, 2)[0], kGroups, 0, "locked");
    verdict.equal(program.read<cl_int>(values, 2)[1], kGroups * (kGroups + 1) / 2, 1, "locked");
}

}  // namespace

int main() {
    Verdict verdict;
    // By surface, then by 64-bit addresses.
    for (const char* options : {"", "-cl-intel-greater-than-4GB-buffer-required"}) {
        OpenClProgram program("atomics.cl", options);
        check_operations<cl_int>(program, "global_int", verdict);
        check_operations<cl_uint>(program, "global_uint", verdict);
        check_operations<cl_long>(program, "global_long", verdict);
        check_operations<cl_ulong>(program, "global_ulong", verdict);
        check_operations<cl_int>(program, "local_int", verdict);
        check_operations<cl_uint>(program, "local_uint", verdict);
        check_operations<cl_long>(program, "local_long", verdict);
        check_operations<cl_ulong>(program, "local_ulong", verdict);
        for (const std::string where : {"silent_global_", "silent_local_"}) {
            check_silent<cl_int>(program, (where + "int").c_str(), verdict);
            check_silent<cl_uint>(program, (where + "uint").c_str(), verdict);
            check_silent<cl_long>(program, (where + "long").c_str(), verdict);
            check_silent<cl_ulong>(program, (where + "ulong").c_str(), verdict);
        }
        check_unused(program, verdict);
        check_floats(program, verdict);
        check_lock(program, verdict);
    }
    return verdict.finish("atomics");
}
