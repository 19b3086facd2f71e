// SPDX-License-Identifier: Apache-2.0
// Barriers at which some threads arrive long after the others: nobody may pass before the last one.
// A thread computes for more instructions than functional mode gives it at a time.
#include <string>

#include "../opencl_program.h"

namespace {

constexpr cl_uint kItems = 256, kGroups = 4, kRounds = 16, kSteps = 3000;

/// What the kernels compute, item by item.
std::vector<cl_uint> expected() {
    std::vector<cl_uint> sums(kItems), shared(kItems);
    for (cl_uint item = 0; item < kItems; ++item)
        sums[item] = item;
    for (cl_uint round = 0; round < kRounds; ++round) {
        for (cl_uint item = 0; item < kItems; ++item) {
            const cl_uint steps = item / 32 == round % (kItems / 32) ? kSteps : 1;
            shared[item] = sums[item];
            for (cl_uint n = 0; n < steps; ++n)
                shared[item] = shared[item] * 1664525u + 1013904223u;
        }
        for (cl_uint item = 0; item < kItems; ++item)
            for (cl_uint n = 32; n < kItems; n += 32)
                sums[item] = sums[item] * 31 + shared[(item + n) % kItems];
    }
    return sums;
}

}  // namespace

int main() {
    OpenClProgram program("slow_threads.cl");
    const std::vector<cl_uint> empty(kItems * kGroups);
    const std::vector<cl_uint> sums = expected();
    Verdict verdict;
    for (const char* name : {"by_local_memory", "by_global_memory"}) {
        const cl_mem out = program.buffer(empty);
        const cl_kernel kernel = program.kernel(name);
        program.arguments(kernel, out, kRounds, kSteps);
        const cl_mem shared = program.buffer(empty);
        if (name == std::string("by_global_memory"))
            OpenClProgram::check(clSetKernelArg(kernel, 3, sizeof shared, &shared),
                                 "clSetKernelArg");
        program.run(kernel, {kItems * kGroups}, {kItems});
        const auto got = program.read<cl_uint>(out, kItems * kGroups);
        for (cl_uint item = 0; item < kItems * kGroups; ++item)
            verdict.equal(got[item], sums[item % kItems], item, name);
    }
    return verdict.finish("slow_threads");
}
