// SPDX-License-Identifier: Apache-2.0
#include "platform/host/opencl/watched_calls.h"

namespace gen9::checks {
namespace {

const cl_icd_dispatch* g_driver;
LaunchChecker* g_checker;

cl_mem made(cl_mem buffer) {
    if (buffer) g_checker->made_buffer(buffer);
    return buffer;
}

cl_kernel made(cl_kernel kernel) {
    if (kernel) g_checker->made_kernel(kernel);
    return kernel;
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, std::size_t size,
                                 void* host, cl_int* error) {
    return made(g_driver->clCreateBuffer(context, flags, size, host, error));
}

cl_mem CL_API_CALL create_buffer_with(cl_context context, const cl_mem_properties* properties,
                                      cl_mem_flags flags, std::size_t size, void* host,
                                      cl_int* error) {
    return made(
        g_driver->clCreateBufferWithProperties(context, properties, flags, size, host, error));
}

cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* region, cl_int* error) {
    return made(g_driver->clCreateSubBuffer(buffer, flags, type, region, error));
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
    return made(g_driver->clCreateKernel(program, name, error));
}

cl_int CL_API_CALL create_kernels(cl_program program, cl_uint room, cl_kernel* kernels,
                                  cl_uint* count) {
    cl_uint found = 0;
    const cl_int error = g_driver->clCreateKernelsInProgram(program, room, kernels, &found);
    if (count && error == CL_SUCCESS) *count = found;
    if (error == CL_SUCCESS && kernels)
        for (cl_uint i = 0; i < found && i < room; ++i)
            made(kernels[i]);
    return error;
}

cl_kernel CL_API_CALL clone_kernel(cl_kernel from, cl_int* error) {
    const cl_kernel kernel = g_driver->clCloneKernel(from, error);
    if (kernel) g_checker->cloned(from, kernel);
    return kernel;
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, std::size_t size,
                                const void* value) {
    const cl_int error = g_driver->clSetKernelArg(kernel, index, size, value);
    if (error == CL_SUCCESS) g_checker->set_argument(kernel, index, size, value);
    return error;
}

cl_int CL_API_CALL set_address(cl_kernel kernel, cl_uint index, const void* value) {
    const cl_int error = g_driver->clSetKernelArgSVMPointer(kernel, index, value);
    if (error == CL_SUCCESS) g_checker->set_address(kernel, index);
    return error;
}

cl_int CL_API_CALL set_execution(cl_kernel kernel, cl_kernel_exec_info what, std::size_t size,
                                 const void* value) {
    const cl_int error = g_driver->clSetKernelExecInfo(kernel, what, size, value);
    if (error == CL_SUCCESS && what == CL_KERNEL_EXEC_INFO_SVM_PTRS)
        g_checker->reaches_addresses(kernel);
    return error;
}

}  // namespace

void watch_objects(cl_icd_dispatch& layer, const cl_icd_dispatch& driver, LaunchChecker& checker) {
    g_driver = &driver;
    g_checker = &checker;
    layer.clCreateBuffer = create_buffer;
    layer.clCreateBufferWithProperties = create_buffer_with;
    layer.clCreateSubBuffer = create_sub_buffer;
    layer.clCreateKernel = create_kernel;
    layer.clCreateKernelsInProgram = create_kernels;
    layer.clCloneKernel = clone_kernel;
    layer.clSetKernelArg = set_argument;
    layer.clSetKernelArgSVMPointer = set_address;
    layer.clSetKernelExecInfo = set_execution;
}

}  // namespace gen9::checks
