// SPDX-License-Identifier: Apache-2.0
// Programs limited by memory, and by atomics and divisions on the way to it.
#include <algorithm>
#include <array>
#include <numeric>

#include "validation.h"

namespace {

/// A pass of a bitonic sort: elements `half` apart are exchanged, in rising order in every other
/// block.
struct Pass {
    std::size_t half, block;
    void operator()(std::vector<cl_int>& values) const {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i / half % 2 == 0 &&
                (i / block % 2 == 0 ? values[i] > values[i + half] : values[i] < values[i + half]))
                std::swap(values[i], values[i + half]);
    }
};

}  // namespace

/// Elements (a power of two, at least 1024): W-25. Eight passes of a sort are measured, at equal
/// distances in it, on what the passes before have left. The amount is elements of all.
void bitonic(const Sizes& sizes) {
    Measured program("memory.cl");
    Numbers numbers(3);
    std::vector<cl_int> values(sizes[0]);
    for (cl_int& value : values)
        value = static_cast<cl_int>(numbers.below(1000));  // as published
    std::vector<Pass> passes;
    for (std::size_t block = 2; block <= values.size(); block *= 2)
        for (std::size_t half = block / 2; half > 0; half /= 2)
            passes.push_back({half, block});
    const cl_mem few = program.buffer(std::vector<cl_int>(256));
    program.launch("bitonic", {256}, {256}, few, 256, 2);
    constexpr std::size_t kMeasured = 8;
    std::size_t next = 0;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const Pass& pass = passes[i];
        const bool meant = i == (2 * next + 1) * passes.size() / (2 * kMeasured);
        const cl_mem all = meant ? program.buffer(values) : nullptr;
        pass(values);
        if (!meant) continue;
        ++next;
        program.launch("bitonic", {values.size()}, {256}, all, static_cast<cl_int>(2 * pass.half),
                       static_cast<cl_int>(pass.block / (2 * pass.half)));
        program.report("bitonic", static_cast<double>(values.size()));
        if (program.program.read<cl_int>(all, values.size()) != values)
            OpenClProgram::fail("bitonic: wrong order");
    }
}

/// Work-items: W-27. The amount is atomic operations of single lanes.
void atomics(const Sizes& sizes) {
    Measured program("memory.cl");
    const cl_mem words = program.buffer(std::vector<cl_int>(16));
    for (const std::size_t items : {std::size_t{256}, sizes[0]})
        program.launch("seven", {items}, {256}, words, cl_int{0});
    program.report("seven", 7.0 * static_cast<double>(sizes[0]));
    const auto added = static_cast<cl_int>(10 * (256 + sizes[0]));
    if (program.program.read<cl_int>(words, 2) != std::vector<cl_int>{added, -added})
        OpenClProgram::fail("atomics: wrong sums");
}

/// Megabytes of the table (a power of two), turns of each of 128 work-items: W-28. The amount is
/// turns.
void updates(const Sizes& sizes) {
    Measured program("memory.cl");
    const std::size_t words = sizes[0] << 17;
    Numbers numbers(4);
    std::vector<cl_ulong> state(128);
    for (cl_ulong& one : state)
        one = cl_ulong{numbers.next()} << 32 | numbers.next();
    const cl_mem table = program.buffer(std::vector<cl_ulong>(words)),
                 states = program.buffer(state);
    for (const std::size_t turns : {std::size_t{1}, sizes[1]})
        program.launch("updates", {128}, {128}, table, states, cl_ulong{words - 1},
                       static_cast<cl_uint>(turns));
    program.report("updates", static_cast<double>(sizes[1]));
}

/// Work-items, each with 16 words, and the words from one of a work-item's to the next where lanes
/// are adjacent: W-40. Amounts are bytes. The published arrays are 64 MB apart: 16777216 words.
void arrays(const Sizes& sizes) {
    const std::size_t items = sizes[0], apart = std::max(sizes[0], sizes[1]);
    Measured program("memory.cl", "-DAPART=" + std::to_string(apart) + "u");
    for (const std::string kernel :
         {"coalesced_read", "coalesced_write", "misaligned_read", "misaligned_write"}) {
        // Each has memory of its own, which no cache holds.
        const bool adjacent = kernel.starts_with("coalesced");
        const cl_mem data = program.room(64 * (adjacent ? apart : items));
        program.launch(kernel.c_str(), {64}, {64}, data);
        program.launch(kernel.c_str(), {items}, {64}, data);
        program.report(kernel.c_str(), 64.0 * static_cast<double>(items));
    }
}

/// Rows of the planes of 2048 x 2048 that are computed: W-42. The amount is bytes of three arrays
/// read and one written, in the third step.
void wave(const Sizes& sizes) {
    Measured program("memory.cl");
    constexpr std::size_t kSide = 2048;
    const std::size_t rows = std::min(sizes[0], kSide);
    std::array<cl_mem, 2> planes = {program.room(4 * kSide * kSide),
                                    program.room(4 * kSide * kSide)};
    const cl_mem speed = program.room(4 * kSide * kSide);
    for (unsigned step = 0; step < 3; ++step)
        program.launch("wave", {kSide, rows}, {16, 16}, planes[step % 2], planes[1 - step % 2],
                       speed, 1e-3f, static_cast<cl_int>(kSide), static_cast<cl_int>(rows));
    program.report("wave", 16.0 * static_cast<double>(kSide * rows));
}

/// Kilobytes: W-46. Amounts are bytes read and written.
void copies(const Sizes& sizes) {
    Measured program("memory.cl");
    const std::size_t bytes = sizes[0] << 10;
    struct Copy {
        const char* kernel;
        std::size_t item;
    };
    for (const Copy copy : {Copy{"copy16", 16}, Copy{"copy32", 32}}) {
        const cl_mem from = program.floats(bytes / 4), to = program.floats(bytes / 4);
        const cl_mem few = program.floats(4096);
        program.launch(copy.kernel, {64}, {64}, few, few);
        program.launch(copy.kernel, {bytes / copy.item}, {64}, from, to);
        program.report(copy.kernel, 2.0 * static_cast<double>(bytes));
    }
}

/// Kilobytes: W-46, in place. Amounts are bytes read and written.
void changes(const Sizes& sizes) {
    Measured program("changes.cl");
    const std::size_t bytes = sizes[0] << 10;
    struct Change {
        const char* kernel;
        std::size_t item;
    };
    for (const Change change : {Change{"change64", 64}, Change{"change128", 128}}) {
        const cl_mem few = program.floats(4096), all = program.floats(bytes / 4);
        program.launch(change.kernel, {128}, {128}, few);
        program.launch(change.kernel, {bytes / change.item}, {128}, all);
        program.report(change.kernel, 2.0 * static_cast<double>(bytes));
    }
}
