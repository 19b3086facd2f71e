// SPDX-License-Identifier: Apache-2.0
// Mandelbrot set: divergent loops. Writes a picture when given a file name (mandelbrot FILE.png
// [SIZE]).
#include <png.h>

#include "../opencl_program.h"

namespace {

std::uint32_t steps_of(float cr, float ci, std::uint32_t limit) {
    float zr = 0, zi = 0;
    std::uint32_t n = 0;
    for (; n < limit; ++n) {
        const float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4.0f) break;
        zi = std::fma(2.0f * zr, zi, ci);
        zr = rr - ii + cr;
    }
    return n;
}

void write_picture(const char* path, const std::vector<std::uint32_t>& steps, std::uint32_t width,
                   std::uint32_t height, std::uint32_t limit) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(steps.size() * 3);
    for (std::uint32_t n : steps) {
        const double t = n == limit ? 0.0 : std::sqrt(static_cast<double>(n) / limit);
        pixels.push_back(static_cast<std::uint8_t>(255 * std::min(1.0, t * 2.2)));
        pixels.push_back(static_cast<std::uint8_t>(255 * std::min(1.0, t * t * 2.4)));
        pixels.push_back(
            static_cast<std::uint8_t>(n == limit ? 16 : 255 * std::min(1.0, 0.25 + t)));
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&image, path, 0, pixels.data(), 0, nullptr))
        OpenClProgram::fail(std::string("cannot write ") + path + ": " + image.message);
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint32_t width = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 192;
    if (width < 16 || width > 4096 || width % 16 != 0)
        OpenClProgram::fail("usage: mandelbrot [FILE.png [SIZE]], SIZE a multiple of 16");
    const std::uint32_t height = width, limit = 96;
    const float left = -2.0f, top = -1.25f, pitch = 2.5f / static_cast<float>(width);
    OpenClProgram program("mandelbrot.cl");
    const cl_mem out =
        program.buffer(std::vector<std::uint32_t>(static_cast<std::size_t>(width) * height));
    const cl_kernel kernel = program.kernel("mandelbrot");
    program.arguments(kernel, out, width, left, top, pitch, limit);
    program.run(kernel, {width, height}, {16, 4});
    const auto steps = program.read<std::uint32_t>(out, static_cast<std::size_t>(width) * height);
    Verdict verdict;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            verdict.equal(steps[y * width + x],
                          steps_of(std::fma(static_cast<float>(x), pitch, left),
                                   std::fma(static_cast<float>(y), pitch, top), limit),
                          std::size_t{y} * width + x);
    if (argc > 1) write_picture(argv[1], steps, width, height, limit);
    return verdict.finish("mandelbrot");
}
