// SPDX-License-Identifier: Apache-2.0
// Memory accesses of 1, 2, 4 and 8 bytes wherever a byte can be.
#include <cstring>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kCount = 256;

std::vector<cl_uchar> noise(std::size_t bytes) {
    Numbers numbers(static_cast<std::uint32_t>(bytes));
    std::vector<cl_uchar> data(bytes);
    for (auto& byte : data)
        byte = static_cast<cl_uchar>(numbers.below(256));
    return data;
}

void same(const std::vector<cl_uchar>& found, const std::vector<cl_uchar>& expected,
          const char* what, Verdict& verdict) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        verdict.equal(found[i], expected[i], i, what);
}

template <class T>
void add(std::vector<cl_uchar>& data, std::size_t at, T value) {
    T now;
    std::memcpy(&now, &data[at], sizeof now);
    now = static_cast<T>(now + value);
    std::memcpy(&data[at], &now, sizeof now);
}

void records(OpenClProgram& program, Verdict& verdict) {
    constexpr std::size_t kRecord = 16;
    auto data = noise(kRecord * kCount);
    const cl_mem in = program.buffer(data),
                 out = program.buffer(std::vector<cl_uchar>(data.size()));
    const cl_kernel kernel = program.kernel("records");
    program.arguments(kernel, in, out);
    program.run(kernel, {kCount});
    for (std::size_t i = 0; i < kCount; ++i) {
        add<cl_uchar>(data, i * kRecord, 1);
        add<cl_ushort>(data, i * kRecord + 1, 2);
        add<cl_uint>(data, i * kRecord + 3, 3);
        add<cl_ulong>(data, i * kRecord + 7, 4);
        add<cl_uchar>(data, i * kRecord + 15, 5);
    }
    same(program.read<cl_uchar>(out, data.size()), data, "records", verdict);
}

template <class T>
void move(OpenClProgram& program, const char* name, Verdict& verdict) {
    for (const cl_uint first : {0u, 1u, 3u, 61u})
        for (const cl_uint step :
             {static_cast<cl_uint>(sizeof(T)), static_cast<cl_uint>(sizeof(T)) + 1, 67u}) {
            const auto data = noise(first + kCount * step + 8);
            std::vector<cl_uchar> expected(data.size());
            const cl_mem in = program.buffer(data), out = program.buffer(expected);
            const cl_kernel kernel = program.kernel(name);
            program.arguments(kernel, in, out, first, step);
            program.run(kernel, {kCount});
            for (std::size_t i = 0; i < kCount; ++i) {
                const std::size_t at = first + i * step;
                std::memcpy(&expected[at], &data[at], sizeof(T));
                add<T>(expected, at, 1);
            }
            same(program.read<cl_uchar>(out, data.size()), expected, name, verdict);
        }
}

template <class T>
void vectors(OpenClProgram& program, const char* name, Verdict& verdict) {
    constexpr std::size_t kItems = 64;
    const auto bytes = noise(kItems * 32 * sizeof(T));
    std::vector<T> data(kItems * 32);
    std::memcpy(data.data(), bytes.data(), bytes.size());
    const cl_mem in = program.buffer(data), out = program.buffer(std::vector<T>(data.size()));
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, in, out);
    program.run(kernel, {kItems});
    const auto found = program.read<T>(out, data.size());
    for (std::size_t item = 0; item < kItems; ++item) {
        const std::size_t base = item * 32 + 1;
        for (std::size_t i = 0; i < 17; ++i)
            verdict.equal(found[base + i], data[base + i], base + i, name);
        const std::size_t picked[8] = {2, 4, 6, 8, 10, 12, 14, 15};
        for (std::size_t i = 0; i < 8; ++i)
            verdict.equal(found[base + 17 + i], data[base + 15 + picked[i]], base + 17 + i, name);
    }
}

void near(OpenClProgram& program, Verdict& verdict) {
    constexpr std::size_t kGroups = 4, kGroup = 64 * 9;
    const auto data = noise(kGroups * kGroup), table = noise(256);
    const cl_mem in = program.buffer(data),
                 out = program.buffer(std::vector<cl_uchar>(data.size())),
                 constants = program.buffer(table);
    const cl_kernel kernel = program.kernel("near");
    program.arguments(kernel, in, out, constants);
    program.run(kernel, {kGroups * 64}, {64});
    auto expected = data;
    for (std::size_t group = 0; group < kGroups; ++group)
        for (std::size_t item = 0; item < 64; ++item) {
            const std::size_t at = group * kGroup + item * 9 + 1;
            std::memcpy(&expected[at], &data[group * kGroup + (item + 17) % 64 * 9 + 1], 8);
            add<cl_ulong>(expected, at, table[item * 3 + 1]);
        }
    same(program.read<cl_uchar>(out, data.size()), expected, "near", verdict);
}

void far(OpenClProgram& program, Verdict& verdict) {
    std::vector<cl_uint> data(kCount);
    for (std::size_t i = 0; i < kCount; ++i)
        data[i] = static_cast<cl_uint>(i * 5);
    const cl_mem memory = program.buffer(data);
    const cl_kernel kernel = program.kernel("far");
    for (const cl_ulong distance : {cl_ulong{5} << 30, (cl_ulong{1} << 33) + 64}) {
        program.arguments(kernel, memory, distance);
        program.run(kernel, {kCount});
        for (auto& value : data)
            value = value * 2 + 1;
    }
    const auto found = program.read<cl_uint>(memory, kCount);
    for (std::size_t i = 0; i < kCount; ++i)
        verdict.equal(found[i], data[i], i, "far");
}

}  // namespace

int main() {
    Verdict verdict;
    for (const char* options : {"", "-cl-intel-greater-than-4GB-buffer-required"}) {
        OpenClProgram program("odd_addresses.cl", options);
        records(program, verdict);
        move<cl_uchar>(program, "move_uchar", verdict);
        move<cl_ushort>(program, "move_ushort", verdict);
        move<cl_uint>(program, "move_uint", verdict);
        move<cl_ulong>(program, "move_ulong", verdict);
        vectors<cl_uchar>(program, "vectors_uchar", verdict);
        vectors<cl_ushort>(program, "vectors_ushort", verdict);
        vectors<cl_uint>(program, "vectors_uint", verdict);
        vectors<cl_ulong>(program, "vectors_ulong", verdict);
        near(program, verdict);
        if (*options) far(program, verdict);
    }
    return verdict.finish("odd_addresses");
}
