// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table, chosen by a rule (docs/validation.md).
#include <algorithm>

#include "validation.h"

/// Rows of 4096 points: heat2d. The amount is points.
void heat(const Sizes& sizes) {
    Measured program("table.cl");
    constexpr std::size_t kColumns = 4096;
    const std::size_t points = kColumns * sizes[0];
    const cl_mem in = program.floats(points), out = program.room(4 * points);
    for (const std::size_t items : {kColumns, points})
        program.launch("heat", {items}, {256}, out, in, static_cast<cl_int>(kColumns),
                       static_cast<cl_int>(sizes[0]), 0.96f, 0.0096f);
    program.report("heat", static_cast<double>(points));
}

/// Strings: jenkins-hash, which is also their amount.
void strings(const Sizes& sizes) {
    Measured program("table.cl");
    // 60 bytes and four more, which the published program takes from behind its string.
    const std::string text = "Four score and seven years ago our fathers brought forth on this";
    Numbers numbers(9);
    std::vector<cl_uint> words(16 * sizes[0]), lengths(sizes[0]), starts(sizes[0]);
    for (std::size_t i = 0; i < sizes[0]; ++i) {
        std::copy(text.begin(), text.end(), reinterpret_cast<char*>(&words[16 * i]));
        lengths[i] = numbers.below(61);
        starts[i] = i % 2;
    }
    lengths[1] = 30;
    const cl_mem lengths_in = program.buffer(lengths), starts_in = program.buffer(starts),
                 words_in = program.buffer(words), out = program.room(4 * sizes[0]);
    for (const std::size_t items : {std::size_t{256}, sizes[0]})
        program.launch("strings", {items}, {256}, lengths_in, starts_in, words_in, out,
                       static_cast<cl_ulong>(items));
    program.report("strings", static_cast<double>(sizes[0]));
    // The published source names the hash of the first 30 bytes.
    if (program.program.read<cl_uint>(out, 2)[1] != 0xcd628161u)
        OpenClProgram::fail("strings: wrong hash");
}

/// Frequencies, times: lombscargle. The amount is frequencies by times.
void periods(const Sizes& sizes) {
    const std::string known =
        "-DFREQUENCIES=" + std::to_string(sizes[0]) + " -DTIMES=" + std::to_string(sizes[1]);
    Measured program("table.cl", known);
    std::vector<float> frequencies(sizes[0]), times(sizes[1]), samples(sizes[1]);
    for (std::size_t i = 0; i < sizes[0]; ++i)
        frequencies[i] = 0.01f + static_cast<float>(i) * (9.99f / static_cast<float>(sizes[0]));
    for (std::size_t j = 0; j < sizes[1]; ++j) {
        times[j] = 0.01f + static_cast<float>(j) * (31.39f / static_cast<float>(sizes[1]));
        samples[j] = 2.0f * std::sin(times[j] + 1.57f);
    }
    const cl_mem power = program.room(4 * sizes[0]), times_in = program.buffer(times),
                 samples_in = program.buffer(samples), frequencies_in = program.buffer(frequencies);
    program.launch("periods", {sizes[0]}, {256}, power, times_in, samples_in, frequencies_in,
                   2.0f / 1.5f);
    program.report("periods", static_cast<double>(sizes[0] * sizes[1]));
}

/// Steps of a ring in each eighth of the run: matrix-rotate, of 5000 rows. A step further on has
/// fewer rings. The amount is steps of a work-item.
void rings(const Sizes& sizes) {
    Measured program("table.cl");
    constexpr std::size_t kSide = 5000, kRings = kSide / 2, kParts = 8;
    const cl_mem matrix = program.room(4 * kSide * kSide);
    const auto launch = [&](std::size_t from, std::size_t steps) {
        program.launch("rings", {(kRings + 255) / 256 * 256}, {256}, matrix,
                       static_cast<cl_int>(kSide), static_cast<cl_int>(from),
                       static_cast<cl_int>(steps));
    };
    launch(0, 1);
    for (std::size_t part = 0; part < kParts; ++part) {
        const std::size_t from = (2 * part + 1) * kSide / (2 * kParts) - sizes[0] / 2;
        launch(from, sizes[0]);
        std::size_t amount = 0;
        for (std::size_t step = from; step < from + sizes[0]; ++step)
            amount += (kSide - step) / 2;  // a ring has two steps less than the one around it
        program.report("rings", static_cast<double>(amount));
    }
}

/// Rows of an image of 2048 pixels a row: maxpool3d. The amount is bytes read and written.
void pool(const Sizes& sizes) {
    Measured program("table.cl");
    constexpr std::size_t kWidth = 2048;
    const std::size_t pixels = kWidth * sizes[0];
    const cl_mem image = program.floats(pixels), out = program.room(pixels);
    for (const std::size_t rows : {std::size_t{16}, sizes[0] / 2})
        program.launch("pool", {kWidth / 2, rows, 1}, {16, 16, 1}, image, out,
                       static_cast<cl_int>(kWidth), static_cast<cl_int>(sizes[0]),
                       static_cast<cl_int>(kWidth / 2), static_cast<cl_int>(sizes[0] / 2), 2, 2, 2,
                       2);
    program.report("pool", 5.0 * static_cast<double>(pixels));
    if (program.program.read<float>(out, pixels / 4).back() != 1.0f)
        OpenClProgram::fail("pool: wrong result");
}
