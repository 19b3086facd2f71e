// SPDX-License-Identifier: Apache-2.0
// A fluid on a lattice: W-41.
#include "validation.h"

/// Cells that are computed (a multiple of 64), bytes of a value (2 or 4): W-41. The second of two
/// steps is meant. The amount is bytes: the values of 19 directions, read and written, and a flag.
void lattice(const Sizes& sizes) {
    constexpr std::size_t kPlane = 256 * 256, kAll = 256 * kPlane, kDirections = 19;
    const std::size_t cells = sizes[0], bytes = sizes[1];
    Measured program("lattice.cl", bytes == 2 ? "-DHALF" : "");
    const cl_mem values = program.room(kDirections * kAll * bytes), flags = program.room(kAll);
    for (const cl_uint odd : {0u, 1u})
        program.launch("lattice", {cells}, {64}, values, flags, static_cast<cl_uint>(kPlane), odd);
    program.report("lattice", static_cast<double>((2 * kDirections * bytes + 1) * cells));
}
