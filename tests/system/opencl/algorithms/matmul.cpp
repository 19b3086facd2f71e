// SPDX-License-Identifier: Apache-2.0
// Tiled matrix multiply. The order of the additions is the same on both sides, and so is the
// result.
#include "../opencl_program.h"

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 64;
    if (n < 16 || n % 16 != 0 || n > 2048)
        OpenClProgram::fail("usage: matmul [N], N a multiple of 16, 16 to 2048");
    const std::size_t count = static_cast<std::size_t>(n) * n;
    Numbers numbers(3);
    std::vector<float> a(count), b(count);
    for (float& value : a)
        value = numbers.unit() - 0.5f;
    for (float& value : b)
        value = numbers.unit() - 0.5f;
    OpenClProgram program("matmul.cl");
    const cl_mem in_a = program.buffer(a), in_b = program.buffer(b),
                 out = program.buffer(std::vector<float>(count));
    const cl_kernel kernel = program.kernel("matmul");
    program.arguments(kernel, in_a, in_b, out, n);
    const auto side = static_cast<std::size_t>(n);
    program.run(kernel, {side, side}, {16, 16});
    const auto c = program.read<float>(out, count);
    Verdict verdict;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            float sum = 0;
            for (int k = 0; k < n; ++k)
                sum = std::fma(a[y * n + k], b[k * n + x], sum);
            verdict.equal(c[y * n + x], sum, static_cast<std::size_t>(y * n + x));
        }
    return verdict.finish("matmul");
}
