// SPDX-License-Identifier: Apache-2.0
// Groups that wait for the ones before them, many more than the device has room for at a time.
#include "../opencl_program.h"

int main() {
    constexpr cl_uint kGroups = 8000, kItems = 16, kSteps = 97;
    OpenClProgram program("chained_groups.cl");
    Numbers numbers(5);
    std::vector<cl_uint> values(kGroups);
    for (cl_uint& value : values)
        value = numbers.next();
    const cl_kernel kernel = program.kernel("chained");
    Verdict verdict;
    for (unsigned launch = 0; launch < 2; ++launch) {
        const cl_mem sums = program.buffer(std::vector<cl_uint>(kGroups));
        program.arguments(kernel, sums, program.buffer(values), kSteps);
        program.run(kernel, {std::size_t{kGroups} * kItems}, {kItems});
        const auto got = program.read<cl_uint>(sums, kGroups);
        for (cl_uint group = 0, before = 1; group < kGroups; ++group) {
            cl_uint sum = values[group];
            for (cl_uint n = group * 40503u % kSteps; n != 0; --n)
                sum = sum * 1664525u + 1013904223u;
            before = ((group % 16 == 0 ? before : 1) + sum) | 1;
            verdict.equal(got[group], before, group, "chained");
        }
    }
    return verdict.finish("chained_groups");
}
