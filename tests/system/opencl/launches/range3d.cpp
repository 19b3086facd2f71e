// SPDX-License-Identifier: Apache-2.0
// Three-dimensional ranges with offsets and groups that do not fill their last thread.
#include "../opencl_program.h"

int main() {
    constexpr cl_uint kSize[3] = {15, 10, 6}, kLocal[3] = {5, 2, 3}, kOffset[3] = {3, 1, 2};
    constexpr std::size_t kCount = kSize[0] * kSize[1] * kSize[2];
    OpenClProgram program("range3d.cl");
    const cl_mem out = program.buffer(std::vector<cl_uint>(4 * kCount));
    const cl_kernel kernel = program.kernel("range3d");
    program.arguments(kernel, out, kSize[0], kSize[1]);
    program.run(kernel, {kSize[0], kSize[1], kSize[2]}, {kLocal[0], kLocal[1], kLocal[2]},
                {kOffset[0], kOffset[1], kOffset[2]});
    const auto found = program.read<cl_uint>(out, 4 * kCount);
    Verdict verdict;
    const auto pack = [](cl_uint x, cl_uint y, cl_uint z) { return x | y << 8 | z << 16; };
    for (cl_uint z = 0; z < kSize[2]; ++z)
        for (cl_uint y = 0; y < kSize[1]; ++y)
            for (cl_uint x = 0; x < kSize[0]; ++x) {
                const std::size_t at =
                    4 * ((static_cast<std::size_t>(z) * kSize[1] + y) * kSize[0] + x);
                verdict.equal(found[at], pack(x + kOffset[0], y + kOffset[1], z + kOffset[2]), at,
                              "global id");
                verdict.equal(found[at + 1], pack(x % kLocal[0], y % kLocal[1], z % kLocal[2]), at,
                              "local id");
                verdict.equal(found[at + 2], pack(x / kLocal[0], y / kLocal[1], z / kLocal[2]), at,
                              "group id");
                verdict.equal(found[at + 3], pack(kLocal[0], kLocal[1], kLocal[2]), at,
                              "local size");
            }
    return verdict.finish("range3d");
}
