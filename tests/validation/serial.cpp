// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table, chosen by a rule (docs/validation.md), in which a work-item goes
// through a long row of its own.
#include <array>

#include "validation.h"

/// Slices, elements: softmax, of slices 784 elements long of which the first are worked on. The
/// amount is elements.
void softmax(const Sizes& sizes) {
    Measured program("serial.cl");
    constexpr std::size_t kStride = 784;
    const std::size_t slices = sizes[0], elements = std::min(sizes[1], kStride);
    Numbers numbers(11);
    std::vector<float> values(slices * kStride);
    for (float& value : values)
        value = static_cast<float>(numbers.below(13));
    const cl_mem in = program.buffer(values), out = program.room(4 * values.size());
    const auto launch = [&](std::size_t some, std::size_t parts) {
        program.launch("softmax", {(some + 255) / 256 * 256}, {256}, in, out,
                       static_cast<cl_int>(some), static_cast<cl_int>(kStride),
                       static_cast<cl_int>(parts));
    };
    launch(256, std::min<std::size_t>(16, elements));
    launch(slices, elements);
    program.report("softmax", static_cast<double>(slices * elements));
    const float* const slice = &values[(slices - 1) * kStride];
    const float most = *std::max_element(slice, slice + elements);
    float sum = 0;
    for (std::size_t i = 0; i < elements; ++i)
        sum += std::exp(slice[i] - most);
    const std::vector<float> found = program.program.read<float>(out, values.size());
    for (std::size_t i = 0; i < elements; ++i)
        if (std::fabs(found[(slices - 1) * kStride + i] - std::exp(slice[i] - most) / sum) > 1e-5f)
            OpenClProgram::fail("softmax: wrong result");
}

/// Rows of a system: thomas, of 16384 systems that are all the same. The amount is bytes: a row of
/// a system reads four numbers and writes two on the way down, reads two and writes one on the way
/// up.
void thomas(const Sizes& sizes) {
    Measured program("serial.cl");
    constexpr std::size_t kSystems = 16384;
    const std::size_t rows = std::max<std::size_t>(sizes[0], 4);
    Numbers numbers(12);
    std::array<std::vector<double>, 4> row;  // upper, diagonal, lower, right
    for (std::size_t i = 0; i < 4 * rows; ++i)
        row[i % 4].push_back(i % 4 == 1 ? 5.0 + 5.0 * numbers.unit() : 4.0 * numbers.unit() - 2.0);
    std::array<cl_mem, 4> arrays{};
    for (std::size_t array = 0; array < 4; ++array) {
        std::vector<double> all;
        for (const double number : row[array])
            all.insert(all.end(), kSystems, number);
        arrays[array] = program.buffer(all);
    }
    const auto launch = [&](std::size_t systems, std::size_t some) {
        program.launch("thomas", {systems}, {64}, arrays[2], arrays[1], arrays[0], arrays[3],
                       static_cast<cl_int>(kSystems), static_cast<cl_int>(some));
    };
    launch(64, 4);
    launch(kSystems, rows);
    program.report("thomas", 72.0 * static_cast<double>(kSystems * rows));
    auto& [upper, diagonal, lower, right] = row;
    upper[0] /= diagonal[0];
    right[0] /= diagonal[0];
    for (std::size_t i = 1; i < rows; ++i) {
        const double divisor = diagonal[i] - lower[i] * upper[i - 1];
        upper[i] /= divisor;
        right[i] = (right[i] - lower[i] * right[i - 1]) / divisor;
    }
    for (std::size_t i = rows - 1; i-- > 0;)
        right[i] -= upper[i] * right[i + 1];
    const std::vector<double> found = program.program.read<double>(arrays[3], kSystems * rows);
    for (std::size_t i = 0; i < rows; ++i)
        if (std::fabs(found[i * kSystems + kSystems - 1] - right[i]) > 1e-12)
            OpenClProgram::fail("thomas: wrong result");
}
