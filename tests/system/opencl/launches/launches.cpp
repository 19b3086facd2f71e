// SPDX-License-Identifier: Apache-2.0
// Many launches of 16 items, one after the other; scripts/launch-cost measures what each costs.
//   launches [N]
#include "../opencl_program.h"

int main(int argc, char** argv) {
    const auto launches = static_cast<cl_uint>(argc > 1 ? std::atoi(argv[1]) : 20);
    constexpr std::size_t kItems = 16;
    OpenClProgram program("launches.cl");
    const cl_kernel kernel = program.kernel("count");
    const cl_mem values = program.buffer(std::vector<cl_uint>(kItems));
    program.arguments(kernel, values);
    for (cl_uint i = 0; i < launches; ++i)
        OpenClProgram::check(clEnqueueNDRangeKernel(program.queue(), kernel, 1, nullptr, &kItems,
                                                    &kItems, 0, nullptr, nullptr),
                             "clEnqueueNDRangeKernel");
    const auto found = program.read<cl_uint>(values, kItems);
    Verdict verdict;
    for (cl_uint i = 0; i < kItems; ++i)
        verdict.equal(found[i], launches * (1 + i), i);
    return verdict.finish("launches");
}
