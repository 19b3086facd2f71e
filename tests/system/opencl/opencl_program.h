// SPDX-License-Identifier: Apache-2.0
#pragma once
#define CL_TARGET_OPENCL_VERSION 210
#include <CL/cl.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

/// The little OpenCL that every gallery program needs: the first device of the first platform, a
/// program built from the .cl file beside the source, typed buffers, and a verdict.
/// Ordinary OpenCL: nothing in it knows what kind of device answers.
class OpenClProgram {
  public:
    /// `kernel_file` stands in the folder given at build time.
    explicit OpenClProgram(const char* kernel_file, const char* build_options = "")
        : OpenClProgram(Source{text_of(kernel_file)}, build_options) {}
    struct Source {
        std::string text;
    };
    explicit OpenClProgram(const Source& source, const char* build_options = "") {
        cl_platform_id platform;
        check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
        cl_int error;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
        check(error, "clCreateContext");
        const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                                  0};
        queue_ = clCreateCommandQueueWithProperties(context_, device_, properties, &error);
        check(error, "clCreateCommandQueueWithProperties");
        const char* pointer = source.text.c_str();
        program_ = clCreateProgramWithSource(context_, 1, &pointer, nullptr, &error);
        check(error, "clCreateProgramWithSource");
        if (clBuildProgram(program_, 1, &device_, build_options, nullptr, nullptr) != CL_SUCCESS) {
            std::vector<char> log(1 << 16);
            clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                                  nullptr);
            fail(std::string("the kernels do not build:\n") + log.data());
        }
    }
    ~OpenClProgram() {
        for (cl_mem buffer : buffers_)
            clReleaseMemObject(buffer);
        for (cl_kernel kernel : kernels_)
            clReleaseKernel(kernel);
        clReleaseProgram(program_);
        clReleaseCommandQueue(queue_);
        clReleaseContext(context_);
    }
    OpenClProgram(const OpenClProgram&) = delete;
    OpenClProgram& operator=(const OpenClProgram&) = delete;

    template <class T>
    cl_mem buffer(const std::vector<T>& contents) {
        cl_int error;
        cl_mem made =
            clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           contents.size() * sizeof(T), const_cast<T*>(contents.data()), &error);
        check(error, "clCreateBuffer");
        buffers_.push_back(made);
        return made;
    }
    template <class T>
    std::vector<T> read(cl_mem from, std::size_t count) {
        std::vector<T> contents(count);
        check(clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, count * sizeof(T), contents.data(), 0,
                                  nullptr, nullptr),
              "clEnqueueReadBuffer");
        return contents;
    }
    cl_kernel kernel(const char* name) {
        cl_int error;
        kernels_.push_back(clCreateKernel(program_, name, &error));
        check(error, name);
        return kernels_.back();
    }
    std::vector<std::string> kernel_names() {
        char names[1 << 14];
        check(clGetProgramInfo(program_, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr),
              "clGetProgramInfo");
        std::vector<std::string> list;
        std::istringstream text(names);
        for (std::string name; std::getline(text, name, ';');)
            list.push_back(name);
        return list;
    }
    template <class... Arguments>
    void arguments(cl_kernel kernel, const Arguments&... values) {
        cl_uint index = 0;
        (check(clSetKernelArg(kernel, index++, sizeof(values), &values), "clSetKernelArg"), ...);
    }
    void run(cl_kernel kernel, std::vector<std::size_t> global, std::vector<std::size_t> local = {},
             std::vector<std::size_t> offset = {}) {
        check(clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(global.size()),
                                     offset.empty() ? nullptr : offset.data(), global.data(),
                                     local.empty() ? nullptr : local.data(), 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue_), "clFinish");
    }
    cl_command_queue queue() const { return queue_; }
    cl_context context() const { return context_; }

    static void check(cl_int error, const char* what) {
        if (error != CL_SUCCESS)
            fail(std::string(what) + " failed: error " + std::to_string(error));
    }
    [[noreturn]] static void fail(const std::string& text) {
        std::fprintf(stderr, "%s\n", text.c_str());
        std::exit(1);
    }

  private:
    static std::string text_of(const char* kernel_file) {
        const std::string path =
            kernel_file[0] == '/' ? kernel_file : std::string(KERNEL_DIR) + "/" + kernel_file;
        std::ifstream file(path);
        if (!file) fail("cannot read " + path);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    cl_device_id device_{};
    cl_context context_{};
    cl_command_queue queue_{};
    cl_program program_{};
    std::vector<cl_kernel> kernels_;
    std::vector<cl_mem> buffers_;
};

/// Counts comparisons, says the first differences, gives the exit status.
class Verdict {
  public:
    template <class T>
    void equal(const T& found, const T& expected, std::size_t index, const char* what = "element") {
        ++compared_;
        if (found == expected) return;
        note(what, index, std::to_string(found), std::to_string(expected));
    }
    /// |found - expected| <= tolerance * max(1, |expected|)
    void close(double found, double expected, double tolerance, std::size_t index,
               const char* what = "element") {
        ++compared_;
        if (std::fabs(found - expected) <= tolerance * std::fmax(1.0, std::fabs(expected))) return;
        note(what, index, std::to_string(found), std::to_string(expected));
    }
    int finish(const char* name) const {
        std::printf("%s: %zu values compared, %zu differ: %s\n", name, compared_, wrong_,
                    wrong_ == 0 && compared_ != 0 ? "PASS" : "FAIL");
        return wrong_ == 0 && compared_ != 0 ? 0 : 1;
    }

  private:
    void note(const char* what, std::size_t index, const std::string& found,
              const std::string& expected) {
        if (++wrong_ <= 5)
            std::fprintf(stderr, "  %s %zu: found %s, expected %s\n", what, index, found.c_str(),
                         expected.c_str());
    }
    std::size_t compared_ = 0, wrong_ = 0;
};

/// The same numbers on every machine: a 32-bit linear congruential generator.
class Numbers {
  public:
    explicit Numbers(std::uint32_t seed) : state_(seed) {}
    std::uint32_t next() { return state_ = state_ * 1664525u + 1013904223u; }
    std::uint32_t below(std::uint32_t limit) { return (next() >> 8) % limit; }
    float unit() { return static_cast<float>(next() >> 8) / 16777216.0f; }

  private:
    std::uint32_t state_;
};
