// SPDX-License-Identifier: Apache-2.0
// Images written by kernels, read through the buffers they were made from.
#include <algorithm>
#include <cstring>

#include "../opencl_program.h"

namespace {

constexpr int kWidth = 40, kHeight = 20;
constexpr std::size_t kPitch = 1024;  ///< bytes; a multiple of what any device asks for

struct Format {
    cl_channel_order order;
    cl_channel_type type;
    unsigned channels, bytes;  ///< per channel
    const char* kernel;
    const char* name;
};
constexpr Format kFormats[] = {
    {CL_RGBA, CL_UNORM_INT8, 4, 1, "floats_2d", "RGBA UNORM8"},
    {CL_RGBA, CL_UNORM_INT16, 4, 2, "floats_2d", "RGBA UNORM16"},
    {CL_RGBA, CL_SNORM_INT8, 4, 1, "floats_2d", "RGBA SNORM8"},
    {CL_RG, CL_SNORM_INT16, 2, 2, "floats_2d", "RG SNORM16"},
    {CL_R, CL_UNORM_INT8, 1, 1, "floats_2d", "R UNORM8"},
    {CL_RGBA, CL_FLOAT, 4, 4, "floats_2d", "RGBA FLOAT"},
    {CL_R, CL_FLOAT, 1, 4, "floats_2d", "R FLOAT"},
    {CL_RGBA, CL_SIGNED_INT8, 4, 1, "ints_2d", "RGBA SINT8"},
    {CL_RGBA, CL_SIGNED_INT16, 4, 2, "ints_2d", "RGBA SINT16"},
    {CL_RGBA, CL_SIGNED_INT32, 4, 4, "ints_2d", "RGBA SINT32"},
    {CL_RG, CL_SIGNED_INT32, 2, 4, "ints_2d", "RG SINT32"},
    {CL_RGBA, CL_UNSIGNED_INT8, 4, 1, "uints_2d", "RGBA UINT8"},
    {CL_RGBA, CL_UNSIGNED_INT16, 4, 2, "uints_2d", "RGBA UINT16"},
    {CL_RG, CL_UNSIGNED_INT8, 2, 1, "uints_2d", "RG UINT8"},
    {CL_R, CL_UNSIGNED_INT16, 1, 2, "uints_2d", "R UINT16"},
    {CL_RGBA, CL_UNSIGNED_INT32, 4, 4, "uints_2d", "RGBA UINT32"},
};

/// What the kernels write, before the format.
double float_value(int x, int y, unsigned c) {
    const float values[4] = {static_cast<float>(x) / 40.0f, static_cast<float>(y) / 20.0f,
                             static_cast<float>(x + y) / 90.0f,
                             1.0f - static_cast<float>(x) / 80.0f};
    return double{values[c] * 1.25f - 0.125f};
}
std::int64_t int_value(int x, int y, unsigned c) {
    const std::int64_t values[4] = {x * 7 - 100, y * 9 - 90, x - y, std::int64_t{40000} * (x - 20)};
    return values[c];
}
std::int64_t uint_value(int x, int y, unsigned c) {
    const std::int64_t values[4] = {x * 7, y * 9, x + y, std::int64_t{3000} * x};
    return values[c];
}

std::int64_t read_integer(const cl_uchar* at, unsigned bytes, bool is_signed) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    const unsigned unused = 64 - bytes * 8;
    return is_signed ? static_cast<std::int64_t>(value << unused) >> unused
                     : static_cast<std::int64_t>(value);
}

/// One channel of a pixel as memory must hold it.
void check_channel(const Format& f, const cl_uchar* at, int x, int y, unsigned c, std::size_t index,
                   Verdict& verdict) {
    const double top = f.type == CL_UNORM_INT8    ? 255
                       : f.type == CL_UNORM_INT16 ? 65535
                       : f.type == CL_SNORM_INT8  ? 127
                                                  : 32767;
    switch (f.type) {
        case CL_FLOAT: {
            float found;
            std::memcpy(&found, at, sizeof found);
            verdict.close(found, float_value(x, y, c), 1e-6, index, f.name);
            return;
        }
        case CL_UNORM_INT8:
        case CL_UNORM_INT16: {
            // OpenCL allows half a unit more than the nearest; what Gen9 gives is the nearest.
            const double exact = std::clamp(float_value(x, y, c), 0.0, 1.0) * top;
            verdict.equal(
                std::fabs(static_cast<double>(read_integer(at, f.bytes, false)) - exact) <= 0.51,
                true, index, f.name);
            return;
        }
        case CL_SNORM_INT8:
        case CL_SNORM_INT16: {
            const double exact = std::clamp(float_value(x, y, c), -1.0, 1.0) * top;
            verdict.equal(
                std::fabs(static_cast<double>(read_integer(at, f.bytes, true)) - exact) <= 0.51,
                true, index, f.name);
            return;
        }
        default: {
            const bool is_signed =
                f.type == CL_SIGNED_INT8 || f.type == CL_SIGNED_INT16 || f.type == CL_SIGNED_INT32;
            const unsigned bits = f.bytes * 8 - (is_signed ? 1 : 0);
            const std::int64_t most = (std::int64_t{1} << bits) - 1,
                               least = is_signed ? -most - 1 : 0;
            const std::int64_t value = is_signed ? int_value(x, y, c) : uint_value(x, y, c);
            verdict.equal(read_integer(at, f.bytes, is_signed), std::clamp(value, least, most),
                          index, f.name);
        }
    }
}

cl_mem image_of(OpenClProgram& program, cl_mem buffer, const Format& f, int width, int height) {
    const cl_image_format format{f.order, f.type};
    cl_image_desc description{};
    description.image_type = height ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_IMAGE1D_BUFFER;
    description.image_width = static_cast<std::size_t>(width);
    description.image_height = static_cast<std::size_t>(height);
    description.image_row_pitch = height ? kPitch : 0;
    description.buffer = buffer;
    cl_int error;
    const cl_mem image =
        clCreateImage(program.context(), CL_MEM_READ_WRITE, &format, &description, nullptr, &error);
    OpenClProgram::check(error, f.name);
    return image;
}

void check_format(OpenClProgram& program, const Format& f, Verdict& verdict) {
    const cl_mem buffer = program.buffer(std::vector<cl_uchar>(kPitch * kHeight, 0xEE));
    const cl_mem image = image_of(program, buffer, f, kWidth, kHeight);
    const cl_kernel kernel = program.kernel(f.kernel);
    program.arguments(kernel, image);
    program.run(kernel, {kWidth, kHeight});
    const auto found = program.read<cl_uchar>(buffer, kPitch * kHeight);
    const std::size_t pixel = f.channels * f.bytes;
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x)
            for (unsigned c = 0; c < f.channels; ++c) {
                const std::size_t at = y * kPitch + x * pixel + c * f.bytes;
                check_channel(f, &found[at], x, y, c, at, verdict);
            }
        verdict.equal(found[y * kPitch + kWidth * pixel], cl_uchar{0xEE}, y, "behind the row");
    }
    clReleaseMemObject(image);
}

void check_edges(OpenClProgram& program, Verdict& verdict) {
    const Format f{CL_RGBA, CL_UNSIGNED_INT32, 4, 4, "too_far", "edges"};
    const cl_mem buffer = program.buffer(std::vector<cl_uint>(kPitch / 4 * kHeight, 0xEEEEEEEE));
    const cl_mem image = image_of(program, buffer, f, kWidth, kHeight);
    const cl_kernel kernel = program.kernel("too_far");
    program.arguments(kernel, image);
    program.run(kernel, {kWidth + 16, kHeight + 16});
    const auto found = program.read<cl_uint>(buffer, kPitch / 4 * kHeight);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < static_cast<int>(kPitch / 16); ++x)
            verdict.equal(found[y * kPitch / 4 + x * 4],
                          x < kWidth ? cl_uint(x + 1000) : 0xEEEEEEEEu, x, "edges");
    clReleaseMemObject(image);
}

void check_1d(OpenClProgram& program, Verdict& verdict) {
    const Format f{CL_RGBA, CL_UNSIGNED_INT16, 4, 2, "uints_1d", "1D buffer"};
    constexpr int kCount = 512;
    const cl_mem buffer = program.buffer(std::vector<cl_ushort>(kCount * 4));
    const cl_mem image = image_of(program, buffer, f, kCount, 0);
    const cl_kernel kernel = program.kernel("uints_1d");
    program.arguments(kernel, image);
    program.run(kernel, {kCount});
    const auto found = program.read<cl_ushort>(buffer, kCount * 4);
    const int factors[4] = {3, 5, 7, 11};
    for (int i = 0; i < kCount * 4; ++i)
        verdict.equal(found[i], static_cast<cl_ushort>(i / 4 * factors[i % 4]), i, "1D buffer");
    clReleaseMemObject(image);
}

}  // namespace

int main() {
    Verdict verdict;
    OpenClProgram program("image_writes.cl");
    for (const Format& format : kFormats)
        check_format(program, format, verdict);
    check_edges(program, verdict);
    check_1d(program, verdict);
    return verdict.finish("image_writes");
}
