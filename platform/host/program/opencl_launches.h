// SPDX-License-Identifier: Apache-2.0
/// What an OpenCL program says of its kernels, told to the simulator by files in a folder that the
/// environment names (kLaunchesVariable):
///   PID.log     a line for each enqueue, and for each program when its first kernel is enqueued
///   PID-N.bin   the device binary of program N
///   PID-N.dbg   its debug data, if it was built with -g
///   PID-N.cl    then also its source, if it was made of such
/// Lines are words between tabs:
///   program  N  build options
///   enqueue  N  of the program, queue, global sizes, local sizes or -, name
/// Sizes have a comma between the dimensions. Programs and queues are numbered by their first
/// enqueue, enqueues by their order in the file.
#pragma once
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gen9::platform {

class OpenclLaunches {
  public:
    static bool wanted();

    explicit OpenclLaunches(const cl_icd_dispatch& driver);
    void tell(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
              const std::size_t* global, const std::size_t* local);
    /// The program is built anew, or is another at the same address.
    void forget(cl_program program);

  private:
    unsigned number_of(cl_program program);
    void write_program(cl_program program, unsigned number) const;
    /// The first device's of something that each device has.
    std::vector<char> of_device(cl_program program, cl_program_info sizes_of,
                                cl_program_info what) const;
    std::string build_options(cl_program program) const;
    void write_line(std::string line) const;

    const cl_icd_dispatch& driver_;
    std::string folder_;
    std::mutex mutex_;
    std::map<cl_program, unsigned> programs_;
    std::map<cl_command_queue, std::size_t> queues_;
    unsigned programs_told_ = 0;
};

}  // namespace gen9::platform
