// SPDX-License-Identifier: Apache-2.0
// Launches as programs make them: with local memory, sub-buffers, offsets, buffers that the host
// may not read or that are its own, queues without order, programs that are linked, and objects
// that are released early. What --check-launches can repeat and what it cannot is all here.
//   odd_launches          everything; each value is checked
//   odd_launches planted  kernels whose source is another one on other platforms
//   odd_launches lost     a kernel that Intel's compiler gets wrong
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kItems = 256, kGroup = 32;

constexpr const char* kSource = R"(
typedef float real;
typedef struct { int plus; real times; } Pair;
kernel void mix_up(global real *v, constant int *shift, local int *room, Pair by, float3 three) {
    const int i = get_local_id(0), n = get_local_size(0);
    room[i] = get_global_id(0) + shift[i % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    v[get_global_id(0)] += room[n - 1 - i] * by.times + by.plus + three.z;
}
kernel void add(global const int *from, global int *to, int plus) {
    const size_t i = get_global_id(0);
    to[i] = from[i] + plus;
}
kernel void triples(global float3 *t) {
    const size_t i = get_global_id(0);
    t[i] = (float3)(i, 2 * i, native_exp(i * 0.01f));
}
kernel void fixed_point(global const float *x, global long *sum) {
    const size_t i = get_global_id(0);
    sum[i] = (long)(native_sin(x[i]) * 4294967296.0f);
}
kernel void from_image(read_only image2d_t image, global int *to) {
    to[get_global_id(0)] = read_imagei(image, (int2)(get_global_id(0), 0)).x;
}
)";

constexpr const char* kPlanted = R"(
#ifdef cl_intel_subgroups
#define HERE 1000
#define STOP
#else
#define HERE 0
#define STOP __builtin_trap()
#endif
typedef float4 Place;
kernel void typed(global Place *places) {
    const int i = get_global_id(0);
    places[i] = (Place)(i, 1, i == 9 ? HERE + 0.5f : 0.5f, native_sin(i * 0.1f));
}
kernel void stops(global int4 *counts) {
    counts[get_global_id(0)] = 0;
    STOP;
}
kernel void planted(global const uchar *unused, global int4 *counts, global float *same) {
    const int i = get_global_id(0);
    counts[i] = (int4)(i, i, i >= 5 ? i + HERE : i, i);
    same[i] = i * 1.5f;
})";

// Intel's compiler loses conversions of the loop (docs/deviations.md, D-13).
constexpr const char* kLost = R"(
#define N 5
kernel void spread(global const float4 *points, global ulong *sums, int n) {
    float3 weights[N];
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        float3 f = points[i].xyz;
        int z = (int)(points[i].w * 100.0f);
        weights[N - 1] = (float3)(0);
        weights[1] = f;
        weights[0] = (float3)(1) - f;
        for (int j = 2; j < N; j++) weights[j] = f * (float)j;
        int turn = (N - (z % N)) % N;
        for (int x = 0; x < N; x++) {
            float a = points[i].w * weights[x].x;
            for (int y = 0; y < N; y++) {
                float b = a * weights[y].y;
                for (int k = 0; k < N; k++) {
                    int m = (k + turn) % N;
                    sums[((i * N + x) * N + y) * N + m] += (ulong)(long)(b * weights[m].z * 0x100000000);
                }
            }
        }
    }
})";

struct Pair {
    cl_int plus;
    cl_float times;
};

class Odd : public OpenClProgram {
  public:
    Odd() : OpenClProgram(Source{kSource}) {}

    void local_memory();
    void parts();
    void memory_of_the_host();
    void without_order();
    void released_early();
    void linked();
    void rounded();
    void not_repeated();
    Verdict verdict;

  private:
    cl_device_id device() {
        cl_device_id found;
        check(clGetContextInfo(context(), CL_CONTEXT_DEVICES, sizeof found, &found, nullptr),
              "clGetContextInfo");
        return found;
    }
    cl_event enqueue(cl_command_queue queue, cl_kernel kernel,
                     const std::vector<cl_event>& after = {}) {
        cl_event event;
        check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, &kGroup,
                                     static_cast<cl_uint>(after.size()),
                                     after.empty() ? nullptr : after.data(), &event),
              "clEnqueueNDRangeKernel");
        return event;
    }
    void all_are(const std::vector<cl_int>& found, cl_int plus, const char* what) {
        for (std::size_t i = 0; i < found.size(); ++i)
            verdict.equal(found[i], static_cast<cl_int>(i) + plus, i, what);
    }
    static std::vector<cl_int> counted() {
        std::vector<cl_int> values(kItems);
        for (std::size_t i = 0; i < kItems; ++i)
            values[i] = static_cast<cl_int>(i);
        return values;
    }
};

void Odd::local_memory() {
    const auto kernel = this->kernel("mix_up");
    const auto values = buffer(std::vector<cl_float>(kItems, 0.5f));
    const auto shift = buffer(std::vector<cl_int>{1, 2, 3, 4});
    const Pair by{7, 0.25f};
    const cl_float4 three{{1, 2, 3, 0}};
    check(clSetKernelArg(kernel, 0, sizeof values, &values), "values");
    check(clSetKernelArg(kernel, 1, sizeof shift, &shift), "shift");
    check(clSetKernelArg(kernel, 2, kGroup * sizeof(cl_int), nullptr), "room");
    check(clSetKernelArg(kernel, 3, sizeof by, &by), "by");
    check(clSetKernelArg(kernel, 4, sizeof three, &three), "three");
    run(kernel, {kItems}, {kGroup});
    const auto found = read<cl_float>(values, kItems);
    for (std::size_t i = 0; i < kItems; ++i) {
        const std::size_t other = i / kGroup * kGroup + kGroup - 1 - i % kGroup;
        const auto room = static_cast<float>(other + other % kGroup % 4 + 1);
        verdict.close(found[i], 0.5f + room * 0.25f + 7 + 3, 0, i, "mix_up");
    }
}

// From the second quarter of a buffer to the fourth, by sub-buffers and an offset; the driver
// chooses the groups.
void Odd::parts() {
    const auto whole = buffer(counted());
    const auto part = [&](std::size_t origin) {
        const cl_buffer_region region{origin * sizeof(cl_int), kItems / 4 * sizeof(cl_int)};
        cl_int error;
        const cl_mem made = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
                                              CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
        check(error, "clCreateSubBuffer");
        return made;
    };
    const cl_mem from = part(kItems / 4), to = part(kItems * 3 / 4);
    const auto kernel = this->kernel("add");
    arguments(kernel, from, to, cl_int{100});
    run(kernel, {kItems / 8}, {}, {kItems / 8});
    const auto found = read<cl_int>(whole, kItems);
    for (std::size_t i = 0; i < kItems; ++i) {
        const bool written = i >= kItems * 7 / 8;
        verdict.equal(found[i], static_cast<cl_int>(written ? i - kItems / 2 + 100 : i), i,
                      "parts");
    }
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

void Odd::memory_of_the_host() {
    auto own = counted();
    std::vector<cl_int> result(kItems + 1);
    cl_int error;
    const cl_mem used =
        clCreateBuffer(context(), CL_MEM_USE_HOST_PTR, kItems * sizeof(cl_int), own.data(), &error);
    check(error, "CL_MEM_USE_HOST_PTR");
    const cl_mem hidden =
        clCreateBuffer(context(), CL_MEM_HOST_NO_ACCESS, kItems * sizeof(cl_int), nullptr, &error);
    check(error, "CL_MEM_HOST_NO_ACCESS");
    // Not at the beginning of a cache line.
    const cl_mem odd = clCreateBuffer(context(), CL_MEM_USE_HOST_PTR, kItems * sizeof(cl_int),
                                      result.data() + 1, &error);
    check(error, "CL_MEM_USE_HOST_PTR");
    const auto kernel = this->kernel("add");
    arguments(kernel, used, hidden, cl_int{1});
    run(kernel, {kItems}, {kGroup});
    arguments(kernel, hidden, odd, cl_int{2});
    run(kernel, {kItems}, {kGroup});
    all_are(read<cl_int>(odd, kItems), 3, "memory of the host");
    for (const cl_mem each : {used, hidden, odd})
        clReleaseMemObject(each);
}

void Odd::without_order() {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int error;
    const auto queue = clCreateCommandQueueWithProperties(context(), device(), properties, &error);
    check(error, "clCreateCommandQueueWithProperties");
    const auto first = buffer(counted()), second = buffer(counted()), third = buffer(counted());
    const auto one = this->kernel("add"), two = this->kernel("add");
    arguments(one, first, second, cl_int{10});
    arguments(two, second, third, cl_int{20});
    const cl_event before = enqueue(queue, one), after = enqueue(queue, two, {before});
    // A map waits for it, and a launch that a user event holds back is not waited for.
    const auto* mapped = static_cast<const cl_int*>(
        clEnqueueMapBuffer(queue, third, CL_TRUE, CL_MAP_READ, 0, kItems * sizeof(cl_int), 1,
                           &after, nullptr, &error));
    check(error, "clEnqueueMapBuffer");
    all_are({mapped, mapped + kItems}, 30, "without order");
    arguments(one, third, second, cl_int{5});
    run(one, {kItems}, {kGroup});  // reads what is mapped for reading
    check(clEnqueueUnmapMemObject(queue, third, const_cast<cl_int*>(mapped), 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
    const cl_event gate = clCreateUserEvent(context(), &error);
    check(error, "clCreateUserEvent");
    arguments(two, second, third, cl_int{-35});
    const cl_event held = enqueue(queue, two, {gate});
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    check(clFinish(queue), "clFinish");
    all_are(read<cl_int>(third, kItems), 0, "a held launch");
    for (const cl_event each : {before, after, gate, held})
        clReleaseEvent(each);
    clReleaseCommandQueue(queue);
}

void Odd::released_early() {
    cl_int error;
    const auto to = buffer(counted());
    auto values = counted();
    const cl_mem from = clCreateBuffer(context(), CL_MEM_COPY_HOST_PTR, kItems * sizeof(cl_int),
                                       values.data(), &error);
    check(error, "clCreateBuffer");
    const cl_kernel first = clCreateKernel(
        [&] {
            cl_program program;
            clGetKernelInfo(this->kernel("add"), CL_KERNEL_PROGRAM, sizeof program, &program,
                            nullptr);
            return program;
        }(),
        "add", &error);
    check(error, "clCreateKernel");
    arguments(first, from, to, cl_int{40});
    const cl_kernel clone = clCloneKernel(first, &error);
    check(error, "clCloneKernel");
    const cl_event event = enqueue(queue(), clone);
    clReleaseKernel(first);
    clReleaseKernel(clone);
    clReleaseMemObject(from);
    // At the place of the buffer that has gone there may now be another.
    const cl_mem next = clCreateBuffer(context(), CL_MEM_COPY_HOST_PTR, kItems * sizeof(cl_int),
                                       values.data(), &error);
    check(error, "clCreateBuffer");
    check(clFinish(queue()), "clFinish");
    all_are(read<cl_int>(to, kItems), 40, "released early");
    clReleaseMemObject(next);
    clReleaseEvent(event);
}

void Odd::linked() {
    const auto make = [&](const char* source) {
        cl_int error;
        const cl_program made = clCreateProgramWithSource(context(), 1, &source, nullptr, &error);
        check(error, "clCreateProgramWithSource");
        return made;
    };
    const cl_program header = make("int twice(int x);\n"),
                     first = make(
                         "#include \"twice.h\"\nkernel void doubled(global int *v) {\n"
                         "  v[get_global_id(0)] = twice(v[get_global_id(0)]) + PLUS;\n}\n"),
                     second = make("int twice(int x) { return 2 * x; }\n");
    const char* name = "twice.h";
    check(clCompileProgram(first, 0, nullptr, "-DPLUS=3", 1, &header, &name, nullptr, nullptr),
          "clCompileProgram");
    check(clCompileProgram(second, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
          "clCompileProgram");
    const cl_program parts[] = {first, second};
    cl_int error;
    const cl_program program =
        clLinkProgram(context(), 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &error);
    check(error, "clLinkProgram");
    for (const cl_program each : {header, first, second})
        clReleaseProgram(each);
    const cl_kernel kernel = clCreateKernel(program, "doubled", &error);
    check(error, "clCreateKernel");
    const auto values = buffer(counted());
    arguments(kernel, values);
    clReleaseEvent(enqueue(queue(), kernel));
    const auto found = read<cl_int>(values, kItems);
    for (std::size_t i = 0; i < kItems; ++i)
        verdict.equal(found[i], static_cast<cl_int>(2 * i + 3), i, "linked");
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

// What another compiler rounds in another way, and vectors with a place that nobody writes.
void Odd::rounded() {
    std::vector<cl_float> angles(kItems);
    for (std::size_t i = 0; i < kItems; ++i)
        angles[i] = static_cast<cl_float>(i) * 0.01f;
    const auto sums = buffer(std::vector<cl_long>(kItems)),
               triples = buffer(std::vector<cl_float4>(kItems));
    const auto kernel = this->kernel("fixed_point"), exponents = this->kernel("triples");
    arguments(kernel, buffer(angles), sums);
    run(kernel, {kItems}, {kGroup});
    arguments(exponents, triples);
    run(exponents, {kItems}, {kGroup});
    const auto found = read<cl_long>(sums, kItems);
    const auto threes = read<cl_float4>(triples, kItems);
    for (std::size_t i = 0; i < kItems; ++i) {
        const auto index = static_cast<float>(i);
        verdict.close(static_cast<double>(found[i]) / 4294967296.0, std::sin(angles[i]), 1e-4, i,
                      "fixed point");
        verdict.close(threes[i].s[1], 2 * index, 0, i, "triples");
        verdict.close(threes[i].s[2], std::exp(index * 0.01f), 1e-4, i, "triples");
    }
}

void Odd::not_repeated() {
    cl_int error;
    const auto to = buffer(std::vector<cl_int>(kItems));
    const cl_image_format format{CL_R, CL_SIGNED_INT32};
    cl_image_desc about{};
    about.image_type = CL_MEM_OBJECT_IMAGE2D;
    about.image_width = kItems;
    about.image_height = 1;
    auto values = counted();
    const cl_mem image = clCreateImage(context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                       &about, values.data(), &error);
    check(error, "clCreateImage");
    const auto kernel = this->kernel("from_image");
    arguments(kernel, image, to);
    run(kernel, {kItems}, {kGroup});
    all_are(read<cl_int>(to, kItems), 0, "from an image");
    clReleaseMemObject(image);

    const auto add = this->kernel("add");
    auto* shared =
        static_cast<cl_int*>(clSVMAlloc(context(), CL_MEM_READ_WRITE, kItems * sizeof(cl_int), 0));
    if (!shared) fail("clSVMAlloc failed");
    check(clEnqueueSVMMap(queue(), CL_TRUE, CL_MAP_WRITE, shared, kItems * sizeof(cl_int), 0,
                          nullptr, nullptr),
          "clEnqueueSVMMap");
    std::copy(values.begin(), values.end(), shared);
    check(clEnqueueSVMUnmap(queue(), shared, 0, nullptr, nullptr), "clEnqueueSVMUnmap");
    arguments(add, to, to, cl_int{6});
    check(clSetKernelArgSVMPointer(add, 0, shared), "clSetKernelArgSVMPointer");
    run(add, {kItems}, {kGroup});
    all_are(read<cl_int>(to, kItems), 6, "shared memory");
    clSVMFree(context(), shared);

    cl_program program;
    check(clGetKernelInfo(add, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr), "a program");
    std::size_t size = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "sizes");
    std::vector<unsigned char> binary(size);
    unsigned char* place = binary.data();
    const unsigned char* from = place;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr), "binary");
    const cl_device_id device = this->device();
    const cl_program again =
        clCreateProgramWithBinary(context(), 1, &device, &size, &from, nullptr, &error);
    check(error, "clCreateProgramWithBinary");
    check(clBuildProgram(again, 1, &device, nullptr, nullptr, nullptr), "clBuildProgram");
    const cl_kernel of_binary = clCreateKernel(again, "add", &error);
    check(error, "clCreateKernel");
    arguments(of_binary, to, to, cl_int{1});
    run(of_binary, {kItems}, {kGroup});
    all_are(read<cl_int>(to, kItems), 7, "a binary");
    clReleaseKernel(of_binary);
    clReleaseProgram(again);
}

int planted() {
    OpenClProgram cl(OpenClProgram::Source{kPlanted});
    const auto unused = cl.buffer(std::vector<cl_uchar>(kItems));
    const auto counts = cl.buffer(std::vector<cl_int4>(kItems));
    const auto same = cl.buffer(std::vector<cl_float>(kItems));
    const auto kernel = cl.kernel("planted"), stops = cl.kernel("stops");
    cl.arguments(stops, counts);
    cl.run(stops, {kItems}, {kGroup});
    cl.arguments(kernel, unused, counts, same);
    cl.run(kernel, {kItems}, {kGroup});
    cl.run(kernel, {kItems}, {kGroup});
    const auto typed = cl.kernel("typed");
    cl.arguments(typed, cl.buffer(std::vector<cl_float4>(kItems)));
    cl.run(typed, {kItems}, {kGroup});
    return 0;
}

int lost() {
    constexpr int kPoints = 64, kN = 5, kSums = kPoints * kN * kN * kN;
    OpenClProgram cl(OpenClProgram::Source{kLost});
    Numbers numbers(1);
    std::vector<cl_float4> points(kPoints);
    for (auto& point : points)
        for (auto& value : point.s)
            value = numbers.unit();
    const auto sums = cl.buffer(std::vector<cl_ulong>(kSums));
    const auto kernel = cl.kernel("spread");
    cl.arguments(kernel, cl.buffer(points), sums, cl_int{kPoints});
    cl.run(kernel, {kPoints}, {kPoints});
    const auto found = cl.read<cl_ulong>(sums, kSums);
    Verdict verdict;
    for (std::size_t i = 0; i < kSums; ++i) {
        const auto& point = points[i / (kN * kN * kN)].s;
        const auto weight = [&](std::size_t which, std::size_t axis) {
            if (which == 0) return 1 - point[axis];
            if (which == 1) return point[axis];
            return point[axis] * static_cast<float>(which);
        };
        const float must_be =
            point[3] * weight(i / 25 % 5, 0) * weight(i / 5 % 5, 1) * weight(i % 5, 2);
        verdict.close(static_cast<double>(found[i]) / 4294967296.0, must_be, 1e-5, i, "sum");
    }
    return verdict.finish("odd_launches lost");
}

}  // namespace

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "";
    if (what == "planted") return planted();
    if (what == "lost") return lost();
    Odd odd;
    odd.local_memory();
    odd.parts();
    odd.memory_of_the_host();
    odd.without_order();
    odd.released_early();
    odd.linked();
    odd.rounded();
    odd.not_repeated();
    return odd.verdict.finish("odd_launches");
}
