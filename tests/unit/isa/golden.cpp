// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/isa/golden.h"

namespace gen9::isa::test {
namespace {

constexpr std::uint8_t kSpawner = 7, kDataPort0 = 0xA, kDataPort1 = 0xC;

Inst mov8() {
    return Inst(Opcode::Mov).exec(8).dst(grf(10), Type::F).src(grf(11), Type::F);
}
Inst mad8(Type type) {
    return Inst(Opcode::Mad)
        .exec(8)
        .dst(grf(10), type)
        .src(grf(11), type)
        .src(grf(12), type)
        .src(grf(13), type);
}
Inst mov_indirect(const Reg& reg) {
    return Inst(Opcode::Mov).exec(8).dst(grf(10), Type::F).src(reg, Type::F);
}
Inst math2(MathFunction function) {
    return Inst(function).exec(8).dst(grf(10), Type::F).src(grf(11), Type::F).src(grf(12), Type::F);
}

}  // namespace

std::vector<Golden> golden_words() {
    using enum Opcode;
    return {
        {"mov (8|M0) r10.0<1>:f r11.0<8;8,1>:f", {0x00600001, 0x21403AE8, 0x008D0160, 0}, mov8()},
        {"(W) mov (8|M0) r10.0<1>:f r11.0<8;8,1>:f",
         {0x00600001, 0x21403AEC, 0x008D0160, 0},
         mov8().no_mask()},
        {"mov (8|M8) r10.0<1>:f r11.0<8;8,1>:f",
         {0x00601001, 0x21403AE8, 0x008D0160, 0},
         mov8().exec(8, 8)},
        {"mov (8|M16) r10.0<1>:f r11.0<8;8,1>:f",
         {0x00602001, 0x21403AE8, 0x008D0160, 0},
         mov8().exec(8, 16)},
        {"mov (8|M24) r10.0<1>:f r11.0<8;8,1>:f",
         {0x00603001, 0x21403AE8, 0x008D0160, 0},
         mov8().exec(8, 24)},
        {"mov (4|M4) r10.0<1>:df r11.0<4;4,1>:df",
         {0x00400801, 0x214032C8, 0x00690160, 0},
         Inst(Mov).exec(4, 4).dst(grf(10), Type::DF).src(grf(11), Type::DF)},
        {"mov (4|M28) r10.0<1>:df r11.0<4;4,1>:df",
         {0x00403801, 0x214032C8, 0x00690160, 0},
         Inst(Mov).exec(4, 28).dst(grf(10), Type::DF).src(grf(11), Type::DF)},
        {"mov (1|M0) r10.0<1>:df 1.5:df",
         {0x00000001, 0x214056C8, 0x00000000, 0x3FF80000},
         Inst(Mov).dst(grf(10), Type::DF).src(imm(1.5))},
        {"mov (1|M0) r10.0<1>:hf 1.0:hf",
         {0x00000001, 0x21405F48, 0x00000000, 0x3C003C00},
         Inst(Mov).dst(grf(10), Type::HF).src(imm_hf(0x3C00))},
        {"mov (8|M0) r10.0<1>:w 0x76543210:v",
         {0x00600001, 0x21403668, 0x00000000, 0x76543210},
         Inst(Mov).exec(8).dst(grf(10), Type::W).src(imm_v(0x76543210))},
        {"mov (8|M0) r10.0<1>:f r[a0.0,16]<1,0>:f",
         {0x00600001, 0x21403AE8, 0x01E08010, 0},
         mov_indirect(indirect(0, 16).multi(1, 0))},
        {"mov (8|M0) r10.0<1>:f r[a0.3,-16]<4,1>:f",
         {0x00600001, 0x21403AE8, 0x81E987F0, 0},
         mov_indirect(indirect(3, -16).multi(4, 1))},
        {"mov (8|M0) r[a0.5,-512]<1>:f r11.0<8;8,1>:f",
         {0x00600001, 0xAA00BAE8, 0x008D0160, 0},
         Inst(Mov).exec(8).dst(indirect(5, -512), Type::F).src(grf(11), Type::F)},
        {"add (8|M0) r10.0<1>:f r11.0<8;8,1>:f r[a0.2,511]<8;8,1>:f",
         {0x00600040, 0x21403AE8, 0x3A8D0160, 0x008D85FF},
         Inst(Add)
             .exec(8)
             .dst(grf(10), Type::F)
             .src(grf(11), Type::F)
             .src(indirect(2, 511), Type::F)},
        {"(f1.1) add (8|M0) (lt)f1.1 r10.0<1>:f (abs)r11.0<8;8,1>:f -(abs)r12.0<8;8,1>:f {AccWrEn}",
         {0x15610040, 0x21403AEB, 0x3A8D2160, 0x008D6180},
         Inst(Add)
             .exec(8)
             .pred(flag(1, 1))
             .cond(CondMod::L, flag(1, 1))
             .acc_write()
             .dst(grf(10), Type::F)
             .src(grf(11).abs(), Type::F)
             .src(grf(12).abs().neg(), Type::F)},
        {"(~f0.1.any4h) add (8|M0) (sat)r10.0<1>:f r11.0<8;8,1>:f 1.0:f {NoDDChk}",
         {0x80760440, 0x21403AE9, 0x3E8D0160, 0x3F800000},
         Inst(Add)
             .exec(8)
             .pred_not(flag(0, 1), PredCtrl::Any4H)
             .sat()
             .no_dd_check()
             .dst(grf(10), Type::F)
             .src(grf(11), Type::F)
             .src(imm(1.0F))},
        {"math.inv (8|M0) r10.0<1>:f r11.0<8;8,1>:f",
         {0x01600038, 0x21403AE8, 0x008D0160, 0},
         Inst(MathFunction::Inv).exec(8).dst(grf(10), Type::F).src(grf(11), Type::F)},
        {"math.idiv (8|M0) r10.0<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f",
         {0x0B600038, 0x21403AE8, 0x3A8D0160, 0x008D0180},
         math2(MathFunction::IntDivBoth)},
        {"math.pow (8|M0) r10.0<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f",
         {0x0A600038, 0x21403AE8, 0x3A8D0160, 0x008D0180},
         math2(MathFunction::Pow)},
        {"mad (8|M0) r10.0<1>:f r11.0<2;1>:f r12.0<2;1>:f r13.0<1>:f",
         {0x0060015B, 0x0A1E0000, 0x3900B1C8, 0x03472018},
         mad8(Type::F)},
        {"mad (8|M0) r10.0<1>:hf r11.0<2;1>:hf r12.0<2;1>:hf r13.0<1>:hf",
         {0x0060015B, 0x0A1F2018, 0x3900B1C8, 0x03472018},
         mad8(Type::HF)},
        {"mad (4|M0) r10.0<1>:df r11.0<2;1>:df r12.0<2;1>:df r13.0<1>:df",
         {0x0040015B, 0x0A1ED800, 0x3900B1C8, 0x03472018},
         mad8(Type::DF).exec(4)},
        {"bfe (8|M0) r10.0<1>:ud r11.0<2;1>:ud r12.0<2;1>:ud r13.0<1>:ud",
         {0x00600118, 0x0A1E9000, 0x3900B1C8, 0x03472018},
         Inst(Bfe)
             .exec(8)
             .dst(grf(10), Type::UD)
             .src(grf(11), Type::UD)
             .src(grf(12), Type::UD)
             .src(grf(13), Type::UD)},
        // A scalar three-source instruction is four channels wide with one of them enabled.
        {"mad (1|M0) r10.3<1>:f r11.1<0;0>:f r12.2<0;0>:f r13.7<0>:f",
         {0x0040015B, 0x0A100000, 0xB920B3C9, 0x037F2418},
         Inst(Mad)
             .exec(4)
             .dst(grf(10).enable("w"), Type::F)
             .src(grf(11, 1).scalar(), Type::F)
             .src(grf(12, 2).scalar(), Type::F)
             .src(grf(13, 7).scalar(), Type::F)},
        {"(f0.0) if (8|M0) L16 L32",
         {0x00610022, 0x20000E00, 0x00000020, 0x00000010},
         Inst(If).exec(8).pred(flag(0, 0)).jip(16).uip(32)},
        {"goto.b (8|M0) L16 L32",
         {0x1060002E, 0x20000E00, 0x00000020, 0x00000010},
         Inst(Goto).exec(8).branch_ctrl().jip(16).uip(32)},
        {"(W) jmpi L16", {0x00000020, 0x34000004, 0x0E001400, 0}, Inst(Jmpi).jip(0)},
        {"(W) jmpi L32", {0x00000020, 0x34000004, 0x0E001400, 0x10}, Inst(Jmpi).jip(16)},
        {"(W) jmpi r10.0",
         {0x00000020, 0x34000004, 0x0A001400, 0x140},
         Inst(Jmpi).jip_register(grf(10))},
        {"call (8|M0) r10.0 L16",
         {0x0060002C, 0x21400028, 0x0E450000, 0x10},
         Inst(Call).exec(8).dst(grf(10), Type::D).jip(16)},
        {"ret (8|M0) r10.0",
         {0x0060002D, 0x20000A00, 0x00450140, 0},
         Inst(Ret).exec(8).src(grf(10).region(2, 2, 1), Type::D)},
        {"brd (8|M0) L32", {0x00600021, 0x34000E20, 0, 0x20}, Inst(Brd).exec(8).jip(32)},
        {"(f0.0) brd (8|M0) r10.0",
         {0x00610021, 0x34000A20, 0x00000140, 0},
         Inst(Brd).exec(8).pred(flag(0, 0)).jip_register(grf(10).scalar())},
        {"brc (8|M0) L32 L64",
         {0x00600023, 0x34000E20, 0x40, 0x20},
         Inst(Brc).exec(8).jip(32).uip(64)},
        {"brc (8|M0) r10.0",
         {0x00600023, 0x34000A20, 0x00450140, 0},
         Inst(Brc).exec(8).jip_register(grf(10).region(2, 2, 1))},
        {"endif (8|M0) L16",
         {0x00600025, 0x20000000, 0x0E000000, 0x10},
         Inst(Endif).exec(8).jip(16)},
        {"wait n0.0<0;1,0>:ud",
         {0x00000030, 0x32000000, 0x00001200, 0},
         Inst(Wait).src(arf(Arf::Notification), Type::UD)},
        {"send (8|M0) r20:w r10 0xA 0x02106E04",
         {0x0A600031, 0x22800268, 0x06000140, 0x02106E04},
         Inst(Send)
             .exec(8)
             .dst(grf(20), Type::W)
             .src(grf(10), Type::UD)
             .message(kDataPort0, 0x02106E04)},
        {"send (8|M0) r20:w r10 0xA a0.0",
         {0x0A600031, 0x22800268, 0x00000140, 0x00000200},
         Inst(Send).exec(8).dst(grf(20), Type::W).src(grf(10), Type::UD).message_a0(kDataPort0)},
        {"sends (16|M0) null:w r4 r116 0x8C 0x04025EFE",
         {0x0C800033, 0x00074070, 0x00000082, 0x04025EFE},
         Inst(Sends)
             .exec(16)
             .dst(null(), Type::W)
             .src(grf(4), Type::UD)
             .src(grf(116), Type::UD)
             .src1_length(2)
             .message(kDataPort1, 0x04025EFE)},
        {"sends (8|M0) r10:ud r11 r12 a0.2 a0.0",
         {0x00600033, 0x2140C018, 0x00022160, 0},
         Inst(Sends)
             .exec(8)
             .dst(grf(10), Type::UD)
             .src(grf(11), Type::UD)
             .src(grf(12), Type::UD)
             .message_a0(0)
             .extended_a0(2)},
        {"sends (8|M0) r[a0.2,32]:ud r[a0.4,-64] r12 0x4A 0x02106E04",
         {0x0A600033, 0x8420C018, 0x0000C9C1, 0x02106E04},
         Inst(Sends)
             .exec(8)
             .dst(indirect(2, 32), Type::UD)
             .src(indirect(4, -64), Type::UD)
             .src(grf(12), Type::UD)
             .src1_length(1)
             .message(kDataPort0, 0x02106E04)},
        {"send (8|M0) null:w r112 0x27 0x02000010 {EOT}",
         {0x07600031, 0x20000260, 0x06000E00, 0x82000010},
         Inst(Send)
             .exec(8)
             .dst(null(), Type::W)
             .src(grf(112), Type::UD)
             .message(kSpawner, 0x02000010)
             .eot()},
        {"illegal", {0, 0, 0, 0}, Inst(Illegal)},
        {"nop", {0x7E, 0, 0, 0}, Inst(Nop)},
    };
}

}  // namespace gen9::isa::test
