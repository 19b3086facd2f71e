// SPDX-License-Identifier: Apache-2.0
#include "platform/host/opencl/opencl_launches.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "platform/host/program/current_launch.h"
#include "platform/host/program/driver.h"

namespace gen9::platform {
namespace {

std::string sizes(const std::size_t* of, cl_uint dimensions) {
    std::string text;
    for (cl_uint i = 0; i < dimensions; ++i) {
        if (i != 0) text += ',';
        text += std::to_string(of[i]);
    }
    return text;
}

/// Text as the driver gives it, without what would end a word or a line.
std::string as_word(const std::vector<char>& text) {
    std::string word(text.begin(), std::find(text.begin(), text.end(), '\0'));
    for (char& c : word)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return word;
}

/// The program may have put something else there, even a pipe without a reader: then nothing is
/// written. A folder that is full loses names and nothing else.
void append(const std::string& path, int flags, const char* bytes, std::size_t size) {
    const int file =
        open(path.c_str(),
             O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | flags,
             0600);
    if (file < 0) return;
    struct stat status {};
    bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    while (good && size > 0) {
        const ssize_t count = write(file, bytes, size);
        good = count > 0;
        bytes += good ? count : 0;
        size -= good ? static_cast<std::size_t>(count) : 0;
    }
    close(file);
}

/// A question to the driver whose answer is text.
template <class Ask>
std::string asked(Ask ask) {
    std::size_t size = 0;
    if (ask(0, nullptr, &size) != CL_SUCCESS) return {};
    std::vector<char> text(size);
    if (ask(size, text.data(), nullptr) != CL_SUCCESS) return {};
    return as_word(text);
}

}  // namespace

bool OpenclLaunches::wanted() {
    const char* folder = std::getenv(kLaunchesVariable);
    return folder && *folder;
}

OpenclLaunches::OpenclLaunches(const cl_icd_dispatch& driver)
    : driver_(driver), folder_(wanted() ? std::getenv(kLaunchesVariable) : "") {}

void OpenclLaunches::forget(cl_program program) {
    const std::lock_guard lock(mutex_);
    programs_.erase(program);
}

cl_int OpenclLaunches::enqueue(cl_command_queue queue, std::span<const cl_event> list,
                               const cl_event* event, const Launch* launch,
                               const std::function<cl_int()>& carry_out, Enqueued* enqueued) {
    const auto number = launch ? tell(queue, *launch) : std::nullopt;
    // Known before the driver has it, and so before another thread can set what it waits for.
    std::unique_lock lock(mutex_);
    const auto held = held_.enqueue(queue, list, number);
    lock.unlock();
    if (enqueued) *enqueued = {number, held != nullptr};
    const cl_int error = submitting(number, carry_out);
    if (held) {
        lock.lock();
        if (error != CL_SUCCESS)
            HeldCommands::refused(*held);
        else if (event)
            held_.has_event(held, *event);
    }
    if (number && error != CL_SUCCESS) write_line("refused\t" + std::to_string(*number));
    return error;
}

bool OpenclLaunches::holds(cl_command_queue queue, std::span<const cl_event> list) {
    const std::lock_guard lock(mutex_);
    return held_.holds(queue, list);
}

void OpenclLaunches::made(cl_event user_event) {
    const std::lock_guard lock(mutex_);
    held_.wait_for(user_event);
}

cl_int OpenclLaunches::set(cl_event user_event, cl_int status,
                           const std::function<cl_int()>& carry_out) {
    if (status > CL_COMPLETE) return carry_out();
    std::optional<unsigned> number;
    {
        const std::lock_guard lock(mutex_);
        std::string freed;
        for (const unsigned launch : held_.set(user_event))
            if (status != CL_COMPLETE)
                write_line("refused\t" + std::to_string(launch));
            else
                freed += (freed.empty() ? "" : ",") + std::to_string(launch);
        if (!freed.empty()) {
            number = freed_told_++;
            write_line("freed\t" + std::to_string(*number) + "\t" + freed);
        }
    }
    return submitting(number, carry_out);
}

cl_int OpenclLaunches::submitting(std::optional<unsigned> number,
                                  const std::function<cl_int()>& carry_out) {
    std::uint32_t* const current = current_launch();
    if (!number || !current) return carry_out();
    const std::uint32_t before = std::exchange(*current, *number + 1);
    const cl_int error = carry_out();
    *current = before;
    return error;
}

template <class T>
T OpenclLaunches::of_kernel(cl_kernel kernel, cl_kernel_info what) const {
    T value{};
    return driver_.clGetKernelInfo(kernel, what, sizeof value, &value, nullptr) == CL_SUCCESS
               ? value
               : T{};
}

std::optional<unsigned> OpenclLaunches::tell(cl_command_queue queue, const Launch& launch) {
    const auto& [kernel, dimensions, global, local] = launch;
    // CL_KERNEL_BINARY_GPU_ADDRESS_INTEL: a public name without a header of its own.
    constexpr cl_kernel_info kAddress = 0x10010;
    if (!queue || !kernel || !global || dimensions < 1 || dimensions > 3) return {};
    const auto program = of_kernel<cl_program>(kernel, CL_KERNEL_PROGRAM);
    if (!program) return {};
    const auto context = of_kernel<cl_context>(kernel, CL_KERNEL_CONTEXT);
    const std::string name = asked([&](std::size_t size, char* to, std::size_t* needed) {
        return driver_.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, to, needed);
    });
    const std::lock_guard lock(mutex_);
    const auto number_in = [](auto& numbers, auto thing) {
        return std::to_string(numbers.try_emplace(thing, numbers.size()).first->second);
    };
    const std::string of_program = std::to_string(number_of(program));
    write_line("enqueue\t" + std::to_string(enqueues_told_) + "\t" + of_program + "\t" +
               number_in(contexts_, context) + "\t" + number_in(queues_, queue) + "\t" +
               std::to_string(of_kernel<cl_ulong>(kernel, kAddress)) + "\t" +
               sizes(global, dimensions) + "\t" + (local ? sizes(local, dimensions) : "-") + "\t" +
               name);
    return enqueues_told_++;
}

unsigned OpenclLaunches::number_of(cl_program program) {
    const auto [place, is_new] = programs_.try_emplace(program, programs_told_);
    if (is_new) {
        write_program(program, programs_told_);
        write_line("program\t" + std::to_string(programs_told_) + "\t" + build_options(program));
        ++programs_told_;
    }
    return place->second;
}

std::string OpenclLaunches::build_options(cl_program program) const {
    cl_device_id device = nullptr;
    // There may be more; what is asked for is only the first.
    std::vector<cl_device_id> devices(64);
    std::size_t size = 0;
    if (driver_.clGetProgramInfo(program, CL_PROGRAM_DEVICES, devices.size() * sizeof device,
                                 devices.data(), &size) != CL_SUCCESS ||
        size < sizeof device)
        return {};
    device = devices[0];
    return asked([&](std::size_t bytes, char* to, std::size_t* needed) {
        return driver_.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, bytes, to,
                                             needed);
    });
}

std::vector<char> OpenclLaunches::of_device(cl_program program, cl_program_info sizes_of,
                                            cl_program_info what) const {
    std::size_t bytes = 0;
    if (driver_.clGetProgramInfo(program, sizes_of, 0, nullptr, &bytes) != CL_SUCCESS ||
        bytes < sizeof(std::size_t))
        return {};
    std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
    if (driver_.clGetProgramInfo(program, sizes_of, bytes, sizes.data(), nullptr) != CL_SUCCESS)
        return {};
    std::vector<std::vector<char>> contents;
    std::vector<char*> places;
    for (const std::size_t size : sizes)
        places.push_back(contents.emplace_back(size).data());
    if (driver_.clGetProgramInfo(program, what, places.size() * sizeof places[0], places.data(),
                                 nullptr) != CL_SUCCESS)
        return {};
    return contents[0];
}

void OpenclLaunches::write_program(cl_program program, unsigned number) const {
    // cl_intel_debug_info: public names without a header of their own.
    constexpr cl_program_info kDebugInfo = 0x4100, kDebugInfoSizes = 0x4101;
    const auto write = [&](const char* extension, const std::vector<char>& bytes) {
        if (bytes.empty()) return;
        const std::string name =
            folder_ + "/" + std::to_string(getpid()) + "-" + std::to_string(number) + extension;
        append(name, O_TRUNC, bytes.data(), bytes.size());
    };
    if (std::getenv(kBinariesVariable))
        write(".bin", of_device(program, CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BINARIES));
    const auto debug = of_device(program, kDebugInfoSizes, kDebugInfo);
    write(".dbg", debug);
    std::size_t size = 0;
    if (debug.empty() ||
        driver_.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size) != CL_SUCCESS)
        return;
    std::vector<char> source(size);
    if (driver_.clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source.data(), nullptr) ==
        CL_SUCCESS)
        write(".cl", {source.begin(), std::find(source.begin(), source.end(), '\0')});
}

// In one piece, so that a reader finds whole lines.
void OpenclLaunches::write_line(std::string line) const {
    line += '\n';
    const std::string path = folder_ + "/" + std::to_string(getpid()) + ".log";
    append(path, 0, line.data(), line.size());
}

}  // namespace gen9::platform
