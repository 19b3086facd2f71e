// SPDX-License-Identifier: Apache-2.0
// Private arrays: per-item memory in scratch space, divergent inner loops.
#include <algorithm>

#include "../opencl_program.h"

int main() {
    constexpr std::size_t kItems = 64, kCount = 128;
    Numbers numbers(7);
    std::vector<int> values(kItems * kCount);
    for (int& value : values)
        value = static_cast<int>(numbers.below(1000));
    OpenClProgram program("private_arrays.cl");
    const cl_mem in = program.buffer(values), out = program.buffer(std::vector<int>(values.size()));
    const cl_kernel kernel = program.kernel("private_arrays");
    program.arguments(kernel, in, out);
    program.run(kernel, {kCount}, {32});
    const auto found = program.read<int>(out, values.size());
    Verdict verdict;
    for (std::size_t item = 0; item < kCount; ++item) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(item * kItems);
        std::sort(first, first + kItems);
        for (std::size_t i = 0; i < kItems; ++i)
            verdict.equal(found[item * kItems + i], first[static_cast<std::ptrdiff_t>(i)],
                          item * kItems + i);
    }
    return verdict.finish("private_arrays");
}
