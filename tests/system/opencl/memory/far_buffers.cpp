// SPDX-License-Identifier: Apache-2.0
// Addresses and indices beyond 32 bits: host memory that the device reaches where it is, 24 GB
// apart, and a buffer as large as the driver's simulated memory lets many programs have (deviation
// D-7).
#include <sys/mman.h>

#include <cstring>
#include <initializer_list>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kItems = 256, kBytes = 1 << 16;

/// Memory of the host at a place chosen so that its buffer lies there for the device as well.
struct Place {
    unsigned char* data;
    cl_mem buffer;
    Place(cl_context context, std::uintptr_t address) {
        void* const got = mmap(reinterpret_cast<void*>(address), kBytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) OpenClProgram::fail("mmap failed");
        data = static_cast<unsigned char*>(got);
        Numbers numbers(static_cast<std::uint32_t>(address >> 32));
        for (std::size_t i = 0; i < kBytes; ++i)
            data[i] = static_cast<unsigned char>(numbers.below(256));
        cl_int error;
        buffer =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, kBytes, data, &error);
        OpenClProgram::check(error, "clCreateBuffer");
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
        clReleaseMemObject(buffer);
        munmap(data, kBytes);
    }
    std::vector<unsigned char> now() const { return {data, data + kBytes}; }
};

template <class T>
T& at(std::vector<unsigned char>& bytes, std::size_t index) {
    return *reinterpret_cast<T*>(&bytes[index * sizeof(T)]);
}

struct Pair {
    Place near, far;
    cl_long distance;
    explicit Pair(cl_context context)
        : near(context, std::uintptr_t{0x2000} << 32),
          far(context, std::uintptr_t{0x2006} << 32),
          distance(far.data - near.data) {
        if (distance < cl_long{9} << 30) OpenClProgram::fail("the memory is not far apart");
    }
    void run(OpenClProgram& program, const char* name) const {
        const cl_kernel kernel = program.kernel(name);
        program.arguments(kernel, near.buffer, far.buffer, distance);
        program.run(kernel, {kItems}, {64});
    }
    /// Both buffers against what they must hold now.
    void check(OpenClProgram& program, const std::vector<unsigned char>& near_bytes,
               const std::vector<unsigned char>& far_bytes, const char* name,
               Verdict& verdict) const {
        const auto found_near = program.read<unsigned char>(near.buffer, kBytes),
                   found_far = program.read<unsigned char>(far.buffer, kBytes);
        for (std::size_t i = 0; i < kBytes; ++i) {
            verdict.equal(found_near[i], near_bytes[i], i, name);
            verdict.equal(found_far[i], far_bytes[i], i, name);
        }
    }
};

template <class T>
void reach(OpenClProgram& program, const char* name, Verdict& verdict) {
    const Pair pair(program.context());
    auto near = pair.near.now(), far = pair.far.now();
    const auto old_far = far;
    pair.run(program, name);
    for (std::size_t i = 0; i < kItems; ++i) {
        auto before = old_far;
        at<T>(far, 256 + i) = static_cast<T>(at<T>(near, i) + 1);
        at<T>(near, 256 + i) = static_cast<T>(at<T>(before, i * 3 % 256) + 2);
    }
    pair.check(program, near, far, name, verdict);
}

void vectors(OpenClProgram& program, Verdict& verdict) {
    const Pair pair(program.context());
    auto near = pair.near.now(), far = pair.far.now();
    pair.run(program, "vectors");
    for (std::size_t i = 0; i < kItems; ++i)
        for (std::size_t n = 0; n < 4; ++n)
            at<cl_uint>(near, 3067 + i * 5 + n) =
                at<cl_uint>(far, 1019 + i * 5 + n) + at<cl_uint>(near, i);
    pair.check(program, near, far, "vectors", verdict);
}

void count(OpenClProgram& program, Verdict& verdict) {
    const Pair pair(program.context());
    auto near = pair.near.now(), far = pair.far.now();
    pair.run(program, "count");
    for (std::size_t i = 0; i < kItems; ++i) {
        at<cl_uint>(far, i % 7) += 3;
        ++at<cl_uint>(near, i % 7);
    }
    pair.check(program, near, far, "count", verdict);
}

/// Nothing but the words named changes, and each keeps its place.
void large(OpenClProgram& program, Verdict& verdict) {
    constexpr std::size_t kLarge = std::size_t{192} << 20, kPieces = 1024, kStep = kLarge / kPieces;
    std::vector<unsigned char> bytes(kLarge);
    for (std::size_t i = 0; i < kLarge; i += 4096)
        bytes[i] = static_cast<unsigned char>(i >> 12);
    const cl_mem buffer = program.buffer(bytes);
    const cl_kernel kernel = program.kernel("touch");
    for (const cl_uint salt : {1u, 77u}) {
        program.arguments(kernel, buffer, cl_ulong{kStep}, salt);
        program.run(kernel, {kPieces}, {64});
        for (std::size_t i = 0; i < kPieces; ++i) {
            cl_uint& word = at<cl_uint>(bytes, (i * kStep + i % 61 * 4) / 4);
            word = word * 3 + static_cast<cl_uint>(i) + salt;
        }
    }
    const auto found = program.read<unsigned char>(buffer, kLarge);
    for (std::size_t i = 0; i < kLarge; i += 4096)
        verdict.equal(std::memcmp(&found[i], &bytes[i], 4096), 0, i, "page");
}

}  // namespace

int main() {
    Verdict verdict;
    OpenClProgram program("far_buffers.cl", "-cl-intel-greater-than-4GB-buffer-required");
    reach<cl_uchar>(program, "reach_uchar", verdict);
    reach<cl_ushort>(program, "reach_ushort", verdict);
    reach<cl_uint>(program, "reach_uint", verdict);
    reach<cl_ulong>(program, "reach_ulong", verdict);
    vectors(program, verdict);
    count(program, verdict);
    large(program, verdict);
    return verdict.finish("far_buffers");
}
