// SPDX-License-Identifier: Apache-2.0
// Tree reduction: shared local memory, barriers, global atomics.
#include <algorithm>

#include "../opencl_program.h"

int main() {
    constexpr std::size_t kCount = 8192, kLocal = 128;
    Numbers numbers(2);
    std::vector<int> values(kCount);
    for (int& value : values)
        value = static_cast<int>(numbers.below(2001)) - 1000;
    OpenClProgram program("reduction.cl");
    const cl_mem in = program.buffer(values), total = program.buffer(std::vector<int>{0}),
                 largest = program.buffer(std::vector<int>{-100000});
    const cl_kernel kernel = program.kernel("reduction");
    program.arguments(kernel, in, total, largest);
    OpenClProgram::check(clSetKernelArg(kernel, 3, kLocal * sizeof(int), nullptr),
                         "clSetKernelArg");
    program.run(kernel, {kCount}, {kLocal});
    int sum = 0;
    for (int value : values)
        sum += value;
    Verdict verdict;
    verdict.equal(program.read<int>(total, 1)[0], sum, 0, "total");
    verdict.equal(program.read<int>(largest, 1)[0], *std::max_element(values.begin(), values.end()),
                  0, "largest");
    return verdict.finish("reduction");
}
