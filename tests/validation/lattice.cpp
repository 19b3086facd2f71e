// SPDX-License-Identifier: Apache-2.0
// A fluid on a lattice: W-41.
#include "validation.h"

namespace {
constexpr std::size_t kDirections = 19;

/// Two steps of `cells` cells (a multiple of 64); the second one is meant. Values have `bytes`
/// bytes in the format that `format` chooses. The options are those of the published program.
void step(std::size_t cells, std::size_t bytes, const std::string& format, const char* label,
          double amount) {
    constexpr std::size_t kPlane = 256 * 256, kAll = 256 * kPlane;
    Measured program("lattice.cl",
                     "-cl-finite-math-only -cl-no-signed-zeros -cl-mad-enable" + format);
    const cl_mem values = program.room(kDirections * kAll * bytes), flags = program.room(kAll);
    for (const cl_uint odd : {0u, 1u})
        program.launch("lattice", {cells}, {64}, values, flags, static_cast<cl_uint>(kPlane), odd);
    program.report(label, amount);
}
}  // namespace

/// Cells, bytes of a value (2 or 4): W-41. The amount is bytes: the values of 19 directions, read
/// and written, and a flag.
void lattice(const Sizes& sizes) {
    const std::size_t cells = sizes[0], bytes = sizes[1];
    step(cells, bytes, bytes == 2 ? " -DHALF" : "", "lattice",
         static_cast<double>((2 * kDirections * bytes + 1) * cells));
}

/// Cells: W-41 custom, values of 2 bytes in a format that no instruction converts. The amount is
/// cells.
void lattice_custom(const Sizes& sizes) {
    step(sizes[0], 2, " -DCUSTOM", "lattice_custom", static_cast<double>(sizes[0]));
}
