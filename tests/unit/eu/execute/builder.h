// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

#include "common/bits.h"
#include "common/register_bytes.h"
#include "eu/execute/executor.h"
#include "eu/thread/float_control.h"

namespace gen9::eu::test {

using isa::CondMod;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::PredCtrl;
using isa::RegFile;
using isa::Type;

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                       kInf = std::numeric_limits<float>::infinity(),
                       kMax = std::numeric_limits<float>::max();

/// r<reg>.<element><vert;width,horz>:type
inline Operand region(unsigned reg, unsigned element, unsigned vert, unsigned width, unsigned horz,
                      Type type) {
    Operand o;
    o.file = RegFile::Grf;
    o.type = type;
    o.reg = static_cast<std::uint8_t>(reg);
    o.subreg = static_cast<std::uint8_t>(element * isa::size_bytes(type));
    o.vert_stride = static_cast<std::uint8_t>(vert);
    o.width = static_cast<std::uint8_t>(width);
    o.horz_stride = static_cast<std::uint8_t>(horz);
    return o;
}
inline Operand grf(unsigned reg, Type type) {
    return region(reg, 0, 8, 8, 1, type);
}
inline Operand scalar(unsigned reg, unsigned element, Type type) {
    return region(reg, element, 0, 1, 0, type);
}
inline Operand dst(unsigned reg, Type type, unsigned element = 0, unsigned stride = 1) {
    Operand o = region(reg, element, 0, 1, stride, type);
    return o;
}
inline Operand imm(std::uint64_t bits, Type type) {
    Operand o;
    o.file = RegFile::Imm;
    o.type = type;
    o.immediate = bits;
    return o;
}
inline Operand immf(float value) {
    return imm(std::bit_cast<std::uint32_t>(value), Type::F);
}
inline Operand arf(isa::Arf kind, unsigned number, Type type, unsigned subreg = 0) {
    Operand o;
    o.file = RegFile::Arf;
    o.type = type;
    o.reg = static_cast<std::uint8_t>(static_cast<unsigned>(kind) << 4 | number);
    o.subreg = static_cast<std::uint8_t>(subreg);
    o.vert_stride = o.width = 8;
    o.horz_stride = 1;
    return o;
}
inline Operand null(Type type) {
    return arf(isa::Arf::Null, 0, type);
}
inline Operand neg(Operand o) {
    o.negate = true;
    return o;
}
inline Operand abs(Operand o) {
    o.absolute = true;
    return o;
}

inline Instruction make(Opcode opcode, unsigned exec_size, Operand destination,
                        std::initializer_list<Operand> sources) {
    Instruction in;
    in.opcode = opcode;
    in.exec_size = static_cast<std::uint8_t>(exec_size);
    in.dst = destination;
    for (const Operand& source : sources)
        in.src[in.source_count++] = source;
    if (in.source_count == 3) in.align16 = true;
    return in;
}

/// A thread with all of `channels` active, denormals kept, as OpenCL kernels run.
inline std::unique_ptr<Thread> make_thread(std::uint32_t channels = 0xFFFF) {
    auto thread = std::make_unique<Thread>();
    thread->dispatch_mask = thread->active = channels;
    thread->control[0] = cr0::kFloatDenormals | cr0::kDoubleDenormals | cr0::kHalfDenormals;
    return thread;
}

template <class T>
T get(const Thread& thread, unsigned reg, unsigned element) {
    return load<T>(bytes_from(thread.grf[0]) + reg * kGrfBytes + element * sizeof(T));
}
template <class T>
void set(Thread& thread, unsigned reg, unsigned element, T value) {
    store(bytes_from(thread.grf[0]) + reg * kGrfBytes + element * sizeof(T), value);
}
template <class T>
void fill(Thread& thread, unsigned reg, std::initializer_list<T> values) {
    unsigned i = 0;
    for (T v : values)
        set<T>(thread, reg, i++, v);
}

/// Runs one instruction at the thread's pointer, once by the specialised function and, on a copy,
/// once by the general path; both must give the same thread.
Outcome run(Thread& thread, const Instruction& in);
/// Do the architectural states agree? NaN of any kind count as equal in destinations of `type`.
bool same_state(const Thread& a, const Thread& b);

}  // namespace gen9::eu::test
