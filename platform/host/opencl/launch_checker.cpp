// SPDX-License-Identifier: Apache-2.0
#include "platform/host/opencl/launch_checker.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "platform/host/checks/channel.h"

namespace gen9::checks {
namespace {

/// Set while this thread checks a launch: the driver may call the program's functions meanwhile.
thread_local bool g_checking = false;

bool never() {
    return false;
}

/// A question to the driver whose answer is text.
template <class Ask>
std::string text_of(Ask ask) {
    std::size_t size = 0;
    if (ask(0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
    std::string text(size, '\0');
    if (ask(size, text.data(), nullptr) != CL_SUCCESS) return {};
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
}

std::string argument_name(std::size_t index, const std::string& name) {
    return "argument " + std::to_string(index) + " (" + name + ")";
}

std::uint64_t inode_of(int descriptor) {
    struct stat about {};
    return fstat(descriptor, &about) == 0 ? about.st_ino : 0;
}

}  // namespace

bool LaunchChecker::wanted() {
    const char* socket = std::getenv(kSocketVariable);
    return socket && *socket;
}

// --- What the program says of its objects

void LaunchChecker::made_buffer(cl_mem buffer) {
    struct Gone {
        static void CL_CALLBACK call(cl_mem which, void* checker) {
            auto& mine = *static_cast<LaunchChecker*>(checker);
            const std::lock_guard lock(mine.objects_mutex_);
            mine.buffers_.erase(which);
        }
    };
    // A buffer that is gone unseen might be taken for one that is there.
    if (driver_.clSetMemObjectDestructorCallback(buffer, Gone::call, this) != CL_SUCCESS) return;
    const std::lock_guard lock(objects_mutex_);
    buffers_.insert(buffer);
}

void LaunchChecker::made_kernel(cl_kernel kernel) {
    const std::lock_guard lock(objects_mutex_);
    kernels_[kernel] = {};
}

void LaunchChecker::cloned(cl_kernel from, cl_kernel kernel) {
    const std::lock_guard lock(objects_mutex_);
    kernels_[kernel] = Kernel(kernels_[from]);
}

void LaunchChecker::set_argument(cl_kernel kernel, cl_uint index, std::size_t size,
                                 const void* value) {
    Argument argument;
    argument.set = value ? Argument::Set::Bytes : Argument::Set::Size;
    argument.size = size;
    if (value) argument.bytes.assign(static_cast<const char*>(value), size);
    const std::lock_guard lock(objects_mutex_);
    auto& arguments = kernels_[kernel].arguments;
    if (index >= arguments.size()) arguments.resize(index + 1);
    arguments[index] = std::move(argument);
}

void LaunchChecker::set_address(cl_kernel kernel, cl_uint index) {
    set_argument(kernel, index, 0, nullptr);
    const std::lock_guard lock(objects_mutex_);
    kernels_[kernel].arguments[index].set = Argument::Set::Address;
}

void LaunchChecker::reaches_addresses(cl_kernel kernel) {
    const std::lock_guard lock(objects_mutex_);
    kernels_[kernel].reaches_addresses = true;
}

void LaunchChecker::built(cl_program program) {
    const std::lock_guard lock(objects_mutex_);
    forget(program);
}

// It may be another program, at the address of one that has gone.
void LaunchChecker::forget(cl_program program) {
    told_.erase(program);
    linked_.erase(program);
    headers_.erase(program);
}

void LaunchChecker::compiled(cl_program program, std::span<const cl_program> headers,
                             const char** names) {
    std::vector<std::pair<std::string, std::string>> found;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        const Recipe header = source_of(headers[i]);
        if (header.reason.empty() && names && names[i])
            found.emplace_back(names[i], header.text.units[0].source);
    }
    const std::lock_guard lock(objects_mutex_);
    forget(program);
    headers_[program] = std::move(found);
}

void LaunchChecker::linked(cl_program program, std::span<const cl_program> inputs,
                           const char* options) {
    Recipe whole;
    whole.text.linked = true;
    if (options) whole.text.link_options = options;
    for (const cl_program input : inputs) {
        const Recipe part = recipe_of(input);
        if (!part.reason.empty()) whole.reason = part.reason;
        whole.text.units.insert(whole.text.units.end(), part.text.units.begin(),
                                part.text.units.end());
    }
    const std::lock_guard lock(objects_mutex_);
    forget(program);
    linked_[program] = std::move(whole);
}

// --- Programs

LaunchChecker::Recipe LaunchChecker::source_of(cl_program program) {
    Recipe recipe;
    SourceUnit unit;
    const auto info = [&](cl_program_info what) {
        return text_of([&](std::size_t size, char* to, std::size_t* needed) {
            return driver_.clGetProgramInfo(program, what, size, to, needed);
        });
    };
    unit.source = info(CL_PROGRAM_SOURCE);
    if (unit.source.empty()) {
        std::size_t intermediate = 0;
        driver_.clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &intermediate);
        recipe.reason = intermediate ? "its program is made from SPIR-V"
                                     : "its program is made from a binary, without a source";
        return recipe;
    }
    std::array<cl_device_id, 64> devices{};
    driver_.clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices.data(), nullptr);
    unit.options = text_of([&](std::size_t size, char* to, std::size_t* needed) {
        return driver_.clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_OPTIONS, size,
                                             to, needed);
    });
    {
        const std::lock_guard lock(objects_mutex_);
        if (const auto found = headers_.find(program); found != headers_.end())
            unit.headers = found->second;
    }
    recipe.text.units.push_back(std::move(unit));
    return recipe;
}

LaunchChecker::Recipe LaunchChecker::recipe_of(cl_program program) {
    {
        const std::lock_guard lock(objects_mutex_);
        if (const auto found = linked_.find(program); found != linked_.end()) return found->second;
    }
    return source_of(program);
}

std::string LaunchChecker::tell(cl_program program, std::uint32_t& id) {
    {
        const std::lock_guard lock(objects_mutex_);
        if (const auto found = told_.find(program); found != told_.end()) {
            id = found->second.first;
            return found->second.second;
        }
    }
    Recipe recipe = recipe_of(program);
    id = recipe.text.id = programs_told_++;
    std::error_code error;
    recipe.text.folder = std::filesystem::current_path(error);
    if (recipe.reason.empty()) send(MessageKind::Program, to_bytes(recipe.text));
    const std::lock_guard lock(objects_mutex_);
    told_[program] = {id, recipe.reason};
    return recipe.reason;
}

const KernelAnswer& LaunchChecker::ask(std::uint32_t program, const std::string& kernel) {
    const auto [place, is_new] = answers_.try_emplace({program, kernel});
    if (!is_new) return place->second;
    place->second.reason = "the checker does not answer";
    if (!send(MessageKind::Question, to_bytes(KernelQuestion{program, kernel})))
        return place->second;
    const auto message = receive_message(socket_, never);
    if (!message || message->kind != MessageKind::Answer) return place->second;
    if (auto answer = from_bytes<KernelAnswer>(message->fields())) place->second = *answer;
    return place->second;
}

// --- A launch

std::string LaunchChecker::name_of(cl_kernel kernel) const {
    return text_of([&](std::size_t size, char* to, std::size_t* needed) {
        return driver_.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, to, needed);
    });
}

template <class T>
T LaunchChecker::memory_info(cl_mem buffer, cl_mem_info what) const {
    T value{};
    driver_.clGetMemObjectInfo(buffer, what, sizeof value, &value, nullptr);
    return value;
}

std::vector<std::uint64_t> LaunchChecker::group_size(const Launch& launch) {
    const auto list = [&](const std::size_t* of) {
        return std::vector<std::uint64_t>(of, of + launch.dimensions);
    };
    if (launch.local) return list(launch.local);
    // The driver chooses it. Where the driver does not say, the other platform chooses for itself.
    using Suggest = cl_int(CL_API_CALL*)(cl_command_queue, cl_kernel, cl_uint, const std::size_t*,
                                         const std::size_t*, std::size_t*);
    cl_device_id device = nullptr;
    cl_platform_id platform = nullptr;
    driver_.clGetCommandQueueInfo(launch.queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    if (!device || driver_.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform,
                                           nullptr) != CL_SUCCESS)
        return {};
    const auto suggest = reinterpret_cast<Suggest>(driver_.clGetExtensionFunctionAddressForPlatform(
        platform, "clGetKernelSuggestedLocalWorkSizeINTEL"));
    std::array<std::size_t, 3> found{};
    if (!suggest || suggest(launch.queue, launch.kernel, launch.dimensions, launch.offset,
                            launch.global, found.data()) != CL_SUCCESS)
        return {};
    return list(found.data());
}

std::string LaunchChecker::take_buffer(const ArgumentDeclaration& declared,
                                       const Argument& argument, LaunchArgument& to, Plan& plan) {
    if (argument.set == Argument::Set::Address) return "is shared virtual memory";
    cl_mem buffer = nullptr;
    if (argument.set == Argument::Set::Bytes && argument.bytes.size() != sizeof buffer)
        return "is no buffer";
    if (argument.set == Argument::Set::Bytes)
        std::memcpy(&buffer, argument.bytes.data(), sizeof buffer);
    if (!buffer) return {};
    {
        const std::lock_guard lock(objects_mutex_);
        if (!buffers_.contains(buffer))
            return "is no buffer made by clCreateBuffer (" + declared.type + ")";
    }
    to.size = memory_info<std::size_t>(buffer, CL_MEM_SIZE);
    to.offset = memory_info<std::size_t>(buffer, CL_MEM_OFFSET);
    if (const auto whole = memory_info<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT)) buffer = whole;
    auto piece = std::ranges::find(plan.pieces, buffer, &Piece::buffer);
    if (piece == plan.pieces.end())
        piece = plan.pieces.insert(piece, {buffer, to.offset, to.offset + to.size, {}, {}});
    piece->begin = std::min(piece->begin, to.offset);
    piece->end = std::max(piece->end, to.offset + to.size);
    to.piece = static_cast<std::uint32_t>(piece - plan.pieces.begin());
    return {};
}

std::string LaunchChecker::take_arguments(const KernelAnswer& answer, const Kernel& kernel,
                                          Plan& plan) {
    for (std::size_t i = 0; i < answer.arguments.size(); ++i) {
        const auto& declared = answer.arguments[i];
        const Argument argument = i < kernel.arguments.size() ? kernel.arguments[i] : Argument();
        LaunchArgument& to = plan.record.arguments.emplace_back();
        std::string wrong;
        if (argument.set == Argument::Set::No)
            wrong = "was not set by clSetKernelArg";
        else if (declared.kind == ArgumentKind::Local)
            to.size = argument.size;
        else if (declared.kind == ArgumentKind::Value)
            to.value = argument.bytes;
        else
            wrong = take_buffer(declared, argument, to, plan);
        if (!wrong.empty()) return argument_name(i, declared.name) + " " + wrong;
    }
    std::uint64_t bytes = 0;
    for (const Piece& piece : plan.pieces) {
        plan.record.pieces.push_back(piece.end - piece.begin);
        bytes += piece.end - piece.begin;
    }
    for (LaunchArgument& argument : plan.record.arguments)
        if (argument.piece != kNoPiece) argument.offset -= plan.pieces[argument.piece].begin;
    if (plan.pieces.empty()) return "it has no buffers";
    if (bytes > kMostBytes)
        return "its buffers have more than " + std::to_string(kMostBytes >> 20) + " MB";
    return {};
}

std::string LaunchChecker::plan(const Launch& launch, Plan& plan) {
    cl_program program = nullptr;
    driver_.clGetKernelInfo(launch.kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
    if (!program || !launch.global || launch.dimensions < 1 || launch.dimensions > 3)
        return "its sizes are wrong";
    LaunchRecord& record = plan.record;
    record.kernel = name_of(launch.kernel);
    if (const auto wrong = tell(program, record.program); !wrong.empty()) return wrong;
    const KernelAnswer& answer = ask(record.program, record.kernel);
    if (!answer.reason.empty()) return answer.reason;
    Kernel kernel;
    {
        const std::lock_guard lock(objects_mutex_);
        kernel = kernels_[launch.kernel];
    }
    if (kernel.reaches_addresses) return "it reaches shared virtual memory";
    if (const auto wrong = take_arguments(answer, kernel, plan); !wrong.empty()) return wrong;
    record.global.assign(launch.global, launch.global + launch.dimensions);
    if (launch.offset) record.offset.assign(launch.offset, launch.offset + launch.dimensions);
    record.local = group_size(launch);
    return {};
}

cl_int LaunchChecker::read_copy(cl_command_queue queue, std::span<const cl_event> list,
                                const Piece& piece, std::vector<std::uint8_t>& to) {
    cl_int error = CL_SUCCESS;
    const cl_mem copy =
        driver_.clCreateBuffer(memory_info<cl_context>(piece.buffer, CL_MEM_CONTEXT),
                               CL_MEM_READ_WRITE, to.size(), nullptr, &error);
    if (!copy) return error;
    cl_event copied = nullptr;
    error = driver_.clEnqueueCopyBuffer(queue, piece.buffer, copy, piece.begin, 0, to.size(),
                                        static_cast<cl_uint>(list.size()),
                                        list.empty() ? nullptr : list.data(), &copied);
    if (error == CL_SUCCESS) {
        error = driver_.clEnqueueReadBuffer(queue, copy, CL_TRUE, 0, to.size(), to.data(), 1,
                                            &copied, nullptr);
        driver_.clReleaseEvent(copied);
    }
    driver_.clReleaseMemObject(copy);
    return error;
}

cl_int LaunchChecker::read(cl_command_queue queue, std::span<const cl_event> list,
                           const Piece& piece, std::vector<std::uint8_t>& to) {
    to.resize(piece.end - piece.begin);
    const cl_int error = driver_.clEnqueueReadBuffer(
        queue, piece.buffer, CL_TRUE, piece.begin, to.size(), to.data(),
        static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data(), nullptr);
    return error == CL_INVALID_OPERATION ? read_copy(queue, list, piece, to) : error;
}

std::string LaunchChecker::copy(const Launch& launch, Plan& plan, bool before) {
    for (Piece& piece : plan.pieces) {
        const cl_int error = read(launch.queue, before ? launch.list : std::span<const cl_event>(),
                                  piece, before ? piece.before : piece.after);
        if (error != CL_SUCCESS)
            return "its buffers cannot be read (error " + std::to_string(error) + ")";
    }
    return {};
}

std::string LaunchChecker::wait(cl_event event) {
    cl_int status = 0;
    const cl_int error = driver_.clWaitForEvents(1, &event);
    const cl_int known = driver_.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                sizeof status, &status, nullptr);
    return error == CL_SUCCESS && known == CL_SUCCESS && status == CL_COMPLETE ? "" : "it failed";
}

cl_int LaunchChecker::run(const Launch& launch, cl_event* event, const Enqueue& enqueue, Plan& plan,
                          std::string& reason) {
    cl_event own = nullptr;
    cl_event* const used = event ? event : &own;
    platform::OpenclLaunches::Enqueued enqueued;
    const cl_int error = enqueue(used, enqueued);
    if (error != CL_SUCCESS) return error;
    plan.record.number = enqueued.number.value_or(0);
    // Its event may have been set, or a command held before it, meanwhile.
    reason = enqueued.held ? "it waits for an event that the program sets" : wait(*used);
    if (reason.empty()) reason = copy(launch, plan, false);
    if (own) driver_.clReleaseEvent(own);
    return error;
}

cl_int LaunchChecker::launch(const Launch& launch, cl_event* event, const Enqueue& enqueue) {
    platform::OpenclLaunches::Enqueued enqueued;
    if (g_checking || !launch.queue || !launch.kernel) return enqueue(event, enqueued);
    const std::lock_guard lock(one_at_a_time_);
    struct Checking {
        Checking() { g_checking = true; }
        ~Checking() { g_checking = false; }
    } checking;
    if (!reach()) return enqueue(event, enqueued);
    Plan planned;
    std::string reason = plan(launch, planned);
    if (reason.empty() && launches_.holds(launch.queue, launch.list))
        reason = "it waits for an event that the program sets";
    if (reason.empty()) reason = copy(launch, planned, true);
    if (!reason.empty()) {
        const cl_int error = enqueue(event, enqueued);
        if (error == CL_SUCCESS) refuse(launch.kernel, reason);
        return error;
    }
    const cl_int error = run(launch, event, enqueue, planned, reason);
    if (error != CL_SUCCESS) return error;
    if (!reason.empty()) {
        refuse(launch.kernel, reason);
        return error;
    }
    std::vector<std::span<const std::uint8_t>> behind;
    for (const Piece& piece : planned.pieces) {
        behind.emplace_back(piece.before);
        behind.emplace_back(piece.after);
    }
    send(MessageKind::Launch, to_bytes(planned.record), behind);
    return error;
}

// --- The checker

void LaunchChecker::refuse(cl_kernel kernel, const std::string& reason) {
    send(MessageKind::Refusal, to_bytes(LaunchRefusal{name_of(kernel), reason}));
}

bool LaunchChecker::reach() {
    // A descriptor that the program has closed may be another file's by now.
    if (owner_ == getpid()) return socket_ >= 0 && inode_of(socket_) == socket_inode_;
    owner_ = getpid();
    if (socket_ >= 0 && inode_of(socket_) == socket_inode_) close(socket_);
    socket_ = -1;
    programs_told_ = 0;
    answers_.clear();
    {
        const std::lock_guard lock(objects_mutex_);
        told_.clear();
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = std::getenv(kSocketVariable);
    if (name.size() >= sizeof address.sun_path) return false;
    std::memcpy(address.sun_path, name.c_str(), name.size());
    const int found = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (found < 0) return false;
    if (connect(found, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        close(found);
        return false;
    }
    // Out of the way of programs that count on the next number.
    constexpr int kFirstOwn = 8000;
    socket_ = fcntl(found, F_DUPFD_CLOEXEC, kFirstOwn);
    if (socket_ < 0)
        socket_ = found;
    else
        close(found);
    socket_inode_ = inode_of(socket_);
    return true;
}

bool LaunchChecker::send(MessageKind kind, std::span<const std::uint8_t> fields,
                         std::span<const std::span<const std::uint8_t>> behind) {
    return reach() && send_message(socket_, kind, fields, behind, never);
}

}  // namespace gen9::checks
