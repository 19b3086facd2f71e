// SPDX-License-Identifier: Apache-2.0
// The programs scripts/compare-speed times: prints the seconds from enqueue to finish, the build
// and the set-up left out, and a checksum of the result that must be the same on every device.
//   speed matmul|matmul_tiled|mandelbrot|triad|gather|convolve|resize N [LAUNCHES]
// N is a multiple of 16, for gather and resize a power of 2. Of several launches the last is timed.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "../opencl_program.h"

namespace {

cl_mem picture(OpenClProgram& program, std::size_t side) {
    Numbers numbers(11);
    std::vector<cl_uint> texels(side * side);
    for (cl_uint& texel : texels)
        texel = numbers.next();
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = side;
    cl_int error;
    const cl_mem image = clCreateImage(program.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                       &format, &shape, texels.data(), &error);
    OpenClProgram::check(error, "clCreateImage");
    return image;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    const int n = argc > 2 ? std::atoi(argv[2]) : 256;
    const int launches = argc > 3 ? std::atoi(argv[3]) : 1;
    const std::vector<std::string> known = {"matmul", "matmul_tiled", "mandelbrot", "triad",
                                            "gather", "convolve",     "resize"};
    if (std::find(known.begin(), known.end(), what) == known.end() || n < 16 || n > 4096 ||
        n % 16 != 0 || ((what == "gather" || what == "resize") && (n & (n - 1)) != 0))
        OpenClProgram::fail(
            "usage: speed matmul|matmul_tiled|mandelbrot|triad|gather|convolve|resize [N "
            "[LAUNCHES]], N a multiple of 16");
    const std::size_t count = static_cast<std::size_t>(n) * n;
    const auto side = static_cast<std::size_t>(n);
    OpenClProgram program("speed.cl");
    const cl_kernel kernel = program.kernel(what.c_str());
    const cl_mem out = program.buffer(std::vector<cl_uint>(count));
    std::vector<std::size_t> local = {16, 16};
    if (what == "mandelbrot") {
        program.arguments(kernel, out, static_cast<cl_uint>(n), -2.0f, -1.25f,
                          2.5f / static_cast<float>(n), cl_uint{256});
    } else if (what == "convolve" || what == "resize") {
        program.arguments(kernel, picture(program, what == "resize" ? side / 4 * 3 : side), out);
    } else if (what == "gather") {
        Numbers numbers(11);
        std::vector<cl_uint> table(count), values(count);
        for (cl_uint& value : table)
            value = numbers.next();
        for (cl_uint& value : values)
            value = numbers.next();
        program.arguments(kernel, program.buffer(table), program.buffer(values), out, 8);
    } else {
        Numbers numbers(11);
        std::vector<float> a(count), b(count);
        for (float& value : a)
            value = numbers.unit() - 0.5f;
        for (float& value : b)
            value = numbers.unit() - 0.5f;
        if (what == "triad")
            program.arguments(kernel, program.buffer(a), program.buffer(b), out, 3.0f);
        else
            program.arguments(kernel, program.buffer(a), program.buffer(b), out, n);
    }
    for (int before = 1; before < launches; ++before)
        program.run(kernel, {side, side}, local);
    const auto start = std::chrono::steady_clock::now();
    program.run(kernel, {side, side}, local);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::uint64_t sum = 1469598103934665603ull;
    for (cl_uint value : program.read<cl_uint>(out, count))
        sum = (sum ^ value) * 1099511628211ull;
    std::printf("%s %d seconds %.6f checksum %016llx\n", what.c_str(), n, seconds,
                static_cast<unsigned long long>(sum));
}
