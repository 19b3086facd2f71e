// SPDX-License-Identifier: Apache-2.0
// Ranges that are no multiple of their groups (OpenCL 2.0): the driver cuts them into several
// walkers, all but the first with starting group ids.
#include <algorithm>
#include <array>

#include "../opencl_program.h"

namespace {

struct Range {
    std::array<cl_uint, 3> size, local, offset;
};

void run(OpenClProgram& program, cl_kernel kernel, const Range& range, Verdict& verdict) {
    const auto& [size, local, offset] = range;
    const std::size_t count = std::size_t{size[0]} * size[1] * size[2];
    const cl_mem times = program.buffer(std::vector<cl_uint>(count));
    const cl_mem place = program.buffer(std::vector<cl_uint>(4 * count));
    program.arguments(kernel, times, place, size[0], size[1]);
    program.run(kernel, {size[0], size[1], size[2]}, {local[0], local[1], local[2]},
                {offset[0], offset[1], offset[2]});
    const auto counted = program.read<cl_uint>(times, count);
    const auto places = program.read<cl_uint>(place, 4 * count);
    for (std::size_t at = 0; at < count; ++at) {
        const std::size_t item[3] = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]};
        cl_uint group = 0, own = 0, extent = 0, groups = 0;
        for (unsigned i = 0; i < 3; ++i) {
            const auto id = static_cast<cl_uint>(item[i]);
            const cl_uint begin = id / local[i] * local[i];
            group |= id / local[i] << 10 * i;
            own |= (id - begin) << 10 * i;
            extent |= std::min(local[i], size[i] - begin) << 10 * i;
            groups |= (size[i] + local[i] - 1) / local[i] << 10 * i;
        }
        verdict.equal(counted[at], 1u, at, "times an item ran");
        verdict.equal(places[4 * at], group, at, "group id");
        verdict.equal(places[4 * at + 1], own, at, "local id");
        verdict.equal(places[4 * at + 2], extent, at, "local size");
        verdict.equal(places[4 * at + 3], groups, at, "number of groups");
    }
}

}  // namespace

int main() {
    OpenClProgram program("uneven_groups.cl", "-cl-std=CL2.0");
    const cl_kernel kernel = program.kernel("uneven_groups");
    Verdict verdict;
    for (const Range& range : {
             Range{{257, 256, 1}, {256, 1, 1}, {0, 0, 0}},
             Range{{10, 3, 1}, {8, 1, 1}, {0, 0, 0}},
             Range{{9, 11, 1}, {4, 4, 1}, {3, 7, 0}},
             Range{{5, 7, 9}, {2, 3, 4}, {0, 0, 0}},
             Range{{10, 4, 3}, {8, 2, 1}, {1, 2, 3}},
             Range{{4, 6, 5}, {4, 4, 2}, {0, 0, 0}},
             Range{{33, 3, 2}, {16, 3, 2}, {0, 0, 0}},
         })
        run(program, kernel, range, verdict);
    return verdict.finish("uneven_groups");
}
