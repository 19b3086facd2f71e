// SPDX-License-Identifier: Apache-2.0
// EU instructions per second by family: `executor_bench`. A loop runs sixteen independent copies
// of one instruction as functional mode does: as a region where they have specialised functions, one
// by one where they have not. `alone` in a name: one by one, as in timed mode.
// Host instructions for each: `valgrind --tool=callgrind --toggle-collect='*run_once*'` over
// 16 x the benchmark's iterations.
#include <benchmark/benchmark.h>

#include <vector>

#include "eu/execute/executor.h"
#include "eu/execute/stepped_region.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

using Maker = Instruction (*)(unsigned);

struct Code {
    std::vector<DecodedInstruction> program;
    SteppedRegion region;
    bool in_one = false;
};

struct NoMessages : Messages {
    bool send(Thread&, const DecodedInstruction&, unsigned, Cycles) override { return false; }
    Direct direct(unsigned) override { return {}; }
};

[[gnu::noinline]] void run_once(Thread& thread, const Code& code) {
    NoMessages messages;
    if (code.in_one && code.region.runs_now(thread)) {
        code.region.run(thread, messages, Cycles(), code.region.size());
        return;
    }
    for (const DecodedInstruction& d : code.program)
        benchmark::DoNotOptimize(execute(thread, d));
}

void run_family(benchmark::State& state, Maker maker, std::uint32_t channels = 0xFFFF,
                bool alone = false) {
    auto thread = make_thread(channels);
    for (unsigned reg = 0; reg < kGrfCount; ++reg)
        for (unsigned i = 0; i < 8; ++i)
            set<float>(*thread, reg, i, 1.0f + static_cast<float>(reg + i) / 64);
    Code code;
    for (unsigned i = 0; i < 16; ++i)
        code.program.push_back(prepare(maker(i), 16 * i));
    code.in_one = !alone;
    for (const DecodedInstruction& d : code.program)
        code.in_one = code.in_one && code.region.add(d);
    std::uint64_t instructions = 0;
    for (auto _ : state) {
        thread->ip = 0;
        run_once(*thread, code);
        instructions += code.program.size();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

unsigned reg(unsigned i) {
    return 10 + 6 * i;
}

Instruction mov16(unsigned i) {
    return make(Opcode::Mov, 16, dst(reg(i), Type::F), {grf(reg(i) + 2, Type::F)});
}
Instruction mov16_immediate(unsigned i) {
    return make(Opcode::Mov, 16, dst(reg(i), Type::D), {imm(i, Type::D)});
}
Instruction mov8_strided(unsigned i) {
    return make(Opcode::Mov, 8, dst(reg(i), Type::D, 0, 2), {grf(reg(i) + 2, Type::D)});
}
Instruction mov8_low_dword(unsigned i) {
    return make(Opcode::Mov, 8, dst(reg(i), Type::D), {region(reg(i) + 2, 0, 2, 1, 0, Type::D)});
}
Instruction mov1(unsigned i) {
    return make(Opcode::Mov, 1, dst(reg(i), Type::UD), {scalar(reg(i) + 2, 0, Type::UD)});
}
Instruction add16(unsigned i) {
    return make(Opcode::Add, 16, dst(reg(i), Type::D),
                {grf(reg(i) + 2, Type::D), scalar(7, 1, Type::D)});
}
Instruction add16_word(unsigned i) {
    return make(Opcode::Add, 16, dst(reg(i), Type::D),
                {scalar(7, 1, Type::D), region(reg(i) + 2, 0, 16, 16, 1, Type::UW)});
}
Instruction add1(unsigned i) {
    return make(Opcode::Add, 1, dst(reg(i), Type::D),
                {scalar(reg(i) + 2, 3, Type::D), scalar(7, 1, Type::D)});
}
Instruction mul16(unsigned i) {
    return make(Opcode::Mul, 16, dst(reg(i), Type::D),
                {grf(reg(i) + 2, Type::D), grf(reg(i) + 4, Type::D)});
}
Instruction shl16(unsigned i) {
    return make(Opcode::Shl, 16, dst(reg(i), Type::D),
                {grf(reg(i) + 2, Type::D), imm(0x00020002, Type::W)});
}
Instruction add8_qword(unsigned i) {
    return make(Opcode::Add, 8, dst(reg(i), Type::Q),
                {region(reg(i) + 2, 0, 4, 4, 1, Type::Q), region(reg(i) + 4, 0, 4, 4, 1, Type::Q)});
}
Instruction fadd16(unsigned i) {
    return make(Opcode::Add, 16, dst(reg(i), Type::F),
                {grf(reg(i) + 2, Type::F), grf(reg(i) + 4, Type::F)});
}
Instruction fmul8(unsigned i) {
    return make(Opcode::Mul, 8, dst(reg(i), Type::F), {grf(reg(i) + 2, Type::F), immf(1.5f)});
}
Instruction mad16(unsigned i) {
    return make(Opcode::Mad, 16, dst(reg(i), Type::F),
                {grf(reg(i), Type::F), grf(reg(i) + 2, Type::F), grf(reg(i) + 4, Type::F)});
}
Instruction mad8_double(unsigned i) {
    return make(Opcode::Mad, 4, dst(reg(i), Type::DF),
                {grf(reg(i), Type::DF), grf(reg(i) + 2, Type::DF), grf(reg(i) + 4, Type::DF)});
}
Instruction cmp16(unsigned i) {
    Instruction in =
        make(Opcode::Cmp, 16, null(Type::D), {grf(reg(i), Type::D), grf(reg(i) + 2, Type::D)});
    in.cond_mod = CondMod::L;
    return in;
}
Instruction cmp16_scalars(unsigned i) {
    Instruction in =
        make(Opcode::Cmp, 16, null(Type::D), {scalar(reg(i), 1, Type::D), scalar(7, 6, Type::D)});
    in.cond_mod = CondMod::L;
    return in;
}
Instruction mad16_negated(unsigned i) {
    Instruction in = mad16(i);
    in.src[1].negate = true;
    return in;
}
Instruction sel16(unsigned i) {
    Instruction in = make(Opcode::Sel, 16, dst(reg(i), Type::F),
                          {grf(reg(i) + 2, Type::F), grf(reg(i) + 4, Type::F)});
    in.pred_ctrl = PredCtrl::Sequential;
    return in;
}
Instruction and16_flag(unsigned i) {
    Instruction in =
        make(Opcode::And, 16, null(Type::UD), {grf(reg(i) + 2, Type::UD), imm(1, Type::UD)});
    in.cond_mod = CondMod::NZ;
    return in;
}
Instruction to_float16(unsigned i) {
    return make(Opcode::Mov, 16, dst(reg(i), Type::F), {grf(reg(i) + 2, Type::D)});
}
Instruction from_float16(unsigned i) {
    return make(Opcode::Mov, 16, dst(reg(i), Type::D), {grf(reg(i) + 2, Type::F)});
}
Instruction inv16(unsigned i) {
    Instruction in = make(Opcode::Math, 16, dst(reg(i), Type::F), {grf(reg(i) + 2, Type::F)});
    in.math = isa::MathFunction::Inv;
    return in;
}
Instruction exp16(unsigned i) {
    Instruction in = inv16(i);
    in.math = isa::MathFunction::Exp;
    return in;
}
Instruction divide8(unsigned i) {
    Instruction in = make(Opcode::Math, 8, dst(reg(i), Type::D),
                          {grf(reg(i) + 2, Type::D), grf(reg(i) + 4, Type::D)});
    in.math = isa::MathFunction::IntQuotient;
    return in;
}
Instruction mach8(unsigned i) {
    Instruction in = make(Opcode::Mach, 8, dst(reg(i), Type::UD),
                          {grf(reg(i) + 2, Type::UD), grf(reg(i) + 4, Type::UD)});
    in.acc_write = true;
    return in;
}
Instruction madm8(unsigned i) {
    Instruction in =
        make(Opcode::Madm, 8, dst(reg(i), Type::F),
             {grf(reg(i), Type::F), grf(reg(i) + 2, Type::F), grf(reg(i) + 4, Type::F)});
    in.dst.special_acc = 1;
    return in;
}
Instruction if16(unsigned) {
    Instruction in = make(Opcode::If, 16, null(Type::UD), {});
    in.jip = in.uip = 16;
    return in;
}
Instruction send8(unsigned i) {
    Instruction in = make(Opcode::Send, 8, dst(reg(i), Type::UW), {grf(reg(i) + 2, Type::UD)});
    in.sfid = 12;
    in.descriptor = 0x02106E04;
    return in;
}

#define FAMILY(name)                             \
    void bench_##name(benchmark::State& state) { \
        run_family(state, name);                 \
    }                                            \
    BENCHMARK(bench_##name)

FAMILY(mov16);
FAMILY(mov16_immediate);
FAMILY(mov8_strided);
FAMILY(mov8_low_dword);
FAMILY(mov1);
FAMILY(add16);
FAMILY(add16_word);
FAMILY(add1);
FAMILY(mul16);
FAMILY(shl16);
FAMILY(add8_qword);
FAMILY(fadd16);
FAMILY(fmul8);
FAMILY(mad16);
FAMILY(mad8_double);
FAMILY(cmp16);
FAMILY(cmp16_scalars);
FAMILY(mad16_negated);
FAMILY(sel16);
FAMILY(and16_flag);
FAMILY(to_float16);
FAMILY(from_float16);
FAMILY(inv16);
FAMILY(exp16);
FAMILY(divide8);
FAMILY(mach8);
FAMILY(madm8);
FAMILY(if16);
FAMILY(send8);

void bench_mad16_half_of_the_channels(benchmark::State& state) {
    run_family(state, mad16, 0x5A5A);
}
BENCHMARK(bench_mad16_half_of_the_channels);

void bench_mad16_alone(benchmark::State& state) {
    run_family(state, mad16, 0xFFFF, true);
}
BENCHMARK(bench_mad16_alone);

}  // namespace
}  // namespace gen9::eu::test

BENCHMARK_MAIN();
