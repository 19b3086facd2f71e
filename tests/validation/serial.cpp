// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table, chosen by a rule (docs/validation.md), in which a work-item goes
// through a long row of its own.
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
