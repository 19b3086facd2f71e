// SPDX-License-Identifier: Apache-2.0
/// Tells the checker in gen9sim of the launches of a program (check_connection.h). It is a part of
/// OpenCL's layer, in the program.
/// Role     keeps what the program says of its kernels' arguments, and how it made its programs. A
///          launch runs by itself: its buffers are copied when all before it has ended, and again
///          when it has. The program gets the driver's answers and its events.
/// Order    one launch at a time is checked, of all threads. A launch that is held by a user event,
///          or that a callback enqueues while one is checked, is not waited for: it goes unchecked.
/// Spec     OpenCL 3.0 API: clSetKernelArg, clEnqueueNDRangeKernel, clCreateSubBuffer
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "platform/host/checks/message.h"
#include "platform/host/opencl/opencl_launches.h"

namespace gen9::checks {

class LaunchChecker {
  public:
    static bool wanted();
    LaunchChecker(const cl_icd_dispatch& driver, platform::OpenclLaunches& launches)
        : driver_(driver), launches_(launches) {}

    void made_buffer(cl_mem buffer);
    void made_kernel(cl_kernel kernel);
    void cloned(cl_kernel from, cl_kernel kernel);
    void set_argument(cl_kernel kernel, cl_uint index, std::size_t size, const void* value);
    /// An argument is an address of shared virtual memory; or the kernel reaches such by others.
    void set_address(cl_kernel kernel, cl_uint index);
    void reaches_addresses(cl_kernel kernel);

    void built(cl_program program);
    void compiled(cl_program program, std::span<const cl_program> headers, const char** names);
    void linked(cl_program program, std::span<const cl_program> inputs, const char* options);

    struct Launch {
        cl_command_queue queue;
        cl_kernel kernel;
        cl_uint dimensions;
        const std::size_t *offset, *global, *local;
        std::span<const cl_event> list;
    };
    using Enqueue = std::function<cl_int(cl_event*, platform::OpenclLaunches::Enqueued&)>;
    /// Has the launch enqueued, and gives the driver's answer.
    cl_int launch(const Launch& launch, cl_event* event, const Enqueue& enqueue);

  private:
    struct Argument {
        enum class Set { No, Bytes, Size, Address };
        Set set = Set::No;
        std::string bytes;
        std::uint64_t size = 0;
    };
    struct Kernel {
        std::vector<Argument> arguments;
        bool reaches_addresses = false;
    };
    struct Recipe {
        std::string reason;  ///< why there is none
        ProgramText text;
    };
    /// A part of a buffer that is no part of another.
    struct Piece {
        cl_mem buffer;
        std::uint64_t begin, end;
        std::vector<std::uint8_t> before, after;
    };
    struct Plan {
        LaunchRecord record;
        std::vector<Piece> pieces;
    };

    // Each says why it failed; empty: it did not.
    std::string plan(const Launch& launch, Plan& plan);
    std::string take_arguments(const KernelAnswer& answer, const Kernel& kernel, Plan& plan);
    std::string take_buffer(const ArgumentDeclaration& declared, const Argument& argument,
                            LaunchArgument& to, Plan& plan);
    std::string copy(const Launch& launch, Plan& plan, bool before);
    std::string wait(cl_event event);
    cl_int run(const Launch& launch, cl_event* event, const Enqueue& enqueue, Plan& plan,
               std::string& reason);

    cl_int read(cl_command_queue queue, std::span<const cl_event> list, const Piece& piece,
                std::vector<std::uint8_t>& to);
    /// Reads a buffer that the host may not read.
    cl_int read_copy(cl_command_queue queue, std::span<const cl_event> list, const Piece& piece,
                     std::vector<std::uint8_t>& to);
    std::vector<std::uint64_t> group_size(const Launch& launch);

    void forget(cl_program program);
    Recipe recipe_of(cl_program program);
    Recipe source_of(cl_program program);
    /// The number by which the checker knows the program; told when it is new.
    std::string tell(cl_program program, std::uint32_t& id);
    const KernelAnswer& ask(std::uint32_t program, const std::string& kernel);
    template <class T>
    T memory_info(cl_mem buffer, cl_mem_info what) const;
    std::string name_of(cl_kernel kernel) const;

    bool reach();
    bool send(MessageKind kind, std::span<const std::uint8_t> fields,
              std::span<const std::span<const std::uint8_t>> behind = {});
    void refuse(cl_kernel kernel, const std::string& reason);

    const cl_icd_dispatch& driver_;
    platform::OpenclLaunches& launches_;
    std::mutex one_at_a_time_;
    std::mutex objects_mutex_;  ///< of the five that follow
    std::set<cl_mem> buffers_;
    std::map<cl_kernel, Kernel> kernels_;
    std::map<cl_program, Recipe> linked_;
    std::map<cl_program, std::vector<std::pair<std::string, std::string>>> headers_;
    std::map<cl_program, std::pair<std::uint32_t, std::string>> told_;
    std::uint32_t programs_told_ = 0;
    std::map<std::pair<std::uint32_t, std::string>, KernelAnswer> answers_;
    int socket_ = -1;
    std::uint64_t socket_inode_ = 0;
    pid_t owner_ = 0;  ///< the process that has reached the checker, or tried
};

}  // namespace gen9::checks
