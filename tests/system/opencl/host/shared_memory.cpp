// SPDX-License-Identifier: Apache-2.0
// Memory that host and device share by its address (host, device and shared allocations, SVM), and
// buffers of 2 GB, of which only what is touched costs memory.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "../opencl_program.h"
// After it, which chooses the version.
#include <CL/cl_ext.h>

namespace {

constexpr std::size_t kCount = 1024, kBytes = kCount * sizeof(cl_uint);

template <class Function>
Function extension(const OpenClProgram& program, const char* name) {
    cl_device_id device;
    cl_platform_id platform;
    OpenClProgram::check(
        clGetContextInfo(program.context(), CL_CONTEXT_DEVICES, sizeof device, &device, nullptr),
        "clGetContextInfo");
    OpenClProgram::check(
        clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr),
        "clGetDeviceInfo");
    void* found = clGetExtensionFunctionAddressForPlatform(platform, name);
    OpenClProgram::check(found ? CL_SUCCESS : CL_INVALID_OPERATION, name);
    return reinterpret_cast<Function>(found);
}
#define GEN9_EXTENSION(program, name) extension<name##_fn>(program, #name)

cl_device_id device_of(const OpenClProgram& program) {
    cl_device_id device;
    clGetContextInfo(program.context(), CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
    return device;
}

void launch(const OpenClProgram& program, cl_kernel kernel) {
    OpenClProgram::check(clEnqueueNDRangeKernel(program.queue(), kernel, 1, nullptr, &kCount,
                                                nullptr, 0, nullptr, nullptr),
                         "clEnqueueNDRangeKernel");
}

/// Adds to what lies at an address, and compares; `copy` brings it to and from a device's own.
void by_address(Verdict& verdict, OpenClProgram& program, void* memory, bool of_device,
                const char* what) {
    const auto set = GEN9_EXTENSION(program, clSetKernelArgMemPointerINTEL);
    const auto copy = GEN9_EXTENSION(program, clEnqueueMemcpyINTEL);
    const cl_kernel kernel = program.kernel("add");
    const cl_uint amount = 100;
    std::vector<cl_uint> values(kCount);
    std::iota(values.begin(), values.end(), 0u);
    if (of_device)
        OpenClProgram::check(
            copy(program.queue(), CL_TRUE, memory, values.data(), kBytes, 0, nullptr, nullptr),
            "clEnqueueMemcpyINTEL");
    else
        std::copy(values.begin(), values.end(), static_cast<cl_uint*>(memory));
    OpenClProgram::check(set(kernel, 0, memory), "clSetKernelArgMemPointerINTEL");
    clSetKernelArg(kernel, 1, sizeof amount, &amount);
    launch(program, kernel);
    clFinish(program.queue());
    if (of_device)
        OpenClProgram::check(
            copy(program.queue(), CL_TRUE, values.data(), memory, kBytes, 0, nullptr, nullptr),
            "clEnqueueMemcpyINTEL");
    else
        std::copy_n(static_cast<cl_uint*>(memory), kCount, values.begin());
    for (std::size_t i = 0; i < kCount; ++i)
        verdict.equal(values[i], static_cast<cl_uint>(i) + amount, i, what);
    OpenClProgram::check(GEN9_EXTENSION(program, clMemFreeINTEL)(program.context(), memory),
                         "clMemFreeINTEL");
}

void unified(Verdict& verdict) {
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    const auto device = device_of(program);
    cl_int error;
    void* memory =
        GEN9_EXTENSION(program, clHostMemAllocINTEL)(program.context(), nullptr, kBytes, 0, &error);
    OpenClProgram::check(error, "clHostMemAllocINTEL");
    by_address(verdict, program, memory, false, "host allocation");
    memory = GEN9_EXTENSION(program, clDeviceMemAllocINTEL)(program.context(), device, nullptr,
                                                            kBytes, 0, &error);
    OpenClProgram::check(error, "clDeviceMemAllocINTEL");
    by_address(verdict, program, memory, true, "device allocation");
    memory = GEN9_EXTENSION(program, clSharedMemAllocINTEL)(program.context(), device, nullptr,
                                                            kBytes, 0, &error);
    OpenClProgram::check(error, "clSharedMemAllocINTEL");
    by_address(verdict, program, memory, false, "shared allocation");
}

void svm(Verdict& verdict) {
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    auto* values =
        static_cast<cl_uint*>(clSVMAlloc(program.context(), CL_MEM_READ_WRITE, kBytes, 0));
    OpenClProgram::check(values ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    const cl_kernel kernel = program.kernel("add");
    const cl_uint amount = 7;
    clEnqueueSVMMap(program.queue(), CL_TRUE, CL_MAP_WRITE, values, kBytes, 0, nullptr, nullptr);
    std::iota(values, values + kCount, 0u);
    clEnqueueSVMUnmap(program.queue(), values, 0, nullptr, nullptr);
    OpenClProgram::check(clSetKernelArgSVMPointer(kernel, 0, values), "clSetKernelArgSVMPointer");
    clSetKernelArg(kernel, 1, sizeof amount, &amount);
    launch(program, kernel);
    clEnqueueSVMMap(program.queue(), CL_TRUE, CL_MAP_READ, values, kBytes, 0, nullptr, nullptr);
    for (std::size_t i = 0; i < kCount; ++i)
        verdict.equal(values[i], static_cast<cl_uint>(i) + amount, i, "SVM");
    clEnqueueSVMUnmap(program.queue(), values, 0, nullptr, nullptr);
    clFinish(program.queue());
    clSVMFree(program.context(), values);
}

long resident_megabytes() {
    long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return pages / 256;
}

/// Two buffers that together are more than 32-bit addresses reach; their ends are used, as parts.
void large(Verdict& verdict) {
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    cl_ulong most = 0;
    clGetDeviceInfo(device_of(program), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
    const std::size_t size = std::min<cl_ulong>(most, std::size_t{2} << 30) / 4096 * 4096;
    verdict.equal(size >= (std::size_t{3} << 29), true, 0, "the device offers large buffers");
    const long before = resident_megabytes();
    const cl_kernel kernel = program.kernel("add");
    cl_mem wholes[2], parts[2];
    for (unsigned b = 0; b < 2; ++b) {
        cl_int error;
        wholes[b] = clCreateBuffer(program.context(), CL_MEM_READ_WRITE, size, nullptr, &error);
        OpenClProgram::check(error, "clCreateBuffer");
        const cl_buffer_region region{size - kBytes, kBytes};
        parts[b] = clCreateSubBuffer(wholes[b], CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                     &region, &error);
        OpenClProgram::check(error, "clCreateSubBuffer");
        const cl_uint zero = 0;
        clEnqueueFillBuffer(program.queue(), parts[b], &zero, sizeof zero, 0, kBytes, 0, nullptr,
                            nullptr);
        program.arguments(kernel, parts[b], cl_uint{b + 1});
        launch(program, kernel);
    }
    for (unsigned b = 0; b < 2; ++b) {
        std::vector<cl_uint> values(kCount);
        OpenClProgram::check(clEnqueueReadBuffer(program.queue(), wholes[b], CL_TRUE, size - kBytes,
                                                 kBytes, values.data(), 0, nullptr, nullptr),
                             "clEnqueueReadBuffer");
        for (std::size_t i = 0; i < kCount; ++i)
            verdict.equal(values[i], b + 1, i, "end of a large buffer");
    }
    verdict.equal(resident_megabytes() - before < 256, true, 0,
                  "what is not touched costs nothing");
    for (unsigned b = 0; b < 2; ++b) {
        clReleaseMemObject(parts[b]);
        clReleaseMemObject(wholes[b]);
    }
}

}  // namespace

int main() {
    Verdict verdict;
    unified(verdict);
    svm(verdict);
    large(verdict);
    return verdict.finish("shared_memory");
}
