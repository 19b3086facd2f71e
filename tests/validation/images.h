// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "validation.h"

/// A plane of texels of four channels. They are made by the program's kernel `paint`: the driver
/// would copy them by a kernel of its own, which scripts/validate does not count.
class Image {
  public:
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
