// SPDX-License-Identifier: Apache-2.0
// Runs every kernel of a file over the same input and prints, per kernel, a hash of what it left:
//   corpus FILE.cl [KERNEL...]
// A kernel with more arguments than input and output gets images of the input's bytes, up to five.
// Two devices that print the same have computed the same. The input mixes plain numbers with the
// patterns where arithmetic turns (all ones, sign bits, powers of two, small numbers).
// CORPUS_OPTIONS: the compiler's options; CORPUS_DUMP: print every value as well.
#include "../opencl_program.h"

namespace {

/// RGBA bytes as integers and as fractions, 32 x 32; four layers of RG words, 16 x 16; RGBA words,
/// 8 x 8 x 8; 1024 numbers.
std::vector<cl_mem> images_of(OpenClProgram& program, std::vector<cl_uint>& input, cl_mem in,
                              std::size_t count) {
    const auto image = [&](cl_image_format format, cl_mem_object_type type, std::size_t side,
                           std::size_t depth) {
        cl_image_desc shape{};
        shape.image_type = type;
        shape.image_width = shape.image_height = side;
        shape.image_depth = shape.image_array_size = depth;
        const bool of_buffer = type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
        if (of_buffer) shape.buffer = in;
        cl_int error;
        const cl_mem made = clCreateImage(
            program.context(), CL_MEM_READ_ONLY | (of_buffer ? 0 : CL_MEM_COPY_HOST_PTR), &format,
            &shape, of_buffer ? nullptr : input.data(), &error);
        OpenClProgram::check(error, "clCreateImage");
        return made;
    };
    struct Shape {
        cl_image_format format;
        cl_mem_object_type type;
        std::size_t side, depth;
    };
    const Shape shapes[] = {
        {{CL_RGBA, CL_UNSIGNED_INT8}, CL_MEM_OBJECT_IMAGE2D, 32, 0},
        {{CL_RGBA, CL_UNORM_INT8}, CL_MEM_OBJECT_IMAGE2D, 32, 0},
        {{CL_RG, CL_UNSIGNED_INT16}, CL_MEM_OBJECT_IMAGE2D_ARRAY, 16, 4},
        {{CL_RGBA, CL_UNSIGNED_INT16}, CL_MEM_OBJECT_IMAGE3D, 8, 8},
        {{CL_R, CL_UNSIGNED_INT32}, CL_MEM_OBJECT_IMAGE1D_BUFFER, input.size(), 0}};
    std::vector<cl_mem> images;
    for (const Shape& shape : shapes)
        if (images.size() < count)
            images.push_back(image(shape.format, shape.type, shape.side, shape.depth));
    return images;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) OpenClProgram::fail("usage: corpus FILE.cl [KERNEL...]");
    constexpr std::size_t kCount = 1024, kLocal = 64;
    const char* options = std::getenv("CORPUS_OPTIONS");
    OpenClProgram program(
        argv[1], options ? options : "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt");
    Numbers numbers(42);
    std::vector<cl_uint> input(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        const cl_uint pattern[] = {
            0, ~0u, 0x80000000u, 0x7FFFFFFFu, 1u << (i / 8 & 31), 0x7F800000u, 0x3F800000u, 100};
        input[i] = i % 5 == 4 ? pattern[i / 5 % 8] : numbers.next() ^ numbers.next() >> 16;
    }
    std::vector<std::string> names(argv + 2, argv + argc);
    if (names.empty()) names = program.kernel_names();
    for (const std::string& name : names) {
        const cl_kernel kernel = program.kernel(name.c_str());
        const cl_mem in = program.buffer(input),
                     out = program.buffer(std::vector<cl_uint>(kCount, 0xA5A5A5A5u));
        program.arguments(kernel, in, out);
        cl_uint arguments = 0;
        OpenClProgram::check(
            clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr),
            "clGetKernelInfo");
        std::vector<cl_mem> images;
        if (arguments > 2) images = images_of(program, input, in, arguments - 2);
        for (cl_uint i = 0; i < images.size(); ++i)
            OpenClProgram::check(clSetKernelArg(kernel, i + 2, sizeof(cl_mem), &images[i]),
                                 "clSetKernelArg");
        program.run(kernel, {kCount}, {kLocal});
        for (const cl_mem image : images)
            clReleaseMemObject(image);
        std::uint64_t hash = 1469598103934665603ull;
        const auto result = program.read<cl_uint>(out, kCount);
        for (cl_uint value : result)
            hash = (hash ^ value) * 1099511628211ull;
        std::printf("%-28s %016llx  %08x %08x %08x %08x\n", name.c_str(),
                    static_cast<unsigned long long>(hash), result[0], result[1], result[63],
                    result[kCount - 1]);
        if (std::getenv("CORPUS_DUMP"))
            for (std::size_t i = 0; i < kCount; ++i)
                std::printf("  %s[%zu] = %08x\n", name.c_str(), i, result[i]);
    }
}
