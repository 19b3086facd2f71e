// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/repeater.h"

#include <dlfcn.h>
#include <unistd.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/check.h"
#include "platform/host/checks/comparison.h"

namespace gen9::checks {

/// These functions of OpenCL are called.
#define GEN9_OPENCL_CALLS(X)              \
    X(clGetPlatformIDs)                   \
    X(clGetDeviceIDs)                     \
    X(clCreateContext)                    \
    X(clCreateCommandQueueWithProperties) \
    X(clCreateProgramWithSource)          \
    X(clBuildProgram)                     \
    X(clCompileProgram)                   \
    X(clLinkProgram)                      \
    X(clGetProgramBuildInfo)              \
    X(clReleaseProgram)                   \
    X(clCreateKernel)                     \
    X(clGetKernelInfo)                    \
    X(clGetKernelArgInfo)                 \
    X(clSetKernelArg)                     \
    X(clReleaseKernel)                    \
    X(clCreateBuffer)                     \
    X(clCreateSubBuffer)                  \
    X(clReleaseMemObject)                 \
    X(clEnqueueNDRangeKernel)             \
    X(clEnqueueReadBuffer)                \
    X(clFinish)                           \
    X(clGetEventInfo)                     \
    X(clReleaseEvent)

/// These functions of a loader that this process loads when it wants one.
struct OpenclCalls {
#define GEN9_DECLARE(name) decltype(&::name) name;
    GEN9_OPENCL_CALLS(GEN9_DECLARE)
#undef GEN9_DECLARE

    OpenclCalls() {
        void* const loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!loader) throw UserError(std::string("cannot load OpenCL's loader: ") + dlerror());
        const auto find = [&](auto& call, const char* name) {
            call = reinterpret_cast<std::remove_reference_t<decltype(call)>>(dlsym(loader, name));
            if (!call) throw UserError(std::string("OpenCL's loader has no ") + name);
        };
#define GEN9_FIND(name) find(name, #name);
        GEN9_OPENCL_CALLS(GEN9_FIND)
#undef GEN9_FIND
    }
};

struct Repeater::Kernel {
    cl_kernel kernel = nullptr;
    std::string reason;  ///< why it is not there
    KernelAnswer answer;
};

struct Repeater::Program {
    ProgramText text;
    bool tried = false;
    cl_program program = nullptr;
    std::string reason;
    std::map<std::string, Kernel> kernels;
    std::map<std::string, ElementType> types;
};

/// A launch is given these, and they go with it.
struct Repeater::Buffers {
    const OpenclCalls& cl;
    std::vector<cl_mem> pieces, parts;
    explicit Buffers(const OpenclCalls& calls) : cl(calls) {}
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;
    ~Buffers() {
        for (const cl_mem part : parts)
            cl.clReleaseMemObject(part);
        for (const cl_mem piece : pieces)
            cl.clReleaseMemObject(piece);
    }
};

namespace {

constexpr const char* kPlatform = "PoCL";
/// Has it keep what a kernel's arguments are; it wants it for linking as well.
constexpr const char* kArgumentInfo = "-cl-kernel-arg-info";

std::string error_text(int error) {
    return "(error " + std::to_string(error) + ")";
}

/// Without the options that only Intel's compiler knows.
std::string options_for(const std::string& options) {
    std::istringstream words(options);
    std::string kept = kArgumentInfo, word;
    bool is_value = false;
    while (words >> word) {
        const bool takes_value = word == "-igc_opts";
        if (!is_value && !takes_value && !word.starts_with("-cl-intel-")) kept += " " + word;
        is_value = takes_value;
    }
    return kept;
}

std::string first_error_of(const std::string& log) {
    std::istringstream lines(log);
    std::string line;
    while (std::getline(lines, line))
        if (const auto at = line.find("error:"); at != std::string::npos) return line.substr(at);
    return {};
}

std::vector<std::size_t> sizes(const std::vector<std::uint64_t>& of) {
    return {of.begin(), of.end()};
}

}  // namespace

Repeater::Repeater(const std::string& vendor_file, unsigned ulps) : ulps_(ulps) {
    setenv("OCL_ICD_VENDORS", vendor_file.c_str(), 1);
    unsetenv("OPENCL_LAYERS");
    // One thread, so that a launch's groups always run in the same order.
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
    cl_ = std::make_unique<OpenclCalls>();
    cl_platform_id platform = nullptr;
    cl_int error = CL_SUCCESS;
    const bool found =
        cl_->clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS &&
        cl_->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr) == CL_SUCCESS;
    if (found) context_ = cl_->clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
    if (context_)
        queue_ = cl_->clCreateCommandQueueWithProperties(context_, device_, nullptr, &error);
    if (!queue_) throw UserError(std::string(kPlatform) + " has no device");
}

// Its process ends.
Repeater::~Repeater() = default;

// --- Programs

void Repeater::take(ProgramText text) {
    programs_[text.id] = {};
    programs_[text.id].text = std::move(text);
}

std::string Repeater::build_error(_cl_program* program, int error,
                                  const std::string& options) const {
    if (error == CL_INVALID_BUILD_OPTIONS || error == CL_INVALID_COMPILER_OPTIONS ||
        error == CL_INVALID_LINKER_OPTIONS)
        return std::string(kPlatform) + " does not take the build options '" + options + "'";
    std::size_t size = 0;
    std::string log;
    if (program && cl_->clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                                              &size) == CL_SUCCESS) {
        log.resize(size);
        cl_->clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, size, log.data(),
                                   nullptr);
    }
    const std::string first = first_error_of(log);
    return std::string(kPlatform) + " does not compile it " +
           (first.empty() ? error_text(error) : "(" + first + ")");
}

void Repeater::build(Program& program) {
    if (std::exchange(program.tried, true)) return;
    // Sources include files by relative paths; a folder that is gone has none.
    [[maybe_unused]] const int in_folder = chdir(program.text.folder.c_str());
    if (program.text.linked) return compile_and_link(program);
    if (program.text.units.empty()) {
        program.reason = "its program has no source";
        return;
    }
    const SourceUnit& unit = program.text.units[0];
    const char* source = unit.source.c_str();
    cl_int error = CL_SUCCESS;
    program.program = cl_->clCreateProgramWithSource(context_, 1, &source, nullptr, &error);
    const std::string options = options_for(unit.options);
    if (program.program)
        error =
            cl_->clBuildProgram(program.program, 1, &device_, options.c_str(), nullptr, nullptr);
    if (error != CL_SUCCESS) program.reason = build_error(program.program, error, options);
}

void Repeater::compile_and_link(Program& program) {
    std::vector<cl_program> parts;
    cl_int error = CL_SUCCESS;
    for (const SourceUnit& unit : program.text.units) {
        std::vector<cl_program> headers;
        std::vector<const char*> names;
        const auto make = [&](const std::string& from) {
            const char* source = from.c_str();
            return cl_->clCreateProgramWithSource(context_, 1, &source, nullptr, &error);
        };
        for (const auto& [name, contents] : unit.headers) {
            headers.push_back(make(contents));
            names.push_back(name.c_str());
        }
        parts.push_back(make(unit.source));
        const std::string options = options_for(unit.options);
        error = cl_->clCompileProgram(parts.back(), 1, &device_, options.c_str(),
                                      static_cast<cl_uint>(headers.size()),
                                      headers.empty() ? nullptr : headers.data(),
                                      headers.empty() ? nullptr : names.data(), nullptr, nullptr);
        if (error != CL_SUCCESS) {
            program.reason = build_error(parts.back(), error, options);
            return;
        }
    }
    // The driver was given what is linked into a program as a library, or not at all.
    std::string options = kArgumentInfo;
    std::istringstream words(program.text.link_options);
    for (std::string word; words >> word;)
        if (word.starts_with("-cl-") && !word.starts_with("-cl-intel-")) options += " " + word;
    program.program = cl_->clLinkProgram(context_, 1, &device_, options.c_str(),
                                         static_cast<cl_uint>(parts.size()), parts.data(), nullptr,
                                         nullptr, &error);
    if (error != CL_SUCCESS) program.reason = build_error(program.program, error, options);
}

// --- Kernels

Repeater::Kernel& Repeater::kernel(std::uint32_t number, const std::string& name) {
    Program& program = programs_[number];
    build(program);
    const auto [place, is_new] = program.kernels.try_emplace(name);
    Kernel& kernel = place->second;
    if (!is_new) return kernel;
    kernel.reason = program.reason;
    if (!kernel.reason.empty()) return kernel;
    cl_int error = CL_SUCCESS;
    kernel.kernel = cl_->clCreateKernel(program.program, name.c_str(), &error);
    if (!kernel.kernel)
        kernel.reason = std::string(kPlatform) + " makes no kernel of it " + error_text(error);
    else
        kernel.answer = declarations(kernel);
    return kernel;
}

KernelAnswer Repeater::declarations(const Kernel& kernel) const {
    KernelAnswer answer;
    cl_uint count = 0;
    cl_->clGetKernelInfo(kernel.kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
    for (cl_uint i = 0; i < count; ++i) {
        const auto text = [&](cl_kernel_arg_info what) {
            std::array<char, 512> room{};
            cl_->clGetKernelArgInfo(kernel.kernel, i, what, room.size() - 1, room.data(), nullptr);
            return std::string(room.data());
        };
        ArgumentDeclaration declared;
        declared.name = text(CL_KERNEL_ARG_NAME);
        declared.type = text(CL_KERNEL_ARG_TYPE_NAME);
        cl_kernel_arg_address_qualifier space = 0;
        const cl_int error = cl_->clGetKernelArgInfo(
            kernel.kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr);
        const bool is_pointer = declared.type.ends_with('*');
        if (error != CL_SUCCESS) {
            answer.reason = std::string(kPlatform) + " does not say what its arguments are";
        } else if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
            declared.kind = ArgumentKind::Local;
        } else if (is_pointer && space != CL_KERNEL_ARG_ADDRESS_PRIVATE) {
            declared.kind = space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? ArgumentKind::Constant
                                                                    : ArgumentKind::Buffer;
        } else if (space != CL_KERNEL_ARG_ADDRESS_PRIVATE || declared.type == "sampler_t" ||
                   declared.type == "queue_t") {
            answer.reason = "it takes an argument of type " + declared.type;
        }
        answer.arguments.push_back(std::move(declared));
    }
    return answer;
}

KernelAnswer Repeater::answer(const KernelQuestion& question) {
    const Kernel& found = kernel(question.program, question.kernel);
    if (found.reason.empty()) return found.answer;
    KernelAnswer answer;
    answer.reason = found.reason;
    return answer;
}

const ElementType& Repeater::type_of(Program& program, const std::string& pointer) {
    const auto [place, is_new] = program.types.try_emplace(pointer);
    if (!is_new) return place->second;
    const auto known = element_type(pointer);
    place->second = known ? *known : probed(program, without_pointer(pointer));
    return place->second;
}

// A kernel behind the program's source tells which type a name of the program's own stands for.
ElementType Repeater::probed(const Program& program, const std::string& type) const {
    ElementType unknown;
    unknown.name = type;
    if (program.text.linked || program.text.units.empty()) return unknown;
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const char* scalar : {"float", "double", "half", "char", "uchar", "short", "ushort",
                                   "int", "uint", "long", "ulong"})
            for (const char* count : {"", "2", "3", "4", "8", "16"})
                all.push_back(std::string(scalar) + count);
        return all;
    }();
    std::string source =
        program.text.units[0].source + "\nkernel void gen9sim_type(global int *n) {";
    for (std::size_t i = 0; i < names.size(); ++i)
        // Not every platform knows vectors of half.
        source += std::string(names[i].starts_with("half") ? "\n#ifdef cl_khr_fp16" : "") +
                  "\n  if (__builtin_types_compatible_p(global " + type + " *, global " + names[i] +
                  " *)) *n = " + std::to_string(i) + ";" +
                  (names[i].starts_with("half") ? "\n#endif" : "");
    source += "\n}\n";
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS, found = -1;
    const cl_program probe = cl_->clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
    const std::string options = options_for(program.text.units[0].options);
    if (cl_->clBuildProgram(probe, 1, &device_, options.c_str(), nullptr, nullptr) == CL_SUCCESS) {
        Buffers buffers(*cl_);
        const std::size_t one = 1;
        buffers.parts.push_back(cl_->clCreateBuffer(
            context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof found, &found, &error));
        const cl_kernel kernel = cl_->clCreateKernel(probe, "gen9sim_type", &error);
        cl_->clSetKernelArg(kernel, 0, sizeof(cl_mem), buffers.parts.data());
        cl_->clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr);
        cl_->clEnqueueReadBuffer(queue_, buffers.parts[0], CL_TRUE, 0, sizeof found, &found, 0,
                                 nullptr, nullptr);
        cl_->clReleaseKernel(kernel);
    }
    cl_->clReleaseProgram(probe);
    if (found < 0 || static_cast<std::size_t>(found) >= names.size()) return unknown;
    ElementType known = *element_type(names[static_cast<std::size_t>(found)]);
    known.name = type + ", " + known.name;
    return known;
}

// --- Launches

std::string Repeater::set_arguments(const LaunchRecord& launch, const Kernel& kernel,
                                    Buffers& buffers) {
    for (cl_uint i = 0; i < launch.arguments.size(); ++i) {
        const LaunchArgument& argument = launch.arguments[i];
        const ArgumentKind kind = kernel.answer.arguments[i].kind;
        cl_int error = CL_SUCCESS;
        if (kind == ArgumentKind::Value) {
            error =
                cl_->clSetKernelArg(kernel.kernel, i, argument.value.size(), argument.value.data());
        } else if (kind == ArgumentKind::Local) {
            error = cl_->clSetKernelArg(kernel.kernel, i, argument.size, nullptr);
        } else {
            cl_mem buffer = nullptr;
            if (argument.piece != kNoPiece) buffer = buffers.pieces[argument.piece];
            const bool whole = !buffer || argument.size == launch.pieces[argument.piece];
            if (!whole) {
                const cl_buffer_region region{argument.offset, argument.size};
                buffer = cl_->clCreateSubBuffer(buffer, CL_MEM_READ_WRITE,
                                                CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
                if (buffer) buffers.parts.push_back(buffer);
            }
            if (error == CL_SUCCESS)
                error = cl_->clSetKernelArg(kernel.kernel, i, sizeof buffer, &buffer);
        }
        if (error != CL_SUCCESS)
            return std::string(kPlatform) + " does not take argument " + std::to_string(i) + " " +
                   error_text(error);
    }
    return {};
}

std::string Repeater::run(const LaunchRecord& launch, const Kernel& kernel) {
    const auto offset = sizes(launch.offset), global = sizes(launch.global),
               local = sizes(launch.local);
    cl_event event = nullptr;
    const cl_int error =
        cl_->clEnqueueNDRangeKernel(queue_, kernel.kernel, static_cast<cl_uint>(global.size()),
                                    offset.empty() ? nullptr : offset.data(), global.data(),
                                    local.empty() ? nullptr : local.data(), 0, nullptr, &event);
    if (error == CL_INVALID_WORK_GROUP_SIZE)
        return std::string(kPlatform) + " has no groups of such sizes";
    if (error != CL_SUCCESS)
        return std::string(kPlatform) + " does not launch it " + error_text(error);
    cl_int status = CL_COMPLETE;
    cl_->clFinish(queue_);
    cl_->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    cl_->clReleaseEvent(event);
    return status == CL_COMPLETE ? "" : "it failed on " + std::string(kPlatform);
}

LaunchResult Repeater::repeat(const LaunchRecord& launch, std::span<const std::uint8_t> bytes) {
    LaunchResult result;
    const Kernel& used = kernel(launch.program, launch.kernel);
    Program& program = programs_[launch.program];
    result.reason = used.reason;
    if (used.answer.arguments.size() != launch.arguments.size())
        result.reason = "its record is wrong";
    if (!result.reason.empty()) return result;
    Reader reader(bytes);
    Buffers buffers(*cl_);
    std::vector<Contents> contents;
    std::vector<std::vector<std::uint8_t>> expected;
    for (const std::uint64_t size : launch.pieces) {
        const auto before = reader.take(size), model = reader.take(size);
        cl_int error = CL_SUCCESS;
        buffers.pieces.push_back(
            cl_->clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, before.size(),
                                const_cast<std::uint8_t*>(before.data()), &error));
        if (!reader.good() || error != CL_SUCCESS) {
            buffers.pieces.pop_back();
            result.reason = std::string(kPlatform) + " makes no such buffer " + error_text(error);
            return result;
        }
        contents.push_back({before, model, {}});
        expected.emplace_back(before.size());
    }
    for (const LaunchArgument& argument : launch.arguments)
        if (argument.piece != kNoPiece &&
            (argument.piece >= launch.pieces.size() ||
             argument.offset > launch.pieces[argument.piece] ||
             argument.size > launch.pieces[argument.piece] - argument.offset))
            result.reason = "its record is wrong";
    if (result.reason.empty()) result.reason = set_arguments(launch, used, buffers);
    if (result.reason.empty()) result.reason = run(launch, used);
    if (!result.reason.empty()) return result;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        cl_->clEnqueueReadBuffer(queue_, buffers.pieces[i], CL_TRUE, 0, expected[i].size(),
                                 expected[i].data(), 0, nullptr, nullptr);
        contents[i].expected = expected[i];
    }
    for (std::uint32_t i = 0; i < launch.arguments.size(); ++i) {
        const LaunchArgument& argument = launch.arguments[i];
        if (argument.piece == kNoPiece) continue;
        const auto part = [&](std::span<const std::uint8_t> of) {
            return of.subspan(argument.offset, argument.size);
        };
        const Contents& whole = contents[argument.piece];
        const auto& declared = used.answer.arguments[i];
        if (std::ranges::equal(part(whole.model), part(whole.expected))) continue;
        const ElementType& type = type_of(program, declared.type);
        auto difference =
            compare({part(whole.before), part(whole.model), part(whole.expected)}, type, ulps_);
        if (!difference) continue;
        difference->argument = i;
        difference->name = declared.name;
        if (difference->type.empty()) difference->type = type.name;
        result.differences.push_back(std::move(*difference));
    }
    for (const SourceUnit& unit : program.text.units)
        result.order_matters |= unit.source.find("atom") != std::string::npos;
    return result;
}

}  // namespace gen9::checks
