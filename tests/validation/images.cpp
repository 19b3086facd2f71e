// SPDX-License-Identifier: Apache-2.0
// Programs of images: limited by samplers and their caches, or by memory.
#include "validation.h"

namespace {

class Image {
  public:
    /// Its texels are made by a kernel: the driver would copy them by one of its own.
    Image(Measured& program, cl_channel_type type, std::size_t width, std::size_t height) {
        const cl_image_format format{CL_RGBA, type};
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_IMAGE2D;
        description.image_width = width;
        description.image_height = height;
        cl_int error;
        made_ = clCreateImage(program.program.context(), CL_MEM_READ_WRITE, &format, &description,
                              nullptr, &error);
        OpenClProgram::check(error, "clCreateImage");
        program.launch("paint", {width, height}, {}, made_);
    }
    ~Image() { clReleaseMemObject(made_); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    cl_mem operator*() const { return made_; }

  private:
    cl_mem made_;
};

constexpr const char* kReadAndWrite = "-cl-std=CL2.0";

}  // namespace

/// Width and height of the texture, rows of 672 pixels: W-48. The amount is lookups.
void textures(const Sizes& sizes) {
    Measured program("images.cl", kReadAndWrite);
    const std::size_t width = sizes[0], height = sizes[1], rows = sizes[2];
    constexpr std::size_t kAcross = 672;  // with 64 rows, 16 waves of threads of 16
    const Image texture(program, CL_UNORM_INT8, width, height);
    const cl_mem out = program.room(16 * kAcross);
    // The published program repeats a launch too: the caches have what they can hold.
    for (unsigned time = 0; time < 2; ++time)
        program.launch("eight_reads", {kAcross, rows}, {8, 8}, *texture, out, -1e20f);
    program.report("lookups", 8.0 * static_cast<double>(kAcross * rows));
}
