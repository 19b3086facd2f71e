// SPDX-License-Identifier: Apache-2.0
// Programs limited by the EUs' pipes.
#include <algorithm>

#include "validation.h"

/// Atoms, points a side: W-1. The amount is points times atoms.
void coulomb(const Sizes& sizes) {
    Measured program("coulomb.cl");
    const std::size_t atoms = sizes[0], side = sizes[1];
    Numbers numbers(1);
    std::vector<cl_float4> atom(atoms);
    for (cl_float4& one : atom)
        one = {{numbers.unit() * 40, numbers.unit() * 40, numbers.unit() + 0.1f, numbers.unit()}};
    const cl_mem in = program.buffer(atom), out = program.floats(side * side, 0.0f);
    for (const cl_int count : {cl_int{1}, static_cast<cl_int>(atoms)})
        program.launch("coulomb", {side / 8, side}, {8, 8}, count, 0.1f, in, out);
    program.report("coulomb", static_cast<double>(atoms * side * side));
}

/// Work-items, bodies each meets: W-2. Amounts are pairs, and bodies of the single work-item.
void bodies(const Sizes& sizes) {
    Measured program("bodies.cl");
    struct Body {
        float values[10];
    };
    Numbers numbers(2);
    std::vector<Body> body(std::max(sizes[0], sizes[1]));
    for (Body& one : body)
        for (float& value : one.values)
            value = numbers.unit();
    const cl_mem all = program.buffer(body);
    for (const cl_int count : {cl_int{1}, static_cast<cl_int>(sizes[1])})
        program.launch("attract", {sizes[0]}, {}, all, count);
    program.report("attract", static_cast<double>(sizes[0] * sizes[1]));
    const cl_mem energy = program.floats(sizes[0]);
    for (const cl_int count : {cl_int{1}, static_cast<cl_int>(sizes[0])})
        program.launch("total", {1}, {1}, energy, count);
    program.report("total", static_cast<double>(sizes[0]));
}

/// Work-items (a multiple of 256), keys of each: W-3. The amount is keys.
void md5(const Sizes& sizes) {
    Measured program("md5.cl");
    const cl_mem found = program.buffer(std::vector<cl_uint>{0});
    const cl_uint values = 70;
    const cl_uint4 never = {{0, 0, 0, 0}};
    for (const std::size_t keys : {std::size_t{1}, sizes[1]})
        program.launch("search", {sizes[0]}, {256}, values, static_cast<cl_uint>(keys), never,
                       found);
    program.report("md5", static_cast<double>(sizes[0] * sizes[1]));
    // The digest of the bytes 3, 5, 2, 0, 0, by another program: key 3 of work-item 5 + 2 * 70.
    const cl_uint4 digest = {{0x116e6471u, 0x87034dd8u, 0x45b8dda3u, 0xffbb59a6u}};
    program.launch("search", {256}, {256}, values, 4u, digest, found);
    if (program.program.read<cl_uint>(found, 1)[0] != (5 + 2 * 70) * 70 + 3 + 1)
        OpenClProgram::fail("md5: the key was not found");
}

/// Nonces: W-7, which is also their amount.
void blake2b(const Sizes& sizes) {
    Measured program("blake2b.cl");
    const cl_mem found = program.buffer(std::vector<cl_ulong>{0});
    const cl_ulong4 root = {{1, 2, 3, 4}};
    const cl_ulong never = ~cl_ulong{0};
    for (const std::size_t nonces : {std::size_t{256}, sizes[0]})
        program.launch("work", {nonces}, {}, cl_ulong{0}, root, never, found);
    program.report("blake2b", static_cast<double>(sizes[0]));
    // Of the first 256 nonces, 123 has the largest result, by another program.
    program.launch("work", {256}, {}, cl_ulong{0}, root, cl_ulong{0xff09a76399e9a127u}, found);
    if (program.program.read<cl_ulong>(found, 1)[0] != 123)
        OpenClProgram::fail("blake2b: the nonce was not found");
}

/// Work-items: W-8, of the shorter chains more. Amounts are operations.
void arithmetic(const Sizes& sizes) {
    Measured program("arithmetic.cl", "-cl-mad-enable");
    struct Type {
        const char* name;
        unsigned turns, lanes;
        std::size_t times;
    };
    constexpr std::size_t kWave = 2688;  // a SIMD16 thread in every slot: each has the code then
    const cl_mem out = program.room(8 * 4 * std::max(sizes[0], kWave));
    for (const Type type :
         {Type{"fp64", 128, 1, 1}, Type{"fp32", 512, 1, 1}, Type{"fp16", 512, 2, 1},
          Type{"int64", 8, 1, 8}, Type{"int32", 512, 1, 1}, Type{"int16", 128, 2, 4},
          Type{"int8", 64, 4, 1}}) {
        const std::size_t all = sizes[0] * type.times;
        for (const std::size_t items : {kWave, all})
            program.launch((std::string("chain_") + type.name).c_str(), {items}, {64}, out);
        program.report(type.name, 2.0 * 2 * type.turns * type.lanes * static_cast<double>(all));
    }
}
