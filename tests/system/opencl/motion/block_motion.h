// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../opencl_program.h"

#include <CL/cl_ext.h>

#include <deque>

#include "tests/support/motion_reference.h"

inline cl_mem image_of(cl_context context, const motion::Picture& picture) {
    const cl_image_format format{CL_R, CL_UNORM_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = static_cast<std::size_t>(picture.width);
    shape.image_height = static_cast<std::size_t>(picture.height);
    cl_int error;
    const cl_mem made =
        clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape,
                      const_cast<unsigned char*>(picture.pixels.data()), &error);
    OpenClProgram::check(error, "clCreateImage");
    return made;
}

/// A built-in kernel of the driver's, and what its accelerator is made of.
class BuiltInKernel {
  public:
    explicit BuiltInKernel(const char* name) {
        cl_int error;
        OpenClProgram::check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs");
        OpenClProgram::check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr),
                             "clGetDeviceIDs");
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
        OpenClProgram::check(error, "clCreateContext");
        queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, &error);
        OpenClProgram::check(error, "clCreateCommandQueueWithProperties");
        const cl_program program =
            clCreateProgramWithBuiltInKernels(context_, 1, &device_, name, &error);
        OpenClProgram::check(error, "clCreateProgramWithBuiltInKernels");
        kernel_ = clCreateKernel(program, name, &error);
        OpenClProgram::check(error, "clCreateKernel");
        accelerator_ = reinterpret_cast<clCreateAcceleratorINTEL_fn>(
            clGetExtensionFunctionAddressForPlatform(platform_, "clCreateAcceleratorINTEL"));
        if (!accelerator_) OpenClProgram::fail("there is no clCreateAcceleratorINTEL");
    }

  protected:
    cl_accelerator_intel accelerator(cl_uint block, cl_uint subpixel, cl_uint radius) {
        // The driver reads it when the kernel is enqueued.
        const auto& description =
            descriptions_.emplace_back(cl_motion_estimation_desc_intel{block, subpixel, 0, radius});
        cl_int error;
        const cl_accelerator_intel made =
            accelerator_(context_, CL_ACCELERATOR_TYPE_MOTION_ESTIMATION_INTEL, sizeof description,
                         &description, &error);
        OpenClProgram::check(error, "clCreateAcceleratorINTEL");
        return made;
    }
    cl_mem image(const motion::Picture& picture) { return image_of(context_, picture); }
    template <class T>
    cl_mem buffer(const std::vector<T>& contents) {
        cl_int error;
        const cl_mem made =
            clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           contents.size() * sizeof(T), const_cast<T*>(contents.data()), &error);
        OpenClProgram::check(error, "clCreateBuffer");
        return made;
    }
    template <class T>
    void read(cl_mem from, std::vector<T>& contents) {
        OpenClProgram::check(
            clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, contents.size() * sizeof(T),
                                contents.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
    }
    void argument(cl_uint index, std::size_t size, const void* value) {
        OpenClProgram::check(clSetKernelArg(kernel_, index, size, value), "clSetKernelArg");
    }
    template <class... Arguments>
    void arguments(const Arguments&... values) {
        cl_uint index = 0;
        (argument(index++, sizeof values, &values), ...);
    }
    void enqueue(const motion::Picture& source) {
        const std::size_t global[2] = {static_cast<std::size_t>(source.width),
                                       static_cast<std::size_t>(source.height)};
        OpenClProgram::check(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, global, nullptr, 0,
                                                    nullptr, nullptr),
                             "clEnqueueNDRangeKernel");
    }

  private:
    cl_platform_id platform_ = nullptr;
    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    cl_kernel kernel_ = nullptr;
    clCreateAcceleratorINTEL_fn accelerator_ = nullptr;
    std::deque<cl_motion_estimation_desc_intel> descriptions_;
};

/// Blocks of a macroblock by the accelerator's number: 16x16, 8x8, 4x4.
inline std::size_t blocks_of(cl_uint block) {
    return block == 0 ? 1 : block == 1 ? 4 : 16;
}
inline std::size_t macroblocks_of(const motion::Picture& picture) {
    return static_cast<std::size_t>(picture.width / 16 * (picture.height / 16));
}

/// The driver's own kernel of block motion estimation.
class BlockMotion : BuiltInKernel {
  public:
    BlockMotion() : BuiltInKernel("block_motion_estimate_intel") {}

    struct Found {
        std::vector<cl_short2> vectors;
        std::vector<cl_ushort> residuals;
    };
    Found run(const motion::Picture& source, const motion::Picture& reference, cl_uint block,
              cl_uint subpixel, cl_uint radius) {
        const std::size_t blocks = macroblocks_of(source) * blocks_of(block);
        Found found{std::vector<cl_short2>(blocks), std::vector<cl_ushort>(blocks)};
        const cl_mem vectors = buffer(found.vectors), residuals = buffer(found.residuals);
        arguments(accelerator(block, subpixel, radius), image(source), image(reference), cl_mem{},
                  vectors, residuals);
        argument(3, sizeof(cl_mem), nullptr);
        enqueue(source);
        read(vectors, found.vectors);
        read(residuals, found.residuals);
        return found;
    }
};
