// SPDX-License-Identifier: Apache-2.0
// Launches that are equal in all but how long they take and that user events hold back, set in
// another order than that of the enqueues. Enqueue i runs 1 + i rounds, so that the work tells
// which it was. Enqueues that fail, as their event does, do no work.
#include <thread>

#include "../opencl_program.h"

namespace {

constexpr const char* kSource = R"(kernel void count(global uint *p, uint rounds) {
    const size_t i = get_global_id(0);
    uint sum = p[i];
    for (uint round = 0; round < rounds; ++round)
        sum = sum * 5 + round;
    p[i] = sum;
})";

class Program : public OpenClProgram {
  public:
    Program() : OpenClProgram(Source{kSource}), kernel_(kernel("count")), buffer_(buffer(values_)) {
        check(clSetKernelArg(kernel_, 0, sizeof buffer_, &buffer_), "clSetKernelArg");
    }
    cl_command_queue make_queue(bool ordered = true) {
        cl_device_id device;
        cl_int error =
            clGetContextInfo(context(), CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
        check(error, "clGetContextInfo");
        const cl_queue_properties properties[] = {
            CL_QUEUE_PROPERTIES,
            ordered ? cl_queue_properties{0} : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
        queues_.push_back(
            clCreateCommandQueueWithProperties(context(), device, properties, &error));
        check(error, "clCreateCommandQueueWithProperties");
        return queues_.back();
    }
    cl_event make_event() {
        cl_int error;
        events_.push_back(clCreateUserEvent(context(), &error));
        check(error, "clCreateUserEvent");
        return events_.back();
    }
    static void set(cl_event event, cl_int status = CL_COMPLETE) {
        check(clSetUserEventStatus(event, status), "clSetUserEventStatus");
    }
    cl_event launch(cl_command_queue queue, const std::vector<cl_event>& after = {}) {
        const std::size_t items = 32;
        const cl_uint rounds = 1 + enqueued_++;
        check(clSetKernelArg(kernel_, 1, sizeof rounds, &rounds), "clSetKernelArg");
        check(clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &items, &items, count(after),
                                     list(after), next()),
              "clEnqueueNDRangeKernel");
        return events_.back();
    }
    cl_event write(cl_command_queue queue, const std::vector<cl_event>& after) {
        check(clEnqueueWriteBuffer(queue, buffer_, CL_FALSE, 0, values_.size() * sizeof(cl_uint),
                                   values_.data(), count(after), list(after), next()),
              "clEnqueueWriteBuffer");
        return events_.back();
    }
    cl_event mark(cl_command_queue queue, const std::vector<cl_event>& after) {
        check(clEnqueueMarkerWithWaitList(queue, count(after), list(after), next()),
              "clEnqueueMarkerWithWaitList");
        return events_.back();
    }
    void map_and_unmap(cl_command_queue queue, const std::vector<cl_event>& after) {
        cl_int error;
        void* const at = clEnqueueMapBuffer(queue, buffer_, CL_FALSE, CL_MAP_READ, 0, 4,
                                            count(after), list(after), nullptr, &error);
        check(error, "clEnqueueMapBuffer");
        check(clEnqueueUnmapMemObject(queue, buffer_, at, 0, nullptr, nullptr),
              "clEnqueueUnmapMemObject");
    }
    void finish() {
        for (const auto queue : queues_)
            clFinish(queue);
    }
    ~Program() {
        finish();
        for (const auto event : events_)
            clReleaseEvent(event);
        for (const auto queue : queues_)
            clReleaseCommandQueue(queue);
    }

  private:
    static cl_uint count(const std::vector<cl_event>& events) {
        return static_cast<cl_uint>(events.size());
    }
    static const cl_event* list(const std::vector<cl_event>& events) {
        return events.empty() ? nullptr : events.data();
    }
    cl_event* next() { return &events_.emplace_back(); }

    std::vector<cl_uint> values_ = std::vector<cl_uint>(32);
    cl_kernel kernel_;
    cl_mem buffer_;
    std::vector<cl_event> events_;
    std::vector<cl_command_queue> queues_;
    cl_uint enqueued_ = 0;
};

}  // namespace

int main() {
    Program program;
    const auto ordered = program.make_queue(), other = program.make_queue(),
               third = program.make_queue(), loose = program.make_queue(false);
    // Two events, set in the reverse order.
    for (const auto queue : {ordered, loose}) {
        const auto first = program.make_event(), second = program.make_event();
        program.launch(queue, {first});
        program.launch(queue == ordered ? other : queue, {second});
        Program::set(second);
        Program::set(first);
        program.finish();
    }
    {  // One event holds launches of all queues, and one waits for another event as well.
        const auto gate = program.make_event(), late = program.make_event();
        for (const auto queue : {ordered, loose, other, third, loose})
            program.launch(queue, {gate});
        program.launch(loose, {late, gate});
        program.launch(third, {gate});
        Program::set(gate);
        Program::set(late);
        program.finish();
    }
    {  // A launch that waits for a launch that waits; and behind it in its queue.
        const auto gate = program.make_event(), early = program.make_event();
        const auto held = program.launch(ordered, {gate});
        program.launch(other, {early});
        program.launch(other, {held});
        program.launch(ordered);
        program.launch(third, {held, early});
        Program::set(early);
        Program::set(gate);
        program.finish();
    }
    {  // What waits are other commands.
        const auto gate = program.make_event(), early = program.make_event();
        const auto written = program.write(ordered, {gate});
        program.launch(ordered);
        program.launch(loose, {program.mark(loose, {written})});
        program.launch(other, {early});
        program.map_and_unmap(third, {gate});
        program.launch(third);
        Program::set(early);
        Program::set(gate);
        program.finish();
    }
    {  // An event that fails: what waits for it is not launched.
        const auto gate = program.make_event(), good = program.make_event();
        const auto failed = program.launch(other, {gate});
        program.launch(third, {failed});
        program.launch(ordered, {good});
        Program::set(gate, -1);
        Program::set(good);
        program.launch(ordered);
        program.finish();
    }
    // From two threads at the same time.
    for (unsigned i = 0; i < 20; ++i) {
        const auto first = program.make_event(), second = program.make_event();
        program.launch(ordered, {first});
        program.launch(other, {second});
        program.launch(ordered);
        std::thread thread([&] { Program::set(first); });
        Program::set(second);
        thread.join();
    }
    program.finish();
    std::puts("passed");
}
