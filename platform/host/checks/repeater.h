// SPDX-License-Identifier: Apache-2.0
/// Repeats launches on another OpenCL platform. It is for a process of its own, which a kernel may
/// take down.
/// Role     builds programs from their sources, runs a launch on copies of its buffers, and
///          compares what it leaves there with what the model left.
/// Spec     OpenCL 3.0 API
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>

#include "platform/host/checks/element_type.h"
#include "platform/host/checks/message.h"

struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_program;

namespace gen9::checks {

struct OpenclCalls;

class Repeater {
  public:
    /// `vendor_file`: names the platform's library, as in /etc/OpenCL/vendors. Throws UserError
    /// when the platform has no device.
    Repeater(const std::string& vendor_file, unsigned ulps);
    ~Repeater();
    Repeater(const Repeater&) = delete;
    Repeater& operator=(const Repeater&) = delete;

    void take(ProgramText text);
    KernelAnswer answer(const KernelQuestion& question);
    LaunchResult repeat(const LaunchRecord& launch, std::span<const std::uint8_t> bytes);

  private:
    struct Program;
    struct Kernel;
    struct Buffers;
    void build(Program& program);
    void compile_and_link(Program& program);
    std::string build_error(_cl_program* program, int error, const std::string& options) const;
    Kernel& kernel(std::uint32_t program, const std::string& name);
    KernelAnswer declarations(const Kernel& kernel) const;
    const ElementType& type_of(Program& program, const std::string& pointer);
    ElementType probed(const Program& program, const std::string& type) const;
    std::string set_arguments(const LaunchRecord& launch, const Kernel& kernel, Buffers& buffers);
    std::string run(const LaunchRecord& launch, const Kernel& kernel);

    std::unique_ptr<OpenclCalls> cl_;
    _cl_device_id* device_ = nullptr;
    _cl_context* context_ = nullptr;
    _cl_command_queue* queue_ = nullptr;
    unsigned ulps_;
    std::map<std::uint32_t, Program> programs_;
};

}  // namespace gen9::checks
