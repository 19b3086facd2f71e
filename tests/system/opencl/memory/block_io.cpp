// SPDX-License-Identifier: Apache-2.0
// Sub-group block reads and writes of buffers and images against what they must have moved.
#include <algorithm>

#include "../opencl_program.h"

namespace {

template <class T>
void buffers(OpenClProgram& program, const char* name, std::size_t size, Verdict& verdict) {
    constexpr std::size_t kGroups = 12;
    Numbers numbers(17);
    std::vector<T> data(kGroups * size * 15);
    for (T& value : data)
        value = static_cast<T>(numbers.next());
    const cl_mem in = program.buffer(data), out = program.buffer(std::vector<T>(data.size()));
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, in, out);
    program.run(kernel, {kGroups * size}, {size});
    const auto found = program.read<T>(out, data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t block = i / size % 15;
        const int added = block < 1 ? 1 : block < 3 ? 2 : block < 7 ? 3 : 4;
        verdict.equal(found[i], static_cast<T>(data[i] + added), i, name);
    }
}

struct Image {
    cl_mem memory;
    Image(cl_context context, std::size_t width, std::size_t height) {
        const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_IMAGE2D;
        description.image_width = width;
        description.image_height = height;
        cl_int error;
        memory = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error);
        OpenClProgram::check(error, "clCreateImage");
    }
    ~Image() { clReleaseMemObject(memory); }
};

void images(OpenClProgram& program, Verdict& verdict) {
    constexpr int kWidth = 96, kHeight = 40;
    const Image image(program.context(), kWidth, kHeight);
    const cl_mem out = program.buffer(std::vector<cl_uint>(kWidth * kHeight));
    const auto look_at = [&](const Image& seen, const char* what, const auto& expected) {
        const cl_kernel kernel = program.kernel("look");
        const cl_int width = kWidth;
        program.arguments(kernel, seen.memory, out, width);
        program.run(kernel, {kWidth, kHeight / 8}, {16, 1});
        const auto found = program.read<cl_uint>(out, kWidth * kHeight);
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                verdict.equal(found[y * kWidth + x], expected(x, y), y * kWidth + x, what);
    };
    const auto look = [&](const char* what, const auto& expected) {
        look_at(image, what, expected);
    };
    const auto painted = [](int x, int y) { return cl_uint(x * 131 + y * 65537 + 7); };
    const cl_kernel paint = program.kernel("paint");
    const cl_uint salt = 7;
    program.arguments(paint, image.memory, salt);
    program.run(paint, {kWidth, kHeight}, {16, 1});
    look("painted", painted);

    const cl_kernel outside = program.kernel("look_outside");
    for (const cl_int x : {-8, 88, 16})
        for (const cl_int y : {-1, kHeight - 1, 3}) {
            program.arguments(outside, image.memory, out, x, y);
            program.run(outside, {16}, {16});
            const auto found = program.read<cl_uint>(out, 32);
            for (int row = 0; row < 2; ++row)
                for (int i = 0; i < 16; ++i)
                    verdict.equal(found[row * 16 + i],
                                  painted(std::clamp(x + i, 0, kWidth - 1),
                                          std::clamp(y + row, 0, kHeight - 1)),
                                  row * 16 + i, "outside");
        }

    struct Copy {
        const char* kernel;
        std::size_t bytes, rows;
    };
    for (const Copy& copy : {Copy{"copy_uc", 1, 4}, Copy{"copy_us", 2, 8}, Copy{"copy_ui", 4, 8},
                             Copy{"copy_ul", 8, 2}}) {
        const Image other(program.context(), kWidth, kHeight);
        const cl_kernel kernel = program.kernel(copy.kernel);
        program.arguments(kernel, image.memory, other.memory);
        program.run(kernel, {kWidth * 4 / copy.bytes, kHeight / copy.rows}, {16, 1});
        look_at(other, copy.kernel, painted);
    }

    const cl_kernel write = program.kernel("write_blocks");
    program.arguments(write, image.memory, salt);
    program.run(write, {kWidth, kHeight / 4}, {16, 1});
    look("written", [](int x, int y) { return cl_uint(x * 7 + y * 1000 + 7); });
}

}  // namespace

int main() {
    Verdict verdict;
    for (const char* options : {"", "-cl-intel-greater-than-4GB-buffer-required"}) {
        OpenClProgram program("block_io.cl", options);
        buffers<cl_uint>(program, "buffer16_uint", 16, verdict);
        buffers<cl_uint>(program, "buffer8_uint", 8, verdict);
        buffers<cl_ushort>(program, "buffer16_ushort", 16, verdict);
        buffers<cl_ushort>(program, "buffer8_ushort", 8, verdict);
        buffers<cl_uchar>(program, "buffer16_uchar", 16, verdict);
        buffers<cl_ulong>(program, "buffer16_ulong", 16, verdict);
        buffers<cl_ulong>(program, "buffer8_ulong", 8, verdict);
        images(program, verdict);
    }
    return verdict.finish("block_io");
}
