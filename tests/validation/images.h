// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "validation.h"

/// A plane of texels.
class Image {
  public:
    /// Of texels that nobody has written.
    Image(Measured& program, const cl_image_format& format, std::size_t width, std::size_t height) {
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_IMAGE2D;
        description.image_width = width;
        description.image_height = height;
        make(program, format, description);
    }
    /// Of four channels, made by the program's kernel `paint`: the driver would copy them by a
    /// kernel of its own, which scripts/validate does not count.
    Image(Measured& program, cl_channel_type type, std::size_t width, std::size_t height)
        : Image(program, {CL_RGBA, type}, width, height) {
        program.launch("paint", {width, height}, {}, made_);
    }
    /// A row of texels whose memory is a buffer.
    Image(Measured& program, const cl_image_format& format, std::size_t width, cl_mem buffer) {
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
        description.image_width = width;
        description.buffer = buffer;
        make(program, format, description);
    }
    ~Image() { clReleaseMemObject(made_); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    cl_mem operator*() const { return made_; }

  private:
    void make(Measured& program, const cl_image_format& format, const cl_image_desc& description) {
        cl_int error;
        made_ = clCreateImage(program.program.context(), CL_MEM_READ_WRITE, &format, &description,
                              nullptr, &error);
        OpenClProgram::check(error, "clCreateImage");
    }
    cl_mem made_ = nullptr;
};
