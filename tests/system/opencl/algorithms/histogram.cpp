// SPDX-License-Identifier: Apache-2.0
// Byte histogram: atomics on shared local memory, many on the same word. Each work item counts
// about 20 bytes (histogram [ITEMS]).
#include "../opencl_program.h"

int main(int argc, char** argv) {
    const int items = argc > 1 ? std::atoi(argv[1]) : 1024;
    if (argc > 2 || items < 64 || items > 1 << 20 || items % 64 != 0)
        OpenClProgram::fail("usage: histogram [ITEMS], ITEMS a multiple of 64 up to 1048576");
    const std::size_t work_items = static_cast<std::size_t>(items);
    const auto count = static_cast<std::uint32_t>(work_items * 20000 / 1024);
    Numbers numbers(4);
    std::vector<std::uint8_t> bytes(count);
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>(numbers.below(256) & numbers.below(256));
    std::vector<std::uint32_t> expected(256);
    for (auto byte : bytes)
        ++expected[byte];
    OpenClProgram program("histogram.cl");
    const cl_mem in = program.buffer(bytes), out = program.buffer(std::vector<std::uint32_t>(256));
    const cl_kernel kernel = program.kernel("histogram");
    program.arguments(kernel, in, count, out);
    program.run(kernel, {work_items}, {64});
    const auto bins = program.read<std::uint32_t>(out, 256);
    Verdict verdict;
    for (std::size_t i = 0; i < 256; ++i)
        verdict.equal(bins[i], expected[i], i, "bin");
    return verdict.finish("histogram");
}
