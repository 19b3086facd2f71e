// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table that pass once over arrays larger than the LLC, chosen by a rule
// (docs/validation.md).
#include "validation.h"

/// Sites of a lattice: su3. The amount is bytes of matrices read and written.
void links(const Sizes& sizes) {
    Measured program("streams.cl");
    // 4 matrices of 3 x 3 complex numbers; coordinates fill a site to 640 bytes.
    constexpr std::size_t kElements = 36, kDoubles = 80;
    std::vector<double> sites(kDoubles * sizes[0]), shared(2 * kElements);
    for (std::size_t site = 0; site < sizes[0]; ++site)
        for (std::size_t element = 0; element < kElements; ++element)
            sites[kDoubles * site + 2 * element] = 1;
    for (std::size_t element = 0; element < kElements; ++element)
        shared[2 * element] = 1.0 / 3;
    const cl_mem sites_in = program.buffer(sites), shared_in = program.buffer(shared),
                 out = program.room(8 * kDoubles * sizes[0]);
    for (const std::size_t count : {std::size_t{32}, sizes[0]})
        program.launch("links", {kElements * count}, {128}, sites_in, shared_in, out,
                       static_cast<cl_ulong>(count));
    program.report("links", 2.0 * 16 * kElements * static_cast<double>(sizes[0]));
    const std::vector<double> last = program.program.read<double>(out, kDoubles * sizes[0]);
    const std::size_t end = kDoubles * (sizes[0] - 1) + 2 * kElements;
    if (std::abs(last[end - 2] - 1) > 1e-6 || last[end - 1] != 0)
        OpenClProgram::fail("links: wrong product");
}
