// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table that pass once over arrays larger than the LLC, chosen by a rule
// (docs/validation.md).
#include <cstdlib>
#include <cstring>

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

/// Keys, divisor of their lengths: murmurhash3. Keys are as far apart as published ones of up to
/// 10000 bytes. The amount is blocks of 16 bytes.
void keys(const Sizes& sizes) {
    Measured program("streams.cl");
    const std::size_t count = sizes[0];
    std::srand(3);  // the published lengths
    std::vector<cl_uint> starts(count + 1), lengths(count);
    for (std::size_t key = 0; key < count; ++key) {
        const cl_uint length = std::rand() % 10000;
        starts[key + 1] = starts[key] + length;
        lengths[key] = length / static_cast<cl_uint>(sizes[1]);
    }
    std::vector<std::uint8_t> bytes(starts[count]);
    std::size_t blocks = 0;
    for (std::size_t key = 0; key < count; ++key) {
        for (std::size_t i = 0; i < lengths[key]; ++i)
            bytes[starts[key] + i] = static_cast<std::uint8_t>(i);
        blocks += lengths[key] / 16;
    }
    // A text whose hash is well known.
    const std::string text = "The quick brown fox jumps over the lazy dog";
    lengths[0] = static_cast<cl_uint>(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    const cl_mem bytes_in = program.buffer(bytes), starts_in = program.buffer(starts),
                 lengths_in = program.buffer(lengths), out = program.room(16 * count);
    for (const std::size_t items : {std::size_t{256}, count})
        program.launch("keys", {items}, {256}, bytes_in, starts_in, lengths_in, out,
                       static_cast<cl_uint>(items));
    program.report("keys", static_cast<double>(blocks));
    const std::vector<cl_ulong> hash = program.program.read<cl_ulong>(out, 2);
    if (hash[0] != 0xe34bbc7bbc071b6c || hash[1] != 0x7a433ca9c49a9347)
        OpenClProgram::fail("keys: wrong hash");
}

/// Columns: pathfinder, whose launches have as many work-items as a wall of 500 rows has places.
/// The amount is groups.
void strips(const Sizes& sizes) {
    Measured program("streams.cl");
    constexpr cl_int kRows = 500, kAtOnce = 5, kHalo = 1;
    constexpr std::size_t kGroup = 250;
    const auto columns = static_cast<cl_int>(sizes[0]);
    Numbers numbers(9);
    std::vector<cl_int> wall(sizes[0] * kRows), from(sizes[0]);
    for (cl_int& place : wall)
        place = static_cast<cl_int>(numbers.below(10));
    for (cl_int& place : from)
        place = static_cast<cl_int>(numbers.below(10));
    const cl_mem wall_in = program.buffer(wall), from_in = program.buffer(from),
                 to = program.room(4 * sizes[0]), marks = program.room(4 * 16384);
    const std::size_t groups = sizes[0] * kRows / kGroup;
    for (const std::size_t count : {std::size_t{21}, groups})
        program.launch("strips", {kGroup * count}, {kGroup}, wall_in, from_in, to, marks,
                       Local{4 * kGroup}, Local{4 * kGroup}, kAtOnce, kHalo, kAtOnce * kHalo,
                       columns, cl_int{0});
    program.report("strips", static_cast<double>(groups));
    std::vector<cl_int> costs = from;
    for (cl_int row = 0; row < kAtOnce; ++row) {
        const std::vector<cl_int> before = costs;
        for (cl_int column = 0; column < columns; ++column)
            costs[column] = wall[columns * row + column] +
                            std::min({before[std::max(column - 1, 0)], before[column],
                                      before[std::min(column + 1, columns - 1)]});
    }
    if (program.program.read<cl_int>(to, sizes[0]) != costs)
        OpenClProgram::fail("strips: wrong costs");
}

/// Bodies: projectile, of 20 bytes. The amount is bytes read and written.
void flights(const Sizes& sizes) {
    Measured program("streams.cl");
    constexpr std::size_t kFields = 5;
    Numbers numbers(2);
    std::vector<float> bodies(kFields * sizes[0], 1);
    for (std::size_t body = 0; body < sizes[0]; ++body) {
        bodies[kFields * body] = static_cast<float>(10 + numbers.below(90));
        bodies[kFields * body + 1] = static_cast<float>(10 + numbers.below(400));
    }
    const cl_mem in = program.buffer(bodies), out = program.room(4 * bodies.size());
    for (const std::size_t count : {std::size_t{256}, sizes[0]})
        program.launch("flights", {count}, {256}, in, out);
    program.report("flights", 8.0 * static_cast<double>(bodies.size()));
    const std::vector<float> body = program.program.read<float>(out, kFields);
    const float time = 2 * body[1] * std::sin(body[0] * 3.1415f / 180) / 9.81f;
    if (body[0] != bodies[0] || std::abs(body[3] / time - 1) > 1e-5f)
        OpenClProgram::fail("flights: wrong time");
}
