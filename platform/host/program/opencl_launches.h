// SPDX-License-Identifier: Apache-2.0
/// What an OpenCL program says of its kernels, told to the simulator by files in a folder that the
/// environment names (kLaunchesVariable):
///   PID.log     a line for each enqueue, and for each program when its first kernel is enqueued
///   PID-N.dbg   debug data of program N, if it was built with -g
///   PID-N.cl    then also its source, if it was made of such
/// Lines are words between tabs:
///   program  N  build options
///   enqueue  E  N  context, queue, address of the kernel, global sizes, local sizes or -, name
///   refused  E  the driver did not take the enqueue
/// Sizes have a comma between the dimensions. Programs, contexts and queues are numbered by their
/// first enqueue. While the driver carries out an enqueue, the thread's submissions are its own:
/// the door tells the simulator the process and the number (current_launch.h).
#pragma once
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gen9::platform {

class OpenclLaunches {
  public:
    static bool wanted();

    explicit OpenclLaunches(const cl_icd_dispatch& driver);
    /// Tells of an enqueue before it can run, has the driver carry it out, and gives its answer.
    cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                   const std::size_t* global, const std::size_t* local,
                   const std::function<cl_int()>& carry_out);
    /// The program is built anew, or is another at the same address.
    void forget(cl_program program);

  private:
    /// Gives its number; none if there is nothing to be told.
    std::optional<unsigned> tell(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const std::size_t* global, const std::size_t* local);
    /// What the driver knows of a kernel; zero if it does not.
    template <class T>
    T of_kernel(cl_kernel kernel, cl_kernel_info what) const;
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
    std::map<cl_context, std::size_t> contexts_;
    std::map<cl_command_queue, std::size_t> queues_;
    unsigned programs_told_ = 0, enqueues_told_ = 0;
};

}  // namespace gen9::platform
