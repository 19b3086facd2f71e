// SPDX-License-Identifier: Apache-2.0
// Micro-benchmarks of a device's memory levels, local memory, atomics, barriers, arithmetic and
// images. A measurement launches a kernel twice, the second time with more steps, and prints
//   measured KERNEL PARAMETER LAUNCH AMOUNT
// where LAUNCH is the number of the second launch and AMOUNT what it did more than the first;
// scripts/microbench finds the cycles of both in the model's statistics.
//   microbench GROUP [quick]     GROUP: chase | stream | local | mixed | atomics | barrier |
//   arithmetic | texture
#include <cstring>
#include <numeric>

#include "../opencl_program.h"
// Behind it: the version of OpenCL is chosen there.
#include <CL/cl_ext.h>

namespace {

// Fills 24 EUs evenly whatever width the compiler chooses: with 32, 16 and 8 work-items to a thread
// these are one, two and four rounds of the 168 threads.
constexpr std::size_t kGroups = 21, kGroupSize = 256;
constexpr std::size_t kAll = kGroups * kGroupSize;
constexpr std::size_t kLineBytes = 64, kLineWords = kLineBytes / 4;
constexpr cl_uint kUnrolled = 16;  // times a kernel does its thing in a step

class Microbench {
  public:
    /// Options as clpeak's; levels of images are not in OpenCL 1.2.
    Microbench(bool quick, bool levels)
        : program_("microbench.cl", levels ? "-cl-mad-enable -cl-std=CL2.0" : "-cl-mad-enable"),
          quick_(quick) {}

    void chase() {
        constexpr cl_uint kSteps = 64;
        std::vector<std::size_t> kilobytes = {16, 64, 128, 256, 1024};
        if (quick_) kilobytes = {64, 1024};
        for (const std::size_t size : kilobytes) {
            // What fits in L3 is read through once first; more, so far that all pages have been
            // met, and each line is read only once.
            const std::size_t words = size * 256, steps = words / kLineWords / kUnrolled;
            const cl_uint before = static_cast<cl_uint>(std::min<std::size_t>(steps, 256));
            const cl_mem next = program_.buffer(cycle(words));
            warm(next, words);
            measure("chase", size, kSteps * kUnrolled, {1, 1}, before, before + kSteps, next, out(),
                    0u);
        }
        // Beyond the LLC: each launch enters the cycle where none has been before it. 16 MB are
        // out of reach of a translation buffer too.
        for (const std::size_t size : {std::size_t{1024}, std::size_t{16384}}) {
            const std::size_t words = size * 256;
            const std::vector<cl_uint> order = cycle(words);
            std::vector<cl_uint> entries = {0};
            for (std::size_t i = 0; i < 3 * kFar; ++i)
                entries.push_back(order[entries.back() / 4]);
            const cl_mem next = program_.buffer(order);
            const auto first = [&](unsigned launch) { return entries[launch * kFar]; };
            measure_from(first, "chase", "chase_cold", size, kSteps * kUnrolled, {1, 1}, kSteps,
                         2 * kSteps, next, out());
        }
        measure("chase_local", 0, kSteps * kUnrolled, {1, 1}, 4, 4 + kSteps, out());
    }

    void stream() {
        for (const std::size_t size : {std::size_t{256}, std::size_t{2048}, std::size_t{32768}}) {
            const auto elements = static_cast<cl_uint>(size * 64);
            const cl_mem in = program_.buffer(std::vector<float>(elements * 4));
            if (size <= 2048) warm(in, elements * 4);
            const cl_uint before = size <= 256 ? 6 : 30, more = size <= 2048 ? 100 : 60;
            const auto first = [&](unsigned launch) {
                return size <= 2048 ? 0u : elements / 4 * launch;
            };
            measure_from(first, "stream", "stream", size, kAll * 16 * more, kEverywhere, before,
                         before + more, in, out(), elements);
        }
        const std::size_t elements = 128 * 64;  // 128 KB
        const cl_mem data = program_.buffer(std::vector<float>(elements * 4));
        measure("fill", 128, kAll * 16 * 128, kEverywhere, 16, 144, data,
                static_cast<cl_uint>(elements));
    }

    void local() {
        std::vector<cl_uint> strides = {0, 1, 2, 3, 4, 8, 16, 17, 32};
        if (quick_) strides = {1, 2, 16};
        for (const cl_uint stride : strides)
            measure("local_read", stride, kAll * 4 * kUnrolled * 10, kEverywhere, 2, 12, out(),
                    stride);
    }

    /// Two kinds of accesses at once.
    void mixed() {
        constexpr cl_uint kKilobytes = 128, kElements = kKilobytes * 256;
        const cl_mem in = program_.buffer(std::vector<cl_uint>(kElements));
        const cl_mem to = program_.buffer(std::vector<cl_uint>(kElements));
        constexpr std::size_t kBytes = kAll * 2 * 4 * kUnrolled * 10;
        measure("local_row_and_word", 0, kBytes, kEverywhere, 2, 12, out());
        measure("local_read_write", 0, kBytes, kEverywhere, 2, 12, out());
        measure("global_read_write", kKilobytes, kBytes, kEverywhere, 2, 12, in, to, out(),
                kElements);
        measure("local_and_global", kKilobytes, kBytes, kEverywhere, 2, 12, in, out(), kElements);
    }

    void atomics() {
        for (const cl_uint stride : {0u, 1u}) {
            const cl_uint more = stride ? 8 : 1;
            measure("atomics", stride, kAll * kUnrolled * more, kEverywhere, 1, 1 + more, out(),
                    stride);
            measure("atomics_local", stride, kAll * kUnrolled * more, kEverywhere, 1, 1 + more,
                    out(), stride);
        }
    }

    void barrier() {
        for (const std::size_t size : {std::size_t{32}, std::size_t{256}})
            measure("barriers", size, 10 * kUnrolled, {size, size}, 2, 12, out());
    }

    void arithmetic() {
        for (const char* name :
             {"mad_float", "mad_float_8", "mad_float_16", "mad_half", "mad_double", "mad_int"})
            measure(name, 0, kAll * 20 * 128, kEverywhere, 2, 22, wide_out());
        for (const char* name : {"add_float_8", "add_float_16", "math_float_8", "math_float_16"})
            measure(name, 0, 20 * 32, {1, 1}, 2, 22, wide_out());
    }

    void texture() {
        constexpr cl_uint kSteps = 32;
        for (const std::size_t size : {std::size_t{4}, std::size_t{128}, std::size_t{1024}}) {
            const std::size_t words = size * 256, steps = words / kLineWords / kUnrolled;
            const cl_uint before = static_cast<cl_uint>(std::min<std::size_t>(steps, 256));
            std::vector<cl_uint> next = cycle(words);
            for (cl_uint& place : next)
                place /= 4;
            const cl_mem memory = program_.buffer(next);
            warm(memory, words);
            measure("texture_chase", size, kSteps * kUnrolled, {1, 1}, before, before + kSteps,
                    texels_of(memory, words), out(), 0u);
        }
        const cl_image_format formats[] = {{CL_R, CL_UNORM_INT8},
                                           {CL_RGBA, CL_UNORM_INT8},
                                           {CL_RGBA, CL_HALF_FLOAT},
                                           {CL_RGBA, CL_FLOAT}};
        const std::size_t bits[] = {8, 32, 64, 128};
        for (unsigned i = 0; i < 4; ++i)
            measure("texture_rate", bits[i], kAll * kUnrolled * 4, kEverywhere, 2, 6,
                    square(formats[i], 8), out());
        measure("texture_levels", 32, kAll * kUnrolled * 4, kEverywhere, 2, 6,
                square(formats[1], 16, 2), between_levels(), out());
        std::vector<std::size_t> sides = {8, 64, 128, 256, 512};
        if (quick_) sides = {};
        for (const std::size_t side : sides)
            measure("texture_random", side, kAll * kUnrolled, kEverywhere, 2, 3,
                    square(formats[1], side), out());
    }

  private:
    cl_mem made(const cl_image_format& format, const cl_image_desc& shape) {
        cl_int error;
        const cl_mem image =
            clCreateImage(program_.context(), CL_MEM_READ_ONLY, &format, &shape, nullptr, &error);
        OpenClProgram::check(error, "clCreateImage");
        return image;
    }
    cl_mem texels_of(cl_mem buffer, std::size_t count) {
        cl_image_desc shape{};
        shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
        shape.image_width = count;
        shape.buffer = buffer;
        return made({CL_R, CL_UNSIGNED_INT32}, shape);
    }
    cl_sampler between_levels() {
        const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                    CL_TRUE,
                                                    CL_SAMPLER_ADDRESSING_MODE,
                                                    CL_ADDRESS_REPEAT,
                                                    CL_SAMPLER_FILTER_MODE,
                                                    CL_FILTER_LINEAR,
                                                    CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                                    CL_FILTER_LINEAR,
                                                    0};
        cl_int error;
        const cl_sampler sampler =
            clCreateSamplerWithProperties(program_.context(), properties, &error);
        OpenClProgram::check(error, "clCreateSamplerWithProperties");
        return sampler;
    }
    cl_mem square(const cl_image_format& format, std::size_t side, cl_uint levels = 0) {
        cl_image_desc shape{};
        shape.num_mip_levels = levels;
        shape.image_type = CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = shape.image_height = side;
        return made(format, shape);
    }
    static constexpr std::size_t kFar = 4096;  ///< reads, more than a launch makes

    /// A cycle through the first word of every line, in an order without stride.
    static std::vector<cl_uint> cycle(std::size_t words) {
        std::vector<cl_uint> order(words / kLineWords), next(words);
        std::iota(order.begin(), order.end(), 0u);
        Numbers numbers(5);
        for (std::size_t i = order.size() - 1; i > 1; --i)
            std::swap(order[i], order[1 + numbers.below(static_cast<std::uint32_t>(i))]);
        for (std::size_t i = 0; i < order.size(); ++i)
            next[order[i] * kLineWords] =
                static_cast<cl_uint>(order[(i + 1) % order.size()] * kLineBytes);
        return next;
    }
    cl_mem out() { return out_ ? out_ : out_ = program_.buffer(std::vector<cl_uint>(kAll)); }
    cl_mem wide_out() { return program_.buffer(std::vector<cl_ulong>(kAll)); }

    /// Reads a buffer once, which the caches below L3 keep.
    void warm(cl_mem buffer, std::size_t words) {
        const auto elements = static_cast<cl_uint>(words / 4);
        launch("stream", kEverywhere, buffer, out(), elements, 0u,
               static_cast<cl_uint>((elements + kAll - 1) / kAll));
    }
    struct Range {
        std::size_t global, local;
    };
    static constexpr Range kEverywhere{kAll, kGroupSize};

    /// Launches the kernel of that name with `few` and with `many` steps, and once before, so that
    /// its code has been met.
    template <class... Arguments>
    void measure(const char* kernel, std::size_t parameter, std::size_t amount, Range range,
                 cl_uint few, cl_uint many, const Arguments&... arguments) {
        for (const cl_uint steps : {few, few, many})
            launch(kernel, range, arguments..., steps);
        report(kernel, parameter, amount);
    }
    /// Likewise, with an argument before the steps that is another for each launch.
    template <class First, class... Arguments>
    void measure_from(const First& first, const char* kernel, const char* label,
                      std::size_t parameter, std::size_t amount, Range range, cl_uint few,
                      cl_uint many, const Arguments&... arguments) {
        unsigned number = 0;
        for (const cl_uint steps : {few, few, many})
            launch(kernel, range, arguments..., static_cast<cl_uint>(first(number++)), steps);
        report(label, parameter, amount);
    }
    template <class... Arguments>
    void launch(const char* name, Range range, const Arguments&... arguments) {
        const cl_kernel kernel = program_.kernel(name);
        program_.arguments(kernel, arguments...);
        program_.run(kernel, {range.global}, {range.local});
        ++launches_;
    }
    /// The launch before the last one and the last one differ by `amount`.
    void report(const char* label, std::size_t parameter, std::size_t amount) const {
        std::printf("measured %s %zu %zu %zu\n", label, parameter, launches_ - 1, amount);
    }

    OpenClProgram program_;
    const bool quick_;
    cl_mem out_ = nullptr;
    std::size_t launches_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string group = argc > 1 ? argv[1] : "";
    Microbench bench(argc > 2 && std::strcmp(argv[2], "quick") == 0, group == "texture");
    if (group == "chase")
        bench.chase();
    else if (group == "stream")
        bench.stream();
    else if (group == "local")
        bench.local();
    else if (group == "mixed")
        bench.mixed();
    else if (group == "atomics")
        bench.atomics();
    else if (group == "barrier")
        bench.barrier();
    else if (group == "arithmetic")
        bench.arithmetic();
    else if (group == "texture")
        bench.texture();
    else
        OpenClProgram::fail(
            "usage: microbench chase|stream|local|mixed|atomics|barrier|arithmetic|texture "
            "[quick]");
}
