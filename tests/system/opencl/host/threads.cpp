// SPDX-License-Identifier: Apache-2.0
// What programs with several threads do: queues of their own and shared, events with callbacks and
// user events, maps and writes that do not block, memory of the program's own, sub-buffers, queues
// released while they work, and a kernel that waits for the host.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>

#include "../opencl_program.h"

namespace {

constexpr unsigned kThreads = 8;
constexpr std::size_t kCount = 1024;

/// A page of it is the program's text: nobody can write it.
constexpr std::uint32_t kReadOnly[kCount] = {1, 2, 3};

/// `error` by reference: it is set while the object is made.
template <class T>
T checked(T object, const cl_int& error, const char* what) {
    OpenClProgram::check(error, what);
    return object;
}

cl_command_queue make_queue(const OpenClProgram& program, cl_command_queue_properties kind = 0) {
    cl_device_id device;
    OpenClProgram::check(
        clGetContextInfo(program.context(), CL_CONTEXT_DEVICES, sizeof device, &device, nullptr),
        "clGetContextInfo");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, kind, 0};
    cl_int error;
    auto queue = clCreateCommandQueueWithProperties(program.context(), device, properties, &error);
    return checked(queue, error, "clCreateCommandQueueWithProperties");
}

void launch(cl_command_queue queue, cl_kernel kernel, std::vector<cl_event> after = {},
            cl_event* event = nullptr) {
    OpenClProgram::check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr,
                                                static_cast<cl_uint>(after.size()),
                                                after.empty() ? nullptr : after.data(), event),
                         "clEnqueueNDRangeKernel");
}

std::vector<std::uint32_t> read(cl_command_queue queue, cl_mem from, std::size_t count = kCount) {
    std::vector<std::uint32_t> values(count);
    OpenClProgram::check(
        clEnqueueReadBuffer(queue, from, CL_TRUE, 0, count * 4, values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    return values;
}

void expect_all(Verdict& verdict, const std::vector<std::uint32_t>& values, std::uint32_t expected,
                const char* what) {
    for (std::size_t i = 0; i < values.size(); ++i)
        verdict.equal(values[i], expected, i, what);
}

/// Each thread adds 1, 2, ... to a buffer of its own. In a context of its own, or in one for all.
void many_threads(Verdict& verdict, bool shared) {
    constexpr std::uint32_t kRounds = 10;
    std::unique_ptr<OpenClProgram> common;
    if (shared) common = std::make_unique<OpenClProgram>("threads.cl", "-cl-std=CL2.0");
    std::vector<std::vector<std::uint32_t>> results(kThreads);
    // The helper keeps lists of what it has made: made here, before the threads begin.
    std::vector<cl_kernel> kernels(kThreads);
    std::vector<cl_mem> buffers(kThreads);
    for (unsigned t = 0; shared && t < kThreads; ++t) {
        kernels[t] = common->kernel("add");
        buffers[t] = common->buffer(std::vector<std::uint32_t>(kCount, t));
    }
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            std::unique_ptr<OpenClProgram> own;
            if (!shared) {
                own = std::make_unique<OpenClProgram>("threads.cl", "-cl-std=CL2.0");
                kernels[t] = own->kernel("add");
                buffers[t] = own->buffer(std::vector<std::uint32_t>(kCount, t));
            }
            const auto queue = make_queue(shared ? *common : *own);
            for (cl_uint round = 1; round <= kRounds; ++round) {
                clSetKernelArg(kernels[t], 0, sizeof buffers[t], &buffers[t]);
                clSetKernelArg(kernels[t], 1, sizeof round, &round);
                launch(queue, kernels[t]);
                if (round % 3 == 0) clFinish(queue);
            }
            results[t] = read(queue, buffers[t]);
            clReleaseCommandQueue(queue);
        });
    for (auto& thread : threads)
        thread.join();
    for (unsigned t = 0; t < kThreads; ++t)
        expect_all(verdict, results[t], t + kRounds * (kRounds + 1) / 2,
                   shared ? "shared context" : "own context");
}

void CL_CALLBACK count_event(cl_event, cl_int status, void* counter) {
    if (status == CL_COMPLETE) ++*static_cast<std::atomic<unsigned>*>(counter);
}

/// A chain of kernels in a queue without order, held back by an event of the user's.
void events(Verdict& verdict) {
    constexpr unsigned kLinks = 6;
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    const auto queue = make_queue(program, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl_mem first = program.buffer(std::vector<std::uint32_t>(kCount, 1));
    const cl_mem second = program.buffer(std::vector<std::uint32_t>(kCount, 0));
    cl_int error;
    const cl_event gate =
        checked(clCreateUserEvent(program.context(), &error), error, "clCreateUserEvent");
    std::atomic<unsigned> completed{0};
    std::vector<cl_event> chain{gate};
    for (cl_uint link = 0; link < kLinks; ++link) {
        const cl_kernel kernel = program.kernel("scale");
        const cl_uint factor = link + 1;
        program.arguments(kernel, link % 2 ? second : first, link % 2 ? first : second, factor);
        cl_event event;
        launch(queue, kernel, {chain.back()}, &event);
        OpenClProgram::check(clSetEventCallback(event, CL_COMPLETE, count_event, &completed),
                             "clSetEventCallback");
        chain.push_back(event);
    }
    clFlush(queue);
    verdict.equal(completed.load(), 0u, 0, "callbacks before the user's event");
    clSetUserEventStatus(gate, CL_COMPLETE);
    clFinish(queue);
    for (int wait = 0; wait < 5000 && completed < kLinks; ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    verdict.equal(completed.load(), kLinks, 0, "callbacks");
    const auto values = read(queue, first);
    for (std::size_t i = 0; i < kCount; ++i) {
        std::uint32_t expected = 1;
        for (std::uint32_t factor = 1; factor <= kLinks; ++factor)
            expected = expected * factor + static_cast<std::uint32_t>(i);
        verdict.equal(values[i], expected, i, "chain");
    }
    for (const cl_event event : chain)
        clReleaseEvent(event);
    clReleaseCommandQueue(queue);
}

/// Writes from memory that cannot be written, and maps, neither of them blocking.
void without_blocking(Verdict& verdict) {
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    const auto queue = make_queue(program);
    const cl_mem buffer = program.buffer(std::vector<std::uint32_t>(kCount, 77));
    OpenClProgram::check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof kReadOnly,
                                              kReadOnly, 0, nullptr, nullptr),
                         "clEnqueueWriteBuffer");
    const cl_kernel kernel = program.kernel("add");
    program.arguments(kernel, buffer, cl_uint{5});
    launch(queue, kernel);
    cl_int error;
    cl_event mapped;
    const auto* values = static_cast<const std::uint32_t*>(clEnqueueMapBuffer(
        queue, buffer, CL_FALSE, CL_MAP_READ, 0, sizeof kReadOnly, 0, nullptr, &mapped, &error));
    OpenClProgram::check(error, "clEnqueueMapBuffer");
    clWaitForEvents(1, &mapped);
    for (std::size_t i = 0; i < kCount; ++i)
        verdict.equal(values[i], kReadOnly[i] + 5, i, "written without blocking");
    clEnqueueUnmapMemObject(queue, buffer, const_cast<std::uint32_t*>(values), 0, nullptr, nullptr);
    clFinish(queue);
    clReleaseEvent(mapped);
    clReleaseCommandQueue(queue);
}

/// Memory of the program's own, in whole pages and not, on the heap and on the stack, whose
/// neighbours stay what they are; parts of it as sub-buffers.
void own_memory(Verdict& verdict) {
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    const auto queue = make_queue(program);
    const cl_kernel kernel = program.kernel("add");
    alignas(4096) std::uint32_t on_stack[3 * kCount];
    std::vector<std::uint32_t> on_heap(8 * kCount, 1);
    std::iota(std::begin(on_stack), std::end(on_stack), 0u);
    const auto through = [&](std::uint32_t* memory, std::size_t count, const char* what) {
        std::vector<std::uint32_t> before(memory, memory + count);
        cl_int error;
        const cl_mem whole =
            checked(clCreateBuffer(program.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   count * 4, memory, &error),
                    error, "clCreateBuffer");
        const cl_buffer_region region{kCount * 4, kCount * 4};
        const cl_mem part =
            checked(clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                      &region, &error),
                    error, "clCreateSubBuffer");
        program.arguments(kernel, part, cl_uint{1000});
        launch(queue, kernel);
        void* mapped = checked(clEnqueueMapBuffer(queue, whole, CL_TRUE, CL_MAP_READ, 0, count * 4,
                                                  0, nullptr, nullptr, &error),
                               error, "clEnqueueMapBuffer");
        verdict.equal(mapped == memory, true, 0, "a map gives the program's own address");
        for (std::size_t i = 0; i < count; ++i) {
            const bool added = i >= kCount && i < 2 * kCount;
            verdict.equal(memory[i], before[i] + (added ? 1000 : 0), i, what);
        }
        clEnqueueUnmapMemObject(queue, whole, mapped, 0, nullptr, nullptr);
        clFinish(queue);
        clReleaseMemObject(part);
        clReleaseMemObject(whole);
    };
    through(on_stack, 3 * kCount, "on the stack");
    through(on_heap.data() + 3, 3 * kCount, "on the heap");
    through(on_heap.data() + 3, 3 * kCount, "on the heap again");
    verdict.equal(on_heap[0] + on_heap[2] + on_heap[3 * kCount + 3], 3u, 0, "neighbours");
    clReleaseCommandQueue(queue);
}

/// Everything is released while the work is under way: it is done all the same, and the last of it
/// is under way when the program ends.
void released(Verdict& verdict) {
    constexpr unsigned kRounds = 20;
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    const cl_mem values = program.buffer(std::vector<std::uint32_t>(kCount, 0));
    const auto reader = make_queue(program);
    for (cl_uint round = 1; round <= kRounds; ++round) {
        const auto queue = make_queue(program);
        const cl_mem scratch =
            clCreateBuffer(program.context(), CL_MEM_READ_WRITE, kCount * 4, nullptr, nullptr);
        const cl_kernel kernel = program.kernel("scale");
        program.arguments(kernel, values, scratch, cl_uint{1});
        launch(queue, kernel);
        cl_event event;
        const cl_kernel last = program.kernel("add");
        program.arguments(last, values, round);
        launch(queue, last, {}, &event);
        clReleaseMemObject(scratch);
        clReleaseCommandQueue(queue);
        if (round % 2 == 0) {
            clWaitForEvents(1, &event);
            for (const std::uint32_t value : read(reader, values))
                verdict.equal(value, round * (round + 1) / 2, round, "queue released");
        }
        clReleaseEvent(event);
    }
    const auto queue = make_queue(program);
    const cl_kernel kernel = program.kernel("add");
    program.arguments(kernel, values, cl_uint{1});
    launch(queue, kernel);
    clReleaseCommandQueue(reader);
    clReleaseCommandQueue(queue);
}

/// The kernel runs while the host goes on. Only where the device's caches hold nothing that the
/// host writes: a kernel that hits in them would never see it.
void kernel_waits_for_host(Verdict& verdict) {
    OpenClProgram program("threads.cl", "-cl-std=CL2.0");
    const auto queue = make_queue(program);
    alignas(4096) static std::uint32_t memory[1024];
    std::atomic_ref<std::uint32_t> flag(memory[0]);
    cl_int error;
    const cl_mem shared =
        checked(clCreateBuffer(program.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                               sizeof memory, memory, &error),
                error, "clCreateBuffer");
    const cl_mem seen = program.buffer(std::vector<std::uint32_t>(2, 0));
    const cl_kernel kernel = program.kernel("wait_for");
    program.arguments(kernel, shared, seen);
    const std::size_t one = 1;
    OpenClProgram::check(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
    clFlush(queue);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    flag = 1;
    const auto values = read(queue, seen, 2);
    verdict.equal(values[0], 1u, 0, "the kernel saw the flag");
    verdict.equal(values[1] > 1, true, 0, "the kernel had to wait");
    clReleaseMemObject(shared);
    clReleaseCommandQueue(queue);
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> only(words + 1, words + count);
    const auto wanted = [&](const char* part) {
        return only.empty() || std::find(only.begin(), only.end(), part) != only.end();
    };
    Verdict verdict;
    if (wanted("own")) many_threads(verdict, false);
    if (wanted("shared")) many_threads(verdict, true);
    if (wanted("events")) events(verdict);
    if (wanted("blocking")) without_blocking(verdict);
    if (wanted("memory")) own_memory(verdict);
    if (wanted("released")) released(verdict);
    if (wanted("host")) kernel_waits_for_host(verdict);
    return verdict.finish("threads");
}
