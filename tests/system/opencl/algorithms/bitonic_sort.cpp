// SPDX-License-Identifier: Apache-2.0
// Bitonic sort: many small kernels in a row, each reading what the one before wrote.
#include <algorithm>

#include "../opencl_program.h"

int main() {
    constexpr cl_uint kCount = 1024;
    Numbers numbers(6);
    std::vector<cl_uint> keys(kCount);
    for (auto& key : keys)
        key = numbers.next();
    OpenClProgram program("bitonic_sort.cl");
    const cl_mem data = program.buffer(keys);
    const cl_kernel kernel = program.kernel("bitonic_step");
    for (cl_uint stage = 2; stage <= kCount; stage *= 2)
        for (cl_uint distance = stage / 2; distance > 0; distance /= 2) {
            program.arguments(kernel, data, stage, distance);
            program.run(kernel, {kCount / 2}, {128});
        }
    const auto sorted = program.read<cl_uint>(data, kCount);
    std::sort(keys.begin(), keys.end());
    Verdict verdict;
    for (std::size_t i = 0; i < kCount; ++i)
        verdict.equal(sorted[i], keys[i], i);
    return verdict.finish("bitonic_sort");
}
