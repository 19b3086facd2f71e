// SPDX-License-Identifier: Apache-2.0
// A photograph made by a formula, turned and softened on the device's sampler. Writes the picture
// when given a file name (photograph FILE.png).
#include <png.h>

#include "../images/image_reference.h"

namespace {

constexpr int kWidth = 256, kHeight = 192;
constexpr float kRadius = 1.25f;  // texels between the nine reads

/// Evening above a lake: sky, sun, two ranges of hills and their reflection.
std::array<double, 3> landscape(double x, double y) {
    constexpr double kShore = 0.62;
    if (y > kShore) {
        const double depth = (y - kShore) / (1 - kShore);
        const double ripple = 0.012 * std::sin(90 * depth / (0.2 + depth)) * depth;
        auto colour = landscape(x + ripple * std::sin(40 * x), 2 * kShore - y + ripple);
        for (double& c : colour)
            c *= 0.75 - 0.35 * depth;
        return colour;
    }
    const double far = 0.44 + 0.05 * std::sin(9 * x + 1) + 0.02 * std::sin(31 * x);
    const double near = 0.54 + 0.05 * std::sin(5 * x + 4) + 0.012 * std::sin(47 * x + 2);
    if (y > near) return {0.10, 0.16 + 0.2 * (kShore - y), 0.12};
    if (y > far) return {0.28, 0.26 + 0.3 * (y - far), 0.42};
    const double from_sun = std::hypot(x - 0.68, (y - 0.34) * 0.75);
    if (from_sun < 0.055) return {1.0, 0.93, 0.70};
    const double glow = std::exp(-from_sun * 4), height = y / 0.62;
    return {0.25 + 0.55 * height + 0.4 * glow, 0.35 + 0.25 * height + 0.25 * glow,
            0.65 - 0.25 * height + 0.1 * glow};
}

reference::Picture photograph() {
    reference::Picture picture({CL_RGBA, CL_UNORM_INT8}, {kWidth, kHeight, 1}, 1);
    for (int i = 0; i < kWidth * kHeight; ++i) {
        const auto colour = landscape((i % kWidth + 0.5) / kWidth,
                                      (static_cast<double>(i / kWidth) + 0.5) / kHeight);
        for (int c = 0; c < 4; ++c)
            picture.bytes[i * 4 + c] =
                c == 3 ? 255
                       : static_cast<unsigned char>(255 * std::clamp(colour[c], 0.0, 1.0) + 0.5);
    }
    picture.decode();
    return picture;
}

cl_mem image_of(OpenClProgram& program, cl_mem_flags flags, void* texels) {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = kWidth;
    shape.image_height = kHeight;
    cl_int error;
    const cl_mem image = clCreateImage(program.context(), flags, &format, &shape, texels, &error);
    OpenClProgram::check(error, "clCreateImage");
    return image;
}

reference::Texel turned(const reference::Picture& picture, int x, int y, cl_float2 along) {
    const reference::Mode mode{CL_ADDRESS_CLAMP_TO_EDGE, true, false};
    const double u = x + 0.5 - kWidth / 2.0, v = y + 0.5 - kHeight / 2.0;
    const double across = u * along.s[0] + v * along.s[1], down = v * along.s[0] - u * along.s[1];
    reference::Texel sum{};
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const auto texel = picture.filtered(
                reference::axis(across + i * kRadius + kWidth / 2.0, kWidth, mode),
                reference::axis(down + j * kRadius + kHeight / 2.0, kHeight, mode), {});
            for (int c = 0; c < 4; ++c)
                sum[c] += texel[c] * (2 - std::abs(i)) * (2 - std::abs(j)) / 16;
        }
    return sum;
}

}  // namespace

int main(int argc, char** argv) {
    OpenClProgram program("photograph.cl");
    reference::Picture picture = photograph();
    const cl_mem from =
        image_of(program, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, picture.bytes.data());
    const cl_mem to = image_of(program, CL_MEM_WRITE_ONLY, nullptr);
    const cl_float2 along = {{std::cos(0.3f), std::sin(0.3f)}};
    const cl_kernel kernel = program.kernel("turn");
    program.arguments(kernel, from, to, along, kRadius);
    program.run(kernel, {kWidth, kHeight}, {16, 8});
    std::vector<unsigned char> found(kWidth * kHeight * 4);
    const std::size_t origin[3] = {}, size[3] = {kWidth, kHeight, 1};
    OpenClProgram::check(clEnqueueReadImage(program.queue(), to, CL_TRUE, origin, size, 0, 0,
                                            found.data(), 0, nullptr, nullptr),
                         "clEnqueueReadImage");
    // A place that single precision puts to the other side of 1/512 of a texel moves by 1/256.
    Verdict verdict;
    for (int i = 0; i < kWidth * kHeight; ++i) {
        const reference::Texel expected = turned(picture, i % kWidth, i / kWidth, along);
        for (int c = 0; c < 4; ++c)
            verdict.close(found[i * 4 + c] / 255.0, expected[c], 0.6 / 255, i * 4 + c, "colour");
    }
    if (argc > 1) {
        png_image file{};
        file.version = PNG_IMAGE_VERSION;
        file.width = kWidth;
        file.height = kHeight;
        file.format = PNG_FORMAT_RGBA;
        if (!png_image_write_to_file(&file, argv[1], 0, found.data(), 0, nullptr))
            OpenClProgram::fail(std::string("cannot write ") + argv[1] + ": " + file.message);
    }
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    return verdict.finish("photograph");
}
