// SPDX-License-Identifier: Apache-2.0
// Times of events, as profiling programs use them: in order, of one clock, and as long as the work.
#include <array>

#include "../opencl_program.h"

namespace {

struct Times {
    cl_ulong queued, submit, start, end, complete;
};

Times times_of(cl_event event) {
    Times times{};
    const std::array<std::pair<cl_profiling_info, cl_ulong*>, 5> all{{
        {CL_PROFILING_COMMAND_QUEUED, &times.queued},
        {CL_PROFILING_COMMAND_SUBMIT, &times.submit},
        {CL_PROFILING_COMMAND_START, &times.start},
        {CL_PROFILING_COMMAND_END, &times.end},
        {CL_PROFILING_COMMAND_COMPLETE, &times.complete},
    }};
    for (const auto& [what, to] : all)
        OpenClProgram::check(clGetEventProfilingInfo(event, what, sizeof *to, to, nullptr),
                             "clGetEventProfilingInfo");
    return times;
}

}  // namespace

int main() {
    OpenClProgram program(
        OpenClProgram::Source{"kernel void spin(global uint* out, uint n) {"
                              "    uint x = out[get_global_id(0)];"
                              "    for (uint i = 0; i < n; ++i) x = x * x + i;"
                              "    out[get_global_id(0)] = x; }"});
    constexpr std::size_t kItems = 256, kLaunches = 6;
    const cl_mem out = program.buffer(std::vector<cl_uint>(kItems));
    const cl_kernel kernel = program.kernel("spin");
    std::array<Times, kLaunches> times{};
    for (std::size_t i = 0; i < kLaunches; ++i) {
        program.arguments(kernel, out, cl_uint(i % 2 ? 4000 : 1000));
        cl_event event = nullptr;
        OpenClProgram::check(clEnqueueNDRangeKernel(program.queue(), kernel, 1, nullptr, &kItems,
                                                    nullptr, 0, nullptr, &event),
                             "clEnqueueNDRangeKernel");
        OpenClProgram::check(clWaitForEvents(1, &event), "clWaitForEvents");
        times[i] = times_of(event);
        clReleaseEvent(event);
    }
    Verdict verdict;
    constexpr cl_ulong kSecond = 1'000'000'000;
    for (std::size_t i = 0; i < kLaunches; ++i) {
        const Times& t = times[i];
        std::printf(
            "queued %llu submit %llu start %llu end %llu ns\n",
            static_cast<unsigned long long>(t.queued), static_cast<unsigned long long>(t.submit),
            static_cast<unsigned long long>(t.start), static_cast<unsigned long long>(t.end));
        verdict.equal(
            t.queued <= t.submit && t.submit <= t.start && t.start < t.end && t.end <= t.complete,
            true, i, "order of launch");
        // Simulated time goes by only while the engine works: all of it is far below a second.
        verdict.equal(t.end < kSecond, true, i, "time of launch");
        if (i == 0) continue;
        verdict.equal(times[i - 1].end <= t.queued, true, i, "order of launches at");
        const double longer =
            double(t.end - t.start) / double(times[i - 1].end - times[i - 1].start);
        verdict.equal(i % 2 ? longer > 2 && longer < 6 : longer < 0.5, true, i,
                      "duration of launch");
    }
    return verdict.finish("profiling");
}
