// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../opencl_program.h"

#include <CL/cl_ext.h>

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

/// The driver's own kernel of block motion estimation.
class BlockMotion {
  public:
    BlockMotion() {
        cl_int error;
        OpenClProgram::check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs");
        OpenClProgram::check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr),
                             "clGetDeviceIDs");
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
        OpenClProgram::check(error, "clCreateContext");
        queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, &error);
        OpenClProgram::check(error, "clCreateCommandQueueWithProperties");
        const cl_program program = clCreateProgramWithBuiltInKernels(
            context_, 1, &device_, "block_motion_estimate_intel", &error);
        OpenClProgram::check(error, "clCreateProgramWithBuiltInKernels");
        kernel_ = clCreateKernel(program, "block_motion_estimate_intel", &error);
        OpenClProgram::check(error, "clCreateKernel");
        accelerator_ = reinterpret_cast<clCreateAcceleratorINTEL_fn>(
            clGetExtensionFunctionAddressForPlatform(platform_, "clCreateAcceleratorINTEL"));
        if (!accelerator_) OpenClProgram::fail("there is no clCreateAcceleratorINTEL");
    }

    struct Found {
        std::vector<cl_short2> vectors;
        std::vector<cl_ushort> residuals;
    };
    Found run(const motion::Picture& source, const motion::Picture& reference, cl_uint block,
              cl_uint subpixel, cl_uint radius) {
        const cl_motion_estimation_desc_intel description{block, subpixel, 0, radius};
        cl_int error;
        const cl_accelerator_intel accelerator =
            accelerator_(context_, CL_ACCELERATOR_TYPE_MOTION_ESTIMATION_INTEL, sizeof description,
                         &description, &error);
        OpenClProgram::check(error, "clCreateAcceleratorINTEL");
        const std::size_t blocks =
            static_cast<std::size_t>(source.width / 16 * (source.height / 16)) * (block == 0 ? 1
                                                                                  : block == 1
                                                                                      ? 4
                                                                                      : 16);
        Found found{std::vector<cl_short2>(blocks), std::vector<cl_ushort>(blocks)};
        const cl_mem vectors =
            clCreateBuffer(context_, CL_MEM_READ_WRITE, 4 * blocks, nullptr, &error);
        const cl_mem residuals =
            clCreateBuffer(context_, CL_MEM_READ_WRITE, 2 * blocks, nullptr, &error);
        const cl_mem images[2] = {image_of(context_, source), image_of(context_, reference)};
        const auto argument = [&](cl_uint index, std::size_t size, const void* value) {
            OpenClProgram::check(clSetKernelArg(kernel_, index, size, value), "clSetKernelArg");
        };
        argument(0, sizeof accelerator, &accelerator);
        argument(1, sizeof(cl_mem), &images[0]);
        argument(2, sizeof(cl_mem), &images[1]);
        argument(3, sizeof(cl_mem), nullptr);
        argument(4, sizeof vectors, &vectors);
        argument(5, sizeof residuals, &residuals);
        const std::size_t global[2] = {static_cast<std::size_t>(source.width),
                                       static_cast<std::size_t>(source.height)};
        OpenClProgram::check(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, global, nullptr, 0,
                                                    nullptr, nullptr),
                             "clEnqueueNDRangeKernel");
        OpenClProgram::check(clEnqueueReadBuffer(queue_, vectors, CL_TRUE, 0, 4 * blocks,
                                                 found.vectors.data(), 0, nullptr, nullptr),
                             "clEnqueueReadBuffer");
        OpenClProgram::check(clEnqueueReadBuffer(queue_, residuals, CL_TRUE, 0, 2 * blocks,
                                                 found.residuals.data(), 0, nullptr, nullptr),
                             "clEnqueueReadBuffer");
        return found;
    }

  private:
    cl_platform_id platform_ = nullptr;
    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    cl_kernel kernel_ = nullptr;
    clCreateAcceleratorINTEL_fn accelerator_ = nullptr;
};
