// SPDX-License-Identifier: Apache-2.0
// Launches that are equal in all but how long they take. Two threads have contexts of their own,
// two share one; each has a queue. Launch i of queue q runs 1 + 4 i + q rounds, so that the work
// tells which it was. Last come a launch that waits for a user's event, and one of the same kernel
// in the same context that overtakes it.
#include <thread>

#include "../opencl_program.h"

namespace {

constexpr unsigned kThreads = 4, kLaunches = 40;
constexpr const char* kSource = R"(kernel void count(global uint *p, uint rounds) {
    const size_t i = get_global_id(0);
    uint sum = p[i];
    for (uint round = 0; round < rounds; ++round)
        sum = sum * 5 + round;
    p[i] = sum;
})";

void launch(cl_command_queue queue, cl_kernel kernel, cl_uint rounds,
            const cl_event* after = nullptr) {
    const std::size_t items = 32;
    OpenClProgram::check(clSetKernelArg(kernel, 1, sizeof rounds, &rounds), "clSetKernelArg");
    OpenClProgram::check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items,
                                                after ? 1 : 0, after, nullptr),
                         "clEnqueueNDRangeKernel");
}

cl_command_queue queue_of(const OpenClProgram& program) {
    cl_device_id device;
    cl_int error =
        clGetContextInfo(program.context(), CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
    OpenClProgram::check(error, "clGetContextInfo");
    const auto queue =
        clCreateCommandQueueWithProperties(program.context(), device, nullptr, &error);
    OpenClProgram::check(error, "clCreateCommandQueueWithProperties");
    return queue;
}

}  // namespace

int main() {
    const OpenClProgram::Source source{kSource};
    OpenClProgram first(source), second(source), shared(source);
    OpenClProgram* const programs[kThreads] = {&first, &second, &shared, &shared};
    std::vector<cl_command_queue> queues;
    std::vector<cl_kernel> kernels;
    // The first launches give the queues their numbers.
    for (unsigned q = 0; q < kThreads; ++q) {
        queues.push_back(queue_of(*programs[q]));
        kernels.push_back(programs[q]->kernel("count"));
        const cl_mem buffer = programs[q]->buffer(std::vector<cl_uint>(32, q));
        OpenClProgram::check(clSetKernelArg(kernels[q], 0, sizeof buffer, &buffer),
                             "clSetKernelArg");
        launch(queues[q], kernels[q], 1 + q);
        clFinish(queues[q]);
    }
    std::vector<std::thread> threads;
    for (unsigned q = 0; q < kThreads; ++q)
        threads.emplace_back([&, q] {
            for (unsigned i = 1; i < kLaunches; ++i)
                launch(queues[q], kernels[q], 1 + 4 * i + q);
            clFinish(queues[q]);
        });
    for (auto& thread : threads)
        thread.join();
    cl_int error;
    const cl_event gate = clCreateUserEvent(shared.context(), &error);
    OpenClProgram::check(error, "clCreateUserEvent");
    launch(queues[2], kernels[2], 1 + 4 * kLaunches + 2, &gate);
    launch(queues[3], kernels[3], 1 + 4 * kLaunches + 3);
    clFinish(queues[3]);
    OpenClProgram::check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    clReleaseEvent(gate);
    for (const auto queue : queues) {
        clFinish(queue);
        clReleaseCommandQueue(queue);
    }
    std::puts("passed");
}
