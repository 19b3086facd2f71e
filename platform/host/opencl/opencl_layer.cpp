// SPDX-License-Identifier: Apache-2.0
/// A layer of the OpenCL loader (OPENCL_LAYERS) that answers what Intel's driver cannot know when
/// it speaks to a simulator, and tells the simulator what the program calls its kernels
/// (opencl_launches.h). It is loaded into the program beside the driver.
/// Clock    without a kernel driver to ask, the driver says 0 MHz: GEN9SIM_CLOCK_MHZ is said
/// instead Events   the driver takes the time of queueing and submission from the kernel driver's
/// clock,
///          does not get one, and leaves what was in memory; where that is later than the start, it
///          moves start and end by the span of the engine's counter. Time stands still in an idle
///          engine, so that queueing and submission are at the start of the command.
///          Copies done by the host itself have times of the host's clock, which are left alone.
/// Spec     compute-runtime 22.43: Event::calculateProfilingDataInternal, DeviceTime
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>

#include "platform/host/opencl/added_options.h"
#include "platform/host/opencl/opencl_launches.h"
#include "platform/host/opencl/watched_calls.h"
#include "platform/host/program/driver.h"

namespace {

const cl_icd_dispatch* g_target;
cl_icd_dispatch g_layer;
cl_ulong g_loaded;  ///< the host's clock when the layer was loaded

/// The clock by which the driver times what the host does itself.
cl_ulong host_nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<cl_ulong>(now.tv_sec) * 1'000'000'000 + static_cast<cl_ulong>(now.tv_nsec);
}

using Launches = gen9::platform::OpenclLaunches;

Launches& launches() {
    static Launches all(*g_target);
    return all;
}

using Checker = gen9::checks::LaunchChecker;

/// The driver calls it until the very end.
Checker& checker() {
    static auto& only = *new Checker(*g_target, launches());
    return only;
}

using gen9::platform::AddedOptions;

AddedOptions& added() {
    static AddedOptions all(*g_target);
    return all;
}

/// Answers a query with one value, as the OpenCL calls do.
template <class T>
cl_int answer(T value, std::size_t size, void* to, std::size_t* size_needed) {
    if (size_needed) *size_needed = sizeof value;
    if (!to) return CL_SUCCESS;
    if (size < sizeof value) return CL_INVALID_VALUE;
    std::memcpy(to, &value, sizeof value);
    return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, std::size_t size, void* to,
                               std::size_t* size_needed) {
    const char* clock = std::getenv("GEN9SIM_CLOCK_MHZ");
    if (what != CL_DEVICE_MAX_CLOCK_FREQUENCY || !clock)
        return g_target->clGetDeviceInfo(device, what, size, to, size_needed);
    return answer(static_cast<cl_uint>(std::strtoul(clock, nullptr, 10)), size, to, size_needed);
}

/// Nanoseconds by which the driver has moved a start: the span of the engine's 36-bit counter in
/// the ticks of Broxton (52.083 ns) or Skylake (83.333 ns). No simulation is that long.
cl_ulong moved_by(cl_ulong start) {
    constexpr double kTicks = static_cast<double>(cl_ulong{1} << 36);
    for (const double tick : {83.333, 52.083})
        if (const auto span = static_cast<cl_ulong>(kTicks * tick); start >= span) return span;
    return 0;
}

cl_int CL_API_CALL profiling_info(cl_event event, cl_profiling_info what, std::size_t size,
                                  void* to, std::size_t* size_needed) {
    cl_ulong start = 0, value = 0;
    const bool early = what == CL_PROFILING_COMMAND_QUEUED || what == CL_PROFILING_COMMAND_SUBMIT;
    const cl_int error = g_target->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                                           sizeof start, &start, nullptr);
    const bool by_host = start >= g_loaded && start <= host_nanoseconds();
    if (error != CL_SUCCESS || by_host)
        return g_target->clGetEventProfilingInfo(event, what, size, to, size_needed);
    const cl_int failed = g_target->clGetEventProfilingInfo(
        event, early ? cl_profiling_info{CL_PROFILING_COMMAND_START} : what, sizeof value, &value,
        nullptr);
    if (failed != CL_SUCCESS) return failed;
    return answer(value - moved_by(start), size, to, size_needed);
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint devices, const cl_device_id* list,
                                 const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                 void* data) {
    launches().forget(program);
    if (Checker::wanted()) checker().built(program);
    const std::string all = added().with(options);
    if (AddedOptions::wanted()) options = all.c_str();
    const cl_int error = g_target->clBuildProgram(program, devices, list, options, notify, data);
    added().compiled(program, error);
    return error;
}

cl_int CL_API_CALL compile_program(cl_program program, cl_uint devices, const cl_device_id* list,
                                   const char* options, cl_uint headers, const cl_program* contents,
                                   const char** names, void(CL_CALLBACK* notify)(cl_program, void*),
                                   void* data) {
    if (Checker::wanted()) checker().compiled(program, {contents, contents ? headers : 0}, names);
    const std::string all = added().with(options);
    if (AddedOptions::wanted()) options = all.c_str();
    const cl_int error = g_target->clCompileProgram(program, devices, list, options, headers,
                                                    contents, names, notify, data);
    added().compiled(program, error);
    return error;
}

cl_program CL_API_CALL link_program(cl_context context, cl_uint devices, const cl_device_id* list,
                                    const char* options, cl_uint inputs, const cl_program* programs,
                                    void(CL_CALLBACK* notify)(cl_program, void*), void* data,
                                    cl_int* error) {
    // The driver makes the device's code when it links.
    const std::string all = added().with(options);
    if (AddedOptions::wanted()) options = all.c_str();
    const cl_program linked = g_target->clLinkProgram(context, devices, list, options, inputs,
                                                      programs, notify, data, error);
    launches().forget(linked);
    if (Checker::wanted() && linked)
        checker().linked(linked, {programs, programs ? inputs : 0}, options);
    return linked;
}

std::span<const cl_event> events_of(cl_uint count, const cl_event* list) {
    return {list, list ? count : 0};
}

cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const std::size_t* offset, const std::size_t* global,
                                  const std::size_t* local, cl_uint events, const cl_event* list,
                                  cl_event* event) {
    const Launches::Launch launch{kernel, dimensions, global, local};
    const auto enqueue = [&](cl_event* to, Launches::Enqueued& enqueued) {
        const auto carry_out = [&] {
            return g_target->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
                                                    local, events, list, to);
        };
        return launches().enqueue(queue, events_of(events, list), to, &launch, carry_out,
                                  &enqueued);
    };
    Launches::Enqueued enqueued;
    if (!Checker::wanted()) return enqueue(event, enqueued);
    return checker().launch(
        {queue, kernel, dimensions, offset, global, local, events_of(events, list)}, event,
        enqueue);
}

cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint events,
                                const cl_event* list, cl_event* event) {
    const std::size_t one = 1;
    const Launches::Launch launch{kernel, 1, &one, &one};
    const auto enqueue = [&](cl_event* to, Launches::Enqueued& enqueued) {
        const auto carry_out = [&] {
            return g_target->clEnqueueTask(queue, kernel, events, list, to);
        };
        return launches().enqueue(queue, events_of(events, list), to, &launch, carry_out,
                                  &enqueued);
    };
    Launches::Enqueued enqueued;
    if (!Checker::wanted()) return enqueue(event, enqueued);
    return checker().launch({queue, kernel, 1, nullptr, &one, &one, events_of(events, list)}, event,
                            enqueue);
}

/// A function that enqueues another command: its last arguments are a list of events to wait for,
/// and where its own goes; one that maps has a place for the error behind them.
template <auto kEntry, auto kCommand, class Function>
struct Enqueue;

/// As a command of the driver's (DriverCommand), or as one that has no kernels.
template <auto kCommand>
cl_int carried_out(const std::function<cl_int()>& carry_out) {
    if constexpr (std::is_same_v<decltype(kCommand), gen9::platform::DriverCommand>)
        return Launches::by_driver(kCommand, carry_out);
    else
        return carry_out();
}

template <auto kEntry, auto kCommand, class... Arguments>
struct Enqueue<kEntry, kCommand, cl_int(CL_API_CALL*)(cl_command_queue, Arguments...)> {
    static cl_int CL_API_CALL call(cl_command_queue queue, Arguments... arguments) {
        constexpr std::size_t kCount = sizeof...(Arguments);
        const auto all = std::tie(arguments...);
        return launches().enqueue(queue,
                                  events_of(std::get<kCount - 3>(all), std::get<kCount - 2>(all)),
                                  std::get<kCount - 1>(all), nullptr, [&] {
                                      return carried_out<kCommand>(
                                          [&] { return (g_target->*kEntry)(queue, arguments...); });
                                  });
    }
};

template <auto kEntry, auto kCommand, class... Arguments>
struct Enqueue<kEntry, kCommand, void*(CL_API_CALL*)(cl_command_queue, Arguments...)> {
    static void* CL_API_CALL call(cl_command_queue queue, Arguments... arguments) {
        constexpr std::size_t kCount = sizeof...(Arguments);
        const auto all = std::tie(arguments...);
        void* mapped = nullptr;
        launches().enqueue(queue, events_of(std::get<kCount - 4>(all), std::get<kCount - 3>(all)),
                           std::get<kCount - 2>(all), nullptr, [&] {
                               return carried_out<kCommand>([&] {
                                   mapped = (g_target->*kEntry)(queue, arguments...);
                                   return mapped ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
                               });
                           });
        return mapped;
    }
};

// OpenCL 1.0's have no list, or no event.

cl_int CL_API_CALL enqueue_marker(cl_command_queue queue, cl_event* event) {
    return launches().enqueue(queue, {}, event, nullptr,
                              [&] { return g_target->clEnqueueMarker(queue, event); });
}

cl_int CL_API_CALL enqueue_wait(cl_command_queue queue, cl_uint events, const cl_event* list) {
    return launches().enqueue(queue, events_of(events, list), nullptr, nullptr, [&] {
        return g_target->clEnqueueWaitForEvents(queue, events, list);
    });
}

cl_int CL_API_CALL enqueue_barrier(cl_command_queue queue) {
    return launches().enqueue(queue, {}, nullptr, nullptr,
                              [&] { return g_target->clEnqueueBarrier(queue); });
}

template <auto kCommand, auto... kEntries>
void watch_enqueues() {
    ((g_layer.*kEntries =
          Enqueue<kEntries, kCommand, std::remove_reference_t<decltype(g_layer.*kEntries)>>::call),
     ...);
}

/// User events that nobody has set: what waits for one cannot be finished.
std::atomic<unsigned> g_user_events{0};

cl_event CL_API_CALL create_user_event(cl_context context, cl_int* error) {
    const cl_event event = g_target->clCreateUserEvent(context, error);
    if (!event) return event;
    ++g_user_events;
    if (Launches::wanted()) launches().made(event);
    return event;
}

cl_int CL_API_CALL set_user_event(cl_event event, cl_int status) {
    const auto carry_out = [&] { return g_target->clSetUserEventStatus(event, status); };
    const cl_int error =
        Launches::wanted() ? launches().set(event, status, carry_out) : carry_out();
    if (error == CL_SUCCESS) --g_user_events;
    return error;
}

cl_int CL_API_CALL release_queue(cl_command_queue queue) {
    cl_uint references = 0;
    const cl_int known = g_target->clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT,
                                                         sizeof references, &references, nullptr);
    if (known == CL_SUCCESS && references == 1 && g_user_events == 0) g_target->clFinish(queue);
    return g_target->clReleaseCommandQueue(queue);
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, std::size_t size, void* to,
                                               std::size_t* size_needed) {
    if (what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    return answer(cl_layer_api_version{CL_LAYER_API_VERSION_100}, size, to, size_needed);
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                            cl_uint* entries_filled,
                                            const cl_icd_dispatch** layer) {
    constexpr cl_uint kEntries = sizeof g_layer / sizeof(void*);
    if (!target || !entries_filled || !layer) return CL_INVALID_VALUE;
    const cl_uint known = std::min(entries, kEntries);
    g_target = target;
    g_loaded = host_nanoseconds();
    std::memcpy(static_cast<void*>(&g_layer), target, known * sizeof(void*));
    g_layer.clGetDeviceInfo = device_info;
    g_layer.clGetEventProfilingInfo = profiling_info;
    const bool finish = std::getenv(gen9::platform::kFinishQueuesVariable);
    if (finish) g_layer.clReleaseCommandQueue = release_queue;
    if (finish || Launches::wanted()) {
        g_layer.clCreateUserEvent = create_user_event;
        g_layer.clSetUserEventStatus = set_user_event;
    }
    if (AddedOptions::wanted() || Launches::wanted()) {
        g_layer.clBuildProgram = build_program;
        g_layer.clCompileProgram = compile_program;
        g_layer.clLinkProgram = link_program;
    }
    if (Launches::wanted()) {
        if (Checker::wanted()) gen9::checks::watch_objects(g_layer, *g_target, checker());
        g_layer.clEnqueueNDRangeKernel = enqueue_kernel;
        g_layer.clEnqueueTask = enqueue_task;
        using Table = cl_icd_dispatch;
        using enum gen9::platform::DriverCommand;
        watch_enqueues<Read, &Table::clEnqueueReadBuffer, &Table::clEnqueueReadBufferRect,
                       &Table::clEnqueueReadImage>();
        watch_enqueues<Write, &Table::clEnqueueWriteBuffer, &Table::clEnqueueWriteBufferRect,
                       &Table::clEnqueueWriteImage>();
        watch_enqueues<Copy, &Table::clEnqueueCopyBuffer, &Table::clEnqueueCopyBufferRect,
                       &Table::clEnqueueCopyImage, &Table::clEnqueueCopyImageToBuffer,
                       &Table::clEnqueueCopyBufferToImage, &Table::clEnqueueSVMMemcpy>();
        watch_enqueues<Fill, &Table::clEnqueueFillBuffer, &Table::clEnqueueFillImage,
                       &Table::clEnqueueSVMMemFill>();
        watch_enqueues<Map, &Table::clEnqueueMapBuffer, &Table::clEnqueueMapImage,
                       &Table::clEnqueueSVMMap>();
        watch_enqueues<Unmap, &Table::clEnqueueUnmapMemObject, &Table::clEnqueueSVMUnmap>();
        watch_enqueues<nullptr, &Table::clEnqueueMigrateMemObjects,
                       &Table::clEnqueueMarkerWithWaitList, &Table::clEnqueueBarrierWithWaitList,
                       &Table::clEnqueueSVMFree, &Table::clEnqueueSVMMigrateMem>();
        g_layer.clEnqueueMarker = enqueue_marker;
        g_layer.clEnqueueWaitForEvents = enqueue_wait;
        g_layer.clEnqueueBarrier = enqueue_barrier;
    }
    *entries_filled = known;
    *layer = &g_layer;
    return CL_SUCCESS;
}
}
