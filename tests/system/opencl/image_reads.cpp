// SPDX-License-Identifier: Apache-2.0
// Images read by kernels through samplers: all address modes and filters, volumes, layers, lines.
#include <algorithm>
#include <array>

#include "opencl_program.h"

namespace {

/// A sampled coordinate is cut or rounded to 1/256 texel at worst.
constexpr double kStep = 1.0 / 256;

struct Image {
    std::array<int, 3> size;
    std::vector<unsigned char> bytes;  ///< RGBA8
    Image(int width, int height, int depth) : size{width, height, depth} {
        Numbers numbers(5);
        bytes.resize(static_cast<std::size_t>(width) * height * depth * 4);
        for (unsigned char& byte : bytes)
            byte = static_cast<unsigned char>(numbers.below(256));
    }
    unsigned char byte(int x, int y, int z, int c) const {
        return bytes[((static_cast<std::size_t>(z) * size[1] + y) * size[0] + x) * 4 + c];
    }
    /// A texel's channel; the border, all zeros, outside.
    double at(int x, int y, int z, int c) const {
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
        return inside ? byte(x, y, z, c) / 255.0 : 0;
    }
    cl_mem make(OpenClProgram& program, cl_mem_object_type type, cl_channel_type channels) {
        cl_image_format format{CL_RGBA, channels};
        cl_image_desc shape{};
        shape.image_type = type;
        shape.image_width = size[0];
        shape.image_height = size[1];
        shape.image_depth = type == CL_MEM_OBJECT_IMAGE3D ? size[2] : 0;
        shape.image_array_size = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? size[2] : 0;
        cl_int error;
        cl_mem image = clCreateImage(program.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     &format, &shape, bytes.data(), &error);
        OpenClProgram::check(error, "clCreateImage");
        return image;
    }
};

/// The two texels of an axis and the second one's share (OpenCL C, section 8.2).
struct Axis {
    int index[2];
    double share;
};
Axis axis_of(double coordinate, int size, cl_addressing_mode mode, bool normalized, bool linear) {
    double u = coordinate * (normalized ? size : 1);
    if (mode == CL_ADDRESS_REPEAT) u = (coordinate - std::floor(coordinate)) * size;
    if (mode == CL_ADDRESS_MIRRORED_REPEAT)
        u = std::fabs(coordinate - 2 * std::rint(0.5 * coordinate)) * size;
    if (linear) u -= 0.5;
    const int first = static_cast<int>(std::floor(u));
    const auto place = [&](int i) {
        if (mode == CL_ADDRESS_REPEAT) return (i % size + size) % size;
        return mode == CL_ADDRESS_CLAMP ? i : std::clamp(i, 0, size - 1);
    };
    return {{place(first), place(first + 1)}, linear ? u - first : 0};
}

double sample(const Image& image, const Axis& x, const Axis& y, const Axis& z, int c) {
    double sum = 0;
    for (int n = 0; n < 8; ++n) {
        const double weight = (n & 1 ? x.share : 1 - x.share) * (n & 2 ? y.share : 1 - y.share) *
                              (n & 4 ? z.share : 1 - z.share);
        if (weight > 0)
            sum += weight * image.at(x.index[n & 1], y.index[n >> 1 & 1], z.index[n >> 2], c);
    }
    return sum;
}

void convolutions(OpenClProgram& program, Verdict& verdict) {
    Image image(50, 30, 1);
    const cl_mem source = image.make(program, CL_MEM_OBJECT_IMAGE2D, CL_UNORM_INT8);
    const cl_mem sums = program.buffer(std::vector<float>(50 * 30 * 4));
    const cl_kernel kernel = program.kernel("convolve");
    program.arguments(kernel, source, sums);
    program.run(kernel, {50, 30});
    const auto found = program.read<float>(sums, 50 * 30 * 4);
    for (int i = 0; i < 50 * 30 * 4; ++i) {
        double sum = 0;
        for (int v = -2; v <= 2; ++v)
            for (int u = -2; u <= 2; ++u)
                sum += image.at(std::clamp(i / 4 % 50 + u, 0, 49), std::clamp(i / 200 + v, 0, 29),
                                0, i % 4) *
                       (u + 3) * (v + 3) / 128;
        verdict.close(found[i], sum, 1e-5, i, "convolution");
    }
    clReleaseMemObject(source);
}

void samplers(OpenClProgram& program, Verdict& verdict) {
    constexpr int kSize = 48;
    Image image(19, 23, 1);
    const cl_mem source = image.make(program, CL_MEM_OBJECT_IMAGE2D, CL_UNORM_INT8);
    const cl_mem texels = program.buffer(std::vector<float>(kSize * kSize * 4));
    const cl_kernel kernel = program.kernel("sample");
    const Axis flat{{0, 0}, 0};
    for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                          CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
        for (const bool linear : {false, true})
            for (const bool normalized : {true, false}) {
                if (!normalized &&
                    (mode == CL_ADDRESS_REPEAT || mode == CL_ADDRESS_MIRRORED_REPEAT))
                    continue;
                cl_int error;
                cl_sampler how =
                    clCreateSampler(program.context(), normalized, mode,
                                    linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error);
                OpenClProgram::check(error, "clCreateSampler");
                // Steps that are exact in float.
                const float scale = normalized ? 5.0f / 64 : 0.8125f;
                const float start = normalized ? -1.34375f : -7.40625f;
                program.arguments(kernel, source, how, texels, scale, start);
                program.run(kernel, {kSize, kSize});
                const auto found = program.read<float>(texels, kSize * kSize * 4);
                for (int i = 0; i < kSize * kSize * 4; ++i) {
                    const Axis x =
                        axis_of(start + i / 4 % kSize * scale, 19, mode, normalized, linear);
                    const Axis y =
                        axis_of(start + i / 4 / kSize * scale, 23, mode, normalized, linear);
                    verdict.close(found[i], sample(image, x, y, flat, i % 4),
                                  linear ? 2 * kStep : 1e-6, i, linear ? "linear" : "nearest");
                }
                clReleaseSampler(how);
            }
    clReleaseMemObject(source);
}

void volumes(OpenClProgram& program, Verdict& verdict) {
    Image image(9, 7, 5);
    const cl_mem source = image.make(program, CL_MEM_OBJECT_IMAGE3D, CL_UNORM_INT8);
    const cl_mem layers = image.make(program, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_UNSIGNED_INT8);
    constexpr int kSize = 16;
    const cl_mem texels = program.buffer(std::vector<float>(kSize * kSize * kSize * 4));
    const cl_kernel kernel = program.kernel("volume"), by_layer = program.kernel("layers");
    const float scale = 1.0f / 16;
    program.arguments(kernel, source, texels, scale);
    program.run(kernel, {kSize, kSize, kSize});
    const auto found = program.read<float>(texels, kSize * kSize * kSize * 4);
    for (int i = 0; i < kSize * kSize * kSize * 4; ++i) {
        const auto axis = [&](int at, int size) {
            return axis_of(at * scale, size, CL_ADDRESS_CLAMP_TO_EDGE, true, true);
        };
        const Axis x = axis(i / 4 % kSize, 9), y = axis(i / 4 / kSize % kSize, 7);
        verdict.close(found[i], sample(image, x, y, axis(i / 4 / kSize / kSize, 5), i % 4),
                      3 * kStep, i, "volume");
    }
    program.arguments(by_layer, layers, texels);
    program.run(by_layer, {9, 7, 5});
    const auto bytes = program.read<cl_uint>(texels, 9 * 7 * 5 * 4);
    for (int i = 0; i < 9 * 7 * 5 * 4; ++i)
        verdict.equal<cl_uint>(bytes[i], image.bytes[i], i, "layer");
    clReleaseMemObject(source);
    clReleaseMemObject(layers);
}

void lines(OpenClProgram& program, Verdict& verdict) {
    constexpr int kCount = 1000;
    std::vector<cl_short> numbers(kCount * 4);
    for (int i = 0; i < kCount * 4; ++i)
        numbers[i] = static_cast<cl_short>(i * 37 - 20000);
    const cl_mem buffer = program.buffer(numbers);
    const cl_mem texels = program.buffer(std::vector<cl_int>(kCount * 4));
    cl_image_format format{CL_RGBA, CL_SIGNED_INT16};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    shape.image_width = kCount;
    shape.buffer = buffer;
    cl_int error;
    const cl_mem image =
        clCreateImage(program.context(), CL_MEM_READ_ONLY, &format, &shape, nullptr, &error);
    OpenClProgram::check(error, "clCreateImage of a buffer");
    const cl_kernel kernel = program.kernel("line");
    program.arguments(kernel, image, texels);
    program.run(kernel, {kCount});
    const auto found = program.read<cl_int>(texels, kCount * 4);
    for (int i = 0; i < kCount * 4; ++i)
        verdict.equal<cl_int>(found[i], numbers[i], i, "line");
    clReleaseMemObject(image);
}

}  // namespace

int main() {
    OpenClProgram program("image_reads.cl");
    Verdict verdict;
    convolutions(program, verdict);
    samplers(program, verdict);
    volumes(program, verdict);
    lines(program, verdict);
    return verdict.finish("image_reads");
}
