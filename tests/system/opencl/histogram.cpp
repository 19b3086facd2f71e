// SPDX-License-Identifier: Apache-2.0
// Byte histogram: atomics on shared local memory, many on the same word.
#include "opencl_program.h"

int main() {
    constexpr std::uint32_t kCount = 20000;
    Numbers numbers(4);
    std::vector<std::uint8_t> bytes(kCount);
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>(numbers.below(256) & numbers.below(256));
    std::vector<std::uint32_t> expected(256);
    for (auto byte : bytes)
        ++expected[byte];
    OpenClProgram program("histogram.cl");
    const cl_mem in = program.buffer(bytes), out = program.buffer(std::vector<std::uint32_t>(256));
    const cl_kernel kernel = program.kernel("histogram");
    program.arguments(kernel, in, kCount, out);
    program.run(kernel, {1024}, {64});
    const auto bins = program.read<std::uint32_t>(out, 256);
    Verdict verdict;
    for (std::size_t i = 0; i < 256; ++i)
        verdict.equal(bins[i], expected[i], i, "bin");
    return verdict.finish("histogram");
}
