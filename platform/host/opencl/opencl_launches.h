// SPDX-License-Identifier: Apache-2.0
/// What an OpenCL program says of its kernels, told to the simulator by files in a folder that the
/// environment names (kLaunchesVariable):
///   PID.log     a line for each enqueue, and for each program when its first kernel is enqueued
///   PID-N.dbg   debug data of program N, if it was built with -g
///   PID-N.cl    then also its source, if it was made of such
///   PID-N.bin   its device binary, where kBinariesVariable is set
/// Lines are words between tabs:
///   program  N  build options
///   enqueue  E  N  context, queue, address of the kernel, global sizes, local sizes or -, name
///   refused  E  the driver did not take the enqueue, or gave it up
///   freed    F  enqueues with a comma between, that a user event frees: F stands for all of them,
///               as the driver submits them in this order while the program sets the event
/// Sizes have a comma between the dimensions. Programs, contexts and queues are numbered by their
/// first enqueue. While the driver carries out an enqueue, or what a user event frees, the thread's
/// submissions are its own: the door tells the simulator the process and the number
/// (current_launch.h). Numbers F begin at kFirstFreed. Of other commands only what they do is told,
/// as a number (driver_command.h).
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
#include <span>
#include <string>
#include <vector>

#include "platform/host/opencl/held_commands.h"
#include "platform/host/program/driver_command.h"

namespace gen9::platform {

class OpenclLaunches {
  public:
    static constexpr unsigned kFirstFreed = 1u << 31;
    static bool wanted();

    explicit OpenclLaunches(const cl_icd_dispatch& driver);
    /// This is told of a launch.
    struct Launch {
        cl_kernel kernel;
        cl_uint dimensions;
        const std::size_t *global, *local;
    };
    /// This is known of a command that was enqueued.
    struct Enqueued {
        std::optional<unsigned> number;  ///< of a launch that was told
        bool held = false;               ///< by a user event
    };
    /// Has the driver enqueue a command, which may wait for events and have one, and gives its
    /// answer. Of a launch it tells before it can run.
    cl_int enqueue(cl_command_queue queue, std::span<const cl_event> list, const cl_event* event,
                   const Launch* launch, const std::function<cl_int()>& carry_out,
                   Enqueued* enqueued = nullptr);
    /// Has the driver carry out such a command; gives its answer.
    static cl_int by_driver(DriverCommand command, const std::function<cl_int()>& carry_out) {
        return submitting(platform::number_of(command), carry_out);
    }
    /// Would a user event hold back what is enqueued now?
    bool holds(cl_command_queue queue, std::span<const cl_event> list);
    /// A user event is made, and set; the driver's answer.
    void made(cl_event user_event);
    cl_int set(cl_event user_event, cl_int status, const std::function<cl_int()>& carry_out);
    /// The program is built anew, or is another at the same address.
    void forget(cl_program program);

  private:
    /// Whatever the thread submits meanwhile has this number.
    static cl_int submitting(std::optional<unsigned> number,
                             const std::function<cl_int()>& carry_out);
    /// Gives its number; none if there is nothing to be told.
    std::optional<unsigned> tell(cl_command_queue queue, const Launch& launch);
    /// Asks the driver about a kernel; zero if it does not know.
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
    HeldCommands held_;
    unsigned programs_told_ = 0, enqueues_told_ = 0, freed_told_ = kFirstFreed;
};

}  // namespace gen9::platform
