// SPDX-License-Identifier: Apache-2.0
// Messages of the data port in Intel's inline assembly against host arithmetic.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kItems = 256;
constexpr cl_ulong kFar = cl_ulong{5} << 32;  ///< the offsets do not fit 32 bits

std::vector<cl_uint> noise(std::size_t count, std::uint32_t seed) {
    Numbers numbers(seed);
    std::vector<cl_uint> data(count);
    for (cl_uint& value : data)
        value = numbers.next() ^ numbers.next() >> 16;
    return data;
}

// Gathers and scatters of channels -------------------------------------------------------------

/// Who sits out a gather or scatter.
bool idle(std::size_t item) {
    return item % 5 == 4 && item % 8 != 0;
}

std::string channels(unsigned mask) {
    std::string name;
    for (unsigned c = 0; c < 4; ++c)
        if (mask >> c & 1) name += "RGBA"[c];
    return name;
}

void gather4(OpenClProgram& program, const char* size, unsigned mask, Verdict& verdict) {
    const auto data = noise(256, 11);
    const std::string name = std::string("gather") + size + "_" + channels(mask);
    const cl_mem in = program.buffer(data),
                 out = program.buffer(std::vector<cl_uint>(kItems * 4, 0xEEEEEEEE));
    const cl_kernel kernel = program.kernel(name.c_str());
    program.arguments(kernel, in, out, kFar);
    program.run(kernel, {kItems}, {64});
    const auto found = program.read<cl_uint>(out, kItems * 4);
    std::vector<cl_uint> expected(kItems * 4, 0xEEEEEEEE);
    for (std::size_t item = 0; item < kItems; ++item) {
        std::size_t position = item * 4;
        for (unsigned c = 0; c < 4; ++c)
            if (mask >> c & 1) expected[position++] = idle(item) ? 7 : data[item * 37 % 251 + c];
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
        verdict.equal(found[i], expected[i], i, name.c_str());
}

void scatter4(OpenClProgram& program, const char* size, unsigned count, Verdict& verdict) {
    const std::string name = std::string("scatter") + size + "_" + channels((1u << count) - 1);
    std::vector<cl_uint> expected(kItems * 4, 0xEEEEEEEE);
    const cl_mem out = program.buffer(expected);
    const cl_kernel kernel = program.kernel(name.c_str());
    program.arguments(kernel, out, kFar);
    program.run(kernel, {kItems}, {64});
    for (cl_uint item = 0; item < kItems; ++item) {
        if (idle(item)) continue;
        const cl_uint values[4] = {item + 1, item * 3 + 2, item * 5 + 3, item * 7 + 4};
        std::copy_n(values, count, &expected[item * 37 % 256 * 4]);
    }
    const auto found = program.read<cl_uint>(out, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        verdict.equal(found[i], expected[i], i, name.c_str());
}

/// `count` elements of `size` bytes for each item, from places `step` elements apart.
void elements(OpenClProgram& program, const char* name, std::size_t size, std::size_t count,
              Verdict& verdict) {
    for (const std::size_t step : {count, count + 1, std::size_t{19}}) {
        const auto words = noise((kItems + 1) * step * size / 4 + 16, 5);
        std::vector<cl_uchar> data(words.size() * 4), expected(data.size(), 0xEE);
        std::memcpy(data.data(), words.data(), data.size());
        const cl_mem in = program.buffer(data), out = program.buffer(expected);
        const cl_kernel kernel = program.kernel(name);
        program.arguments(kernel, in, out, static_cast<cl_uint>(step));
        program.run(kernel, {kItems}, {64});
        for (std::size_t item = 0; item < kItems; ++item)
            if (item % 7 != 3)
                std::copy_n(&data[(item * step + 1) * size], size * count,
                            &expected[(item * step + 3) * size]);
        const auto found = program.read<cl_uchar>(out, expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            verdict.equal(found[i], expected[i], i, name);
    }
}

void blocks(OpenClProgram& program, const char* name, std::size_t dwords, Verdict& verdict) {
    const std::size_t groups = kItems / 8;
    const auto data = noise(groups * dwords + 4, 23);
    const cl_mem in = program.buffer(data),
                 out = program.buffer(std::vector<cl_uint>(groups * dwords));
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, in, out);
    program.run(kernel, {kItems}, {8});
    const auto found = program.read<cl_uint>(out, groups * dwords);
    for (std::size_t i = 0; i < found.size(); ++i)
        verdict.equal(found[i], data[i + 4], i, name);
}

// Atomics ----------------------------------------------------------------------------------------

/// What is left in a cell that held `old`.
template <class T>
using Operation = T (*)(T old, T a, T b);

template <class T>
std::uint64_t bits_of(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

/// One operation of several items on one cell, in an order that is open. Each item leads from the
/// value it got back to the one it left; that all of them are one way from `first` to `last`, each
/// gone once, is a question of degrees and of connection (Euler).
template <class T>
bool is_chain(T first, T last, const std::vector<std::size_t>& items, const std::vector<T>& values,
              const std::vector<T>& before, Operation<T> apply) {
    std::map<std::uint64_t, int> surplus;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;
    for (const std::size_t item : items) {
        const T after = apply(before[item], values[item], values[item + kItems]);
        steps.emplace_back(bits_of(before[item]), bits_of(after));
        ++surplus[steps.back().first];
        --surplus[steps.back().second];
    }
    --surplus[bits_of(first)];
    ++surplus[bits_of(last)];
    for (const auto& [value, degree] : surplus)
        if (degree != 0) return false;
    std::set<std::uint64_t> reached{bits_of(first)};
    for (bool grown = true; grown;) {
        grown = false;
        for (const auto& [from, to] : steps)
            if (reached.count(from)) grown |= reached.insert(to).second;
    }
    return std::all_of(steps.begin(), steps.end(),
                       [&](const auto& step) { return reached.count(step.first) != 0; });
}

/// Values whose outcome tells the operations apart; `few` of them, so that comparisons succeed.
template <class T>
std::vector<T> operands(bool few) {
    Numbers numbers(41);
    std::vector<T> values(2 * kItems);
    for (T& value : values) {
        if constexpr (std::is_floating_point_v<T>) {
            value = few ? static_cast<T>(numbers.below(4)) : (numbers.unit() - 0.5f) * 1e6f;
        } else {
            const std::uint64_t wide = std::uint64_t{numbers.next()} << 32 | numbers.next();
            value = few ? static_cast<T>(wide >> 40 & 3) : static_cast<T>(wide);
        }
    }
    return values;
}

template <class T>
std::vector<std::size_t> items_of(std::size_t cell) {
    std::vector<std::size_t> items;
    for (std::size_t item = cell; item < kItems; item += 5)
        items.push_back(item);
    return items;
}

/// `ordered`: without their results the last value does depend on the order, so it is not compared.
template <class T>
void atomic(OpenClProgram& program, const std::string& name, Operation<T> apply, bool ordered,
            Verdict& verdict) {
    const bool few = name.find("cmp") != std::string::npos;
    const auto values = operands<T>(few);
    const std::vector<T> start(5, few ? T(1) : values[3]);
    const cl_mem given = program.buffer(values);
    {
        const cl_mem cells = program.buffer(start), results = program.buffer(values);
        const cl_kernel kernel = program.kernel((name + "_returns").c_str());
        program.arguments(kernel, cells, given, results);
        program.run(kernel, {kItems}, {64});
        const auto end = program.read<T>(cells, 5), before = program.read<T>(results, kItems);
        for (std::size_t cell = 0; cell < 5; ++cell)
            verdict.equal(
                is_chain<T>(start[cell], end[cell], items_of<T>(cell), values, before, apply), true,
                cell, name.c_str());
    }
    const cl_mem cells = program.buffer(start);
    const cl_kernel kernel = program.kernel((name + "_silent").c_str());
    program.arguments(kernel, cells, given);
    program.run(kernel, {kItems}, {64});
    const auto end = program.read<T>(cells, 5);
    for (std::size_t cell = 0; cell < 5 && !ordered; ++cell) {
        T expected = start[cell];
        for (const std::size_t item : items_of<T>(cell))
            expected = apply(expected, values[item], values[item + kItems]);
        verdict.equal(end[cell], expected, cell, (name + "_silent").c_str());
    }
}

template <class T>
void integer_atomics(OpenClProgram& program, const std::string& bits, Verdict& verdict) {
    using Signed = std::make_signed_t<T>;
    const auto check = [&](const char* name, Operation<T> apply, bool ordered = false) {
        atomic<T>(program, name + bits, apply, ordered, verdict);
    };
    check("add", [](T old, T a, T) { return T(old + a); });
    check("sub", [](T old, T a, T) { return T(old - a); });
    check("inc", [](T old, T, T) { return T(old + 1); });
    check("dec", [](T old, T, T) { return T(old - 1); });
    check("min", [](T old, T a, T) { return std::min(old, a); });
    check("max", [](T old, T a, T) { return std::max(old, a); });
    check("imin", [](T old, T a, T) { return T(std::min(Signed(old), Signed(a))); });
    check("imax", [](T old, T a, T) { return T(std::max(Signed(old), Signed(a))); });
    check("and", [](T old, T a, T) { return T(old & a); });
    check("or", [](T old, T a, T) { return T(old | a); });
    check("xor", [](T old, T a, T) { return T(old ^ a); });
    check(
        "xchg", [](T, T a, T) { return a; }, true);
    check(
        "cmpxchg", [](T old, T a, T b) { return old == a ? b : old; }, true);
}

float fmin_of(float old, float a, float) {
    return std::min(old, a);
}
float fmax_of(float old, float a, float) {
    return std::max(old, a);
}

void near_floats(OpenClProgram& program, const char* name, Operation<float> apply,
                 Verdict& verdict) {
    const auto values = operands<float>(false);
    const std::vector<float> start(8, values[3]);
    const cl_mem cells = program.buffer(start), given = program.buffer(values),
                 results = program.buffer(values);
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, cells, given, results);
    program.run(kernel, {kItems}, {kItems});
    const auto end = program.read<float>(cells, 8), before = program.read<float>(results, kItems);
    for (std::size_t cell = 0; cell < 5; ++cell)
        verdict.equal(
            is_chain<float>(start[cell], end[cell], items_of<float>(cell), values, before, apply),
            true, cell, name);
}

// Images -----------------------------------------------------------------------------------------

constexpr std::size_t kWidth = 5, kHeight = 3, kPitch = 256;  ///< pitch in dwords

struct Image {
    cl_mem buffer, memory;
    Image(OpenClProgram& program, const std::vector<cl_uint>& contents)
        : buffer(program.buffer(contents)) {
        const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_IMAGE2D;
        description.image_width = kWidth;
        description.image_height = kHeight;
        description.image_row_pitch = kPitch * 4;
        description.buffer = buffer;
        cl_int error;
        memory = clCreateImage(program.context(), CL_MEM_READ_WRITE, &format, &description, nullptr,
                               &error);
        OpenClProgram::check(error, "clCreateImage");
    }
    ~Image() { clReleaseMemObject(memory); }
};

void typed(OpenClProgram& program, const std::string& name, Operation<cl_uint> apply,
           Verdict& verdict) {
    const bool few = name == "cmpxchg";
    const auto values = operands<cl_uint>(few);
    const std::vector<cl_uint> start(kPitch * kHeight, few ? 1 : values[3]);
    const Image image(program, start);
    const cl_mem given = program.buffer(values), results = program.buffer(values);
    const cl_kernel kernel = program.kernel(("typed_" + name).c_str());
    program.arguments(kernel, image.memory, given, results);
    program.run(kernel, {kItems}, {64});
    const auto end = program.read<cl_uint>(image.buffer, kPitch * kHeight),
               before = program.read<cl_uint>(results, kItems);
    for (std::size_t cell = 0; cell < kWidth * kHeight; ++cell) {
        std::vector<std::size_t> items;
        for (std::size_t item = 0; item < kItems; ++item)
            if (item % kWidth == cell % kWidth && item % kHeight == cell / kWidth)
                items.push_back(item);
        const std::size_t at = cell / kWidth * kPitch + cell % kWidth;
        verdict.equal(is_chain<cl_uint>(start[at], end[at], items, values, before, apply), true,
                      cell, ("typed " + name).c_str());
    }
    verdict.equal(end[kWidth], start[kWidth], kWidth, "behind the row");
}

void typed_read(OpenClProgram& program, Verdict& verdict) {
    const auto contents = noise(kPitch * kHeight, 3);
    const Image image(program, contents);
    const cl_mem given = program.buffer(contents), out = program.buffer(contents);
    const cl_kernel kernel = program.kernel("typed_read");
    program.arguments(kernel, image.memory, given, out);
    program.run(kernel, {kItems}, {64});
    const auto found = program.read<cl_uint>(out, kItems);
    for (std::size_t item = 0; item < kItems; ++item)
        verdict.equal(found[item], contents[item / kWidth % kHeight * kPitch + item % kWidth], item,
                      "typed read");
}

void typed_atomics(OpenClProgram& program, Verdict& verdict) {
    using T = cl_uint;
    const auto check = [&](const char* name, Operation<T> apply) {
        typed(program, name, apply, verdict);
    };
    check("and", [](T old, T a, T) { return old & a; });
    check("or", [](T old, T a, T) { return old | a; });
    check("xor", [](T old, T a, T) { return old ^ a; });
    check("xchg", [](T, T a, T) { return a; });
    check("add", [](T old, T a, T) { return old + a; });
    check("sub", [](T old, T a, T) { return old - a; });
    check("imax", [](T old, T a, T) { return T(std::max(cl_int(old), cl_int(a))); });
    check("imin", [](T old, T a, T) { return T(std::min(cl_int(old), cl_int(a))); });
    check("max", [](T old, T a, T) { return std::max(old, a); });
    check("min", [](T old, T a, T) { return std::min(old, a); });
    check("cmpxchg", [](T old, T a, T b) { return old == a ? b : old; });
    typed_read(program, verdict);
}

struct Shape {
    const char* name;
    cl_mem_object_type type;
    std::size_t x, y, z;  ///< elements; of arrays y or z are layers
};

/// A wrong address would have one element overwrite another, or a read find nothing.
void shape(OpenClProgram& program, const Shape& s, Verdict& verdict) {
    const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    cl_image_desc description{};
    description.image_type = s.type;
    description.image_width = s.x;
    const bool array =
        s.type == CL_MEM_OBJECT_IMAGE1D_ARRAY || s.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    if (s.type != CL_MEM_OBJECT_IMAGE1D_ARRAY) description.image_height = s.y;
    if (array)
        description.image_array_size = s.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? s.y : s.z;
    else
        description.image_depth = s.z;
    cl_int error;
    const cl_mem image =
        clCreateImage(program.context(), CL_MEM_READ_WRITE, &format, &description, nullptr, &error);
    OpenClProgram::check(error, s.name);
    const cl_kernel write = program.kernel((std::string("write_") + s.name).c_str()),
                    read = program.kernel((std::string("read_") + s.name).c_str());
    program.arguments(write, image);
    program.run(write, {s.x, s.y, s.z}, {8, 1, 1});
    const cl_mem one = program.buffer(std::vector<cl_uint>{1}),
                 wrong = program.buffer(std::vector<cl_uint>(1));
    program.arguments(read, image, one, wrong);
    program.run(read, {s.x, s.y, s.z}, {8, 1, 1});
    verdict.equal(program.read<cl_uint>(wrong, 1)[0], cl_uint{0}, 0, s.name);
    clReleaseMemObject(image);
}

}  // namespace

int main() {
    Verdict verdict;
    OpenClProgram program("messages.cl", "-cl-std=CL2.0");
    for (const char* size : {"8", "16"}) {
        for (unsigned mask = 1; mask < 16; ++mask)
            gather4(program, size, mask, verdict);
        for (unsigned count = 1; count <= 4; ++count)
            scatter4(program, size, count, verdict);
    }
    for (const std::size_t count : {1, 2, 4})
        elements(program, ("bytes_" + std::to_string(count)).c_str(), 1, count, verdict);
    for (const std::size_t count : {1, 2, 4, 8})
        elements(program, ("dwords_" + std::to_string(count)).c_str(), 4, count, verdict);
    for (const std::size_t count : {1, 2, 4})
        elements(program, ("qwords_" + std::to_string(count)).c_str(), 8, count, verdict);
    integer_atomics<cl_uint>(program, "32", verdict);
    integer_atomics<cl_ulong>(program, "64", verdict);
    atomic<float>(program, "fmin", fmin_of, false, verdict);
    atomic<float>(program, "fmax", fmax_of, false, verdict);
    atomic<float>(
        program, "fcmpwr", [](float old, float a, float b) { return old == a ? b : old; }, true,
        verdict);
    blocks(program, "block_2", 8, verdict);
    blocks(program, "block_4", 16, verdict);
    blocks(program, "block_8", 32, verdict);
    near_floats(program, "near_fmin", fmin_of, verdict);
    near_floats(program, "near_fmax", fmax_of, verdict);
    typed_atomics(program, verdict);
    for (const Shape& s : {Shape{"1d", CL_MEM_OBJECT_IMAGE1D, 512, 1, 1},
                           {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 72, 11, 1},
                           {"2d", CL_MEM_OBJECT_IMAGE2D, 200, 37, 1},
                           {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 72, 21, 5},
                           {"3d", CL_MEM_OBJECT_IMAGE3D, 72, 21, 5}})
        shape(program, s, verdict);
    return verdict.finish("messages");
}
