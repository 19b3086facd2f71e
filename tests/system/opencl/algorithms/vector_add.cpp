// SPDX-License-Identifier: Apache-2.0
// The smallest program: one addition per work-item, exact in single precision.
#include "../opencl_program.h"

int main() {
    constexpr std::size_t kCount = 4096;
    Numbers numbers(1);
    std::vector<float> a(kCount), b(kCount);
    for (std::size_t i = 0; i < kCount; ++i)
        a[i] = numbers.unit() * 100, b[i] = numbers.unit();
    OpenClProgram program("vector_add.cl");
    const cl_mem in_a = program.buffer(a), in_b = program.buffer(b),
                 out = program.buffer(std::vector<float>(kCount));
    const cl_kernel kernel = program.kernel("vector_add");
    program.arguments(kernel, in_a, in_b, out);
    program.run(kernel, {kCount});
    const auto sum = program.read<float>(out, kCount);
    Verdict verdict;
    for (std::size_t i = 0; i < kCount; ++i)
        verdict.equal(sum[i], a[i] + b[i], i);
    return verdict.finish("vector_add");
}
