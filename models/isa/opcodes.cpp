// SPDX-License-Identifier: Apache-2.0
#include "isa/opcodes.h"

#include <array>

#include "common/check.h"

namespace gen9::isa {
namespace {

using enum Type;
constexpr TypeSet kBytes = set_of({UB, B});
constexpr TypeSet kWords = set_of({UW, W, UV, V});
constexpr TypeSet kDwords = set_of({UD, D});
constexpr TypeSet kQwords = set_of({UQ, Q});
constexpr TypeSet kNoBytes = kWords | kDwords;
constexpr TypeSet kInts = kBytes | kNoBytes;
constexpr TypeSet kUnsigned = set_of({UB, UW, UD, UV});
constexpr TypeSet kF = set_of({F, VF});
constexpr TypeSet kHf = set_of({HF});
constexpr TypeSet kDf = set_of({DF});
constexpr TypeSet kMix = kF | kHf;

// Guide 3.4.
constexpr TypePair kMovTypes[] = {{kInts | kF | kHf, kInts | kF | kHf},
                                  {kDf | kQwords, kNoBytes | kF},
                                  {kNoBytes | kF, kDf | kQwords},
                                  {kDf | kQwords, kDf | kQwords}};
constexpr TypePair kMoviTypes[] = {{kInts | kF, kInts | kF}};
// These are types of src0; src1 holds the channel numbers, as UD.
constexpr TypePair kSmovTypes[] = {{set_of({UD}), set_of({UD})},
                                   {set_of({D}), set_of({D})},
                                   {set_of({UW}), set_of({UW})},
                                   {set_of({W}), set_of({W})},
                                   {kF, kF},
                                   {kHf, kHf},
                                   {set_of({UQ}), set_of({UQ})},
                                   {set_of({Q}), set_of({Q})},
                                   {kDf, kDf}};
constexpr TypePair kAddTypes[] = {
    {kInts | kF, kInts}, {kInts | kMix, kMix},          {kDf, kDf},
    {kHf, kInts},        {kQwords, kNoBytes | kQwords}, {kNoBytes, kQwords}};
constexpr TypePair kMulTypes[] = {{kBytes | kWords | kDwords, kBytes},
                                  {kWords | kDwords, kWords},
                                  {kDwords | kQwords, kDwords | kWords},
                                  {kQwords, kQwords},
                                  {kF, kInts},
                                  {kMix, kMix},
                                  {kDf, kDf}};
constexpr TypePair kMacTypes[] = {{kInts, kBytes | kWords}, {kMix, kMix}, {kDf, kDf}};
constexpr TypePair kMachTypes[] = {{kDwords, kDwords}};
constexpr TypePair kCmpTypes[] = {{kInts | kQwords, kInts | kQwords},
                                  {kMix, kInts},
                                  {kInts | kMix, kMix},
                                  {kDf | kQwords | kNoBytes, kDf}};
constexpr TypePair kSelTypes[] = {
    {kInts, kInts}, {kMix, kMix}, {kDf, kDf}, {kQwords, kNoBytes | kQwords}, {kNoBytes, kQwords}};
constexpr TypePair kLogicTypes[] = {
    {kInts, kInts}, {kQwords, kNoBytes | kQwords}, {kNoBytes, kQwords}};
constexpr TypePair kShrTypes[] = {{kInts, kUnsigned}, {kQwords | kNoBytes, set_of({UW, UD, UQ})}};
constexpr TypePair kMadTypes[] = {{kMix, kMix}, {kDf, kDf}};
constexpr TypePair kMadmTypes[] = {{kF, kF}, {kDf, kDf}};
constexpr TypePair kFloatTypes[] = {{kF, kF}};
constexpr TypePair kFieldTypes[] = {{set_of({UD}), set_of({UD})}, {set_of({D}), set_of({D})}};
constexpr TypePair kDwordTypes[] = {{kDwords, kDwords}};
constexpr TypePair kUdTypes[] = {{set_of({UD}), set_of({UD})}};
constexpr TypePair kLeadingTypes[] = {{kDwords, kDwords}};
constexpr TypePair kCountTypes[] = {{set_of({UD}), set_of({UB, UW, UD})}};
constexpr TypePair kIntTypes[] = {{kInts, kInts}};
constexpr TypePair kSadTypes[] = {{kWords, kBytes}};
constexpr TypePair kMathTypes[] = {{kMix, kMix}, {kDwords, kDwords}, {kDf, kDf}};

constexpr std::uint16_t kP = kPredicate, kC = kCondModifier, kS = kSaturate, kM = kSourceModifier;
constexpr std::uint16_t kPCSM = kP | kC | kS | kM;
constexpr std::uint16_t kA = kAccWrite, kZ = kCompactable, kB = kBranch;

using enum Format;
using P = PipeHint;
using L = LatencyHint;
using O = Opcode;

// Rows in the order of Opcode.
constexpr std::array<OpcodeInfo, static_cast<std::size_t>(Opcode::Count)> kTable{{
    {O::Illegal, 0x00, "illegal", NoOperands, 0, 0, P::None, L::Control, {}, "EU-251"},
    {O::Mov, 0x01, "mov", OneSource, 1, kPCSM | kA | kZ, P::Fpu, L::Simple, kMovTypes, "EU-216"},
    {O::Sel, 0x02, "sel", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Simple, kSelTypes, "EU-217"},
    {O::Movi, 0x03, "movi", OneSource, 1, kP | kS | kM | kZ, P::Fpu, L::Simple, kMoviTypes,
     "EU-218"},
    {O::Not, 0x04, "not", OneSource, 1, kP | kC | kLogicModifier | kA | kZ, P::Fpu, L::Simple,
     kLogicTypes, "EU-219"},
    {O::And, 0x05, "and", TwoSource, 2, kP | kC | kLogicModifier | kA | kZ, P::Fpu, L::Simple,
     kLogicTypes, "EU-219"},
    {O::Or, 0x06, "or", TwoSource, 2, kP | kC | kLogicModifier | kA | kZ, P::Fpu, L::Simple,
     kLogicTypes, "EU-219"},
    {O::Xor, 0x07, "xor", TwoSource, 2, kP | kC | kLogicModifier | kA | kZ, P::Fpu, L::Simple,
     kLogicTypes, "EU-219"},
    {O::Shr, 0x08, "shr", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Simple, kShrTypes, "EU-220"},
    {O::Shl, 0x09, "shl", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Simple, kLogicTypes, "EU-221"},
    {O::Smov, 0x0A, "smov", TwoSource, 2, kP | kZ, P::Fpu, L::Simple, kSmovTypes, "EU-223"},
    {O::Asr, 0x0C, "asr", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Simple, kLogicTypes, "EU-222"},
    {O::Cmp, 0x10, "cmp", TwoSource, 2, kP | kC | kM | kA | kZ, P::Fpu, L::Simple, kCmpTypes,
     "EU-224"},
    {O::Cmpn, 0x11, "cmpn", TwoSource, 2, kP | kC | kM | kA | kZ, P::Fpu, L::Simple, kCmpTypes,
     "EU-225"},
    {O::Csel, 0x12, "csel", ThreeSource, 3, kC | kS | kM | kA | kZ, P::Fpu, L::Simple, kFloatTypes,
     "EU-226"},
    {O::Bfrev, 0x17, "bfrev", OneSource, 1, kP | kZ, P::Fpu, L::Simple, kDwordTypes, "EU-227"},
    {O::Bfe, 0x18, "bfe", ThreeSource, 3, kP | kZ, P::Fpu, L::Simple, kFieldTypes, "EU-228"},
    {O::Bfi1, 0x19, "bfi1", TwoSource, 2, kP | kZ, P::Fpu, L::Simple, kFieldTypes, "EU-229"},
    {O::Bfi2, 0x1A, "bfi2", ThreeSource, 3, kP | kZ, P::Fpu, L::Simple, kFieldTypes, "EU-230"},
    {O::Jmpi, 0x20, "jmpi", Jmpi, 1, kP | kB | kZ, P::Branch, L::Branch, {}, "EU-271"},
    {O::Brd, 0x21, "brd", BranchRegister1, 1, kP | kB, P::Branch, L::Branch, {}, "EU-281"},
    {O::If, 0x22, "if", Branch2, 0, kP | kB | kBranchCtrl, P::Branch, L::Branch, {}, "EU-272"},
    {O::Brc, 0x23, "brc", BranchRegister2, 1, kP | kB, P::Branch, L::Branch, {}, "EU-281"},
    {O::Else, 0x24, "else", Branch2, 0, kB | kBranchCtrl, P::Branch, L::Branch, {}, "EU-273"},
    {O::Endif, 0x25, "endif", Branch1, 0, kB, P::Branch, L::Branch, {}, "EU-274"},
    {O::While, 0x27, "while", Branch1, 0, kP | kB, P::Branch, L::Branch, {}, "EU-275"},
    {O::Break, 0x28, "break", Branch2, 0, kP | kB, P::Branch, L::Branch, {}, "EU-276"},
    {O::Cont, 0x29, "cont", Branch2, 0, kP | kB, P::Branch, L::Branch, {}, "EU-277"},
    {O::Halt, 0x2A, "halt", Branch2, 0, kP | kB, P::Branch, L::Branch, {}, "EU-278"},
    {O::Calla, 0x2B, "calla", Call, 1, kP | kB, P::Branch, L::Branch, {}, "EU-282"},
    {O::Call, 0x2C, "call", Call, 1, kP | kB, P::Branch, L::Branch, {}, "EU-282"},
    {O::Ret, 0x2D, "ret", Ret, 1, kP | kB | kZ, P::Branch, L::Branch, {}, "EU-283"},
    {O::Goto, 0x2E, "goto", Branch2, 0, kP | kB | kBranchCtrl, P::Branch, L::Branch, {}, "EU-279"},
    {O::Join, 0x2F, "join", Branch1, 0, kP | kB, P::Branch, L::Branch, {}, "EU-280"},
    {O::Wait, 0x30, "wait", Wait, 1, kZ, P::None, L::Control, kUdTypes, "EU-206"},
    {O::Send, 0x31, "send", Send, 1, kP, P::Send, L::Send, {}, "EU-182"},
    {O::Sendc, 0x32, "sendc", Send, 1, kP, P::Send, L::Send, {}, "EU-182"},
    {O::Sends, 0x33, "sends", Sends, 2, kP, P::Send, L::Send, {}, "EU-183"},
    {O::Sendsc, 0x34, "sendsc", Sends, 2, kP, P::Send, L::Send, {}, "EU-183"},
    {O::Math, 0x38, "math", Math, 2, kP | kS | kM | kZ, P::Em, L::Math, kMathTypes, "EU-252"},
    {O::Add, 0x40, "add", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Simple, kAddTypes, "EU-231"},
    {O::Mul, 0x41, "mul", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Multiply, kMulTypes, "EU-232"},
    {O::Avg, 0x42, "avg", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Simple, kIntTypes, "EU-233"},
    {O::Frc, 0x43, "frc", OneSource, 1, kP | kC | kM | kA | kZ, P::Fpu, L::Simple, kFloatTypes,
     "EU-234"},
    {O::Rndu, 0x44, "rndu", OneSource, 1, kPCSM | kA | kZ, P::Fpu, L::Simple, kFloatTypes,
     "EU-235"},
    {O::Rndd, 0x45, "rndd", OneSource, 1, kPCSM | kA | kZ, P::Fpu, L::Simple, kFloatTypes,
     "EU-235"},
    {O::Rnde, 0x46, "rnde", OneSource, 1, kPCSM | kA | kZ, P::Fpu, L::Simple, kFloatTypes,
     "EU-235"},
    {O::Rndz, 0x47, "rndz", OneSource, 1, kPCSM | kA | kZ, P::Fpu, L::Simple, kFloatTypes,
     "EU-235"},
    {O::Mac, 0x48, "mac", TwoSource, 2, kPCSM | kA | kAccRead | kZ, P::Fpu, L::Multiply, kMacTypes,
     "EU-236"},
    {O::Mach, 0x49, "mach", TwoSource, 2, kP | kS | kM | kA | kAccWriteRequired | kAccRead | kZ,
     P::Fpu, L::Multiply, kMachTypes, "EU-237"},
    {O::Lzd, 0x4A, "lzd", OneSource, 1, kPCSM | kA | kZ, P::Fpu, L::Simple, kLeadingTypes,
     "EU-238"},
    {O::Fbh, 0x4B, "fbh", OneSource, 1, kP | kZ, P::Fpu, L::Simple, kLeadingTypes, "EU-239"},
    {O::Fbl, 0x4C, "fbl", OneSource, 1, kP | kZ, P::Fpu, L::Simple, kUdTypes, "EU-240"},
    {O::Cbit, 0x4D, "cbit", OneSource, 1, kP | kZ, P::Fpu, L::Simple, kCountTypes, "EU-241"},
    {O::Addc, 0x4E, "addc", TwoSource, 2, kP | kC | kA | kAccWriteRequired | kZ, P::Fpu, L::Simple,
     kUdTypes, "EU-242"},
    {O::Subb, 0x4F, "subb", TwoSource, 2, kP | kC | kS | kA | kAccWriteRequired | kZ, P::Fpu,
     L::Simple, kUdTypes, "EU-243"},
    {O::Sad2, 0x50, "sad2", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Simple, kSadTypes, "EU-244"},
    {O::Sada2, 0x51, "sada2", TwoSource, 2, kPCSM | kA | kAccRead | kZ, P::Fpu, L::Simple,
     kSadTypes, "EU-244"},
    {O::Dp4, 0x54, "dp4", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Dot, kFloatTypes, "EU-245"},
    {O::Dph, 0x55, "dph", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Dot, kFloatTypes, "EU-245"},
    {O::Dp3, 0x56, "dp3", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Dot, kFloatTypes, "EU-245"},
    {O::Dp2, 0x57, "dp2", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Dot, kFloatTypes, "EU-245"},
    {O::Line, 0x59, "line", TwoSource, 2, kPCSM | kA | kZ, P::Fpu, L::Interpolate, kFloatTypes,
     "EU-246"},
    {O::Pln, 0x5A, "pln", TwoSource, 2, kP | kC | kS | kA | kZ, P::Fpu, L::Interpolate, kFloatTypes,
     "EU-247"},
    {O::Mad, 0x5B, "mad", ThreeSource, 3, kPCSM | kA | kZ, P::Fpu, L::Mad, kMadTypes, "EU-248"},
    {O::Lrp, 0x5C, "lrp", ThreeSource, 3, kPCSM | kA | kZ, P::Fpu, L::Interpolate, kFloatTypes,
     "EU-249"},
    {O::Madm, 0x5D, "madm", ThreeSource, 3, kPCSM | kSpecialAcc | kZ, P::Fpu, L::Mad, kMadmTypes,
     "EU-250"},
    {O::Nop, 0x7E, "nop", NoOperands, 0, 0, P::None, L::Control, {}, "EU-251"},
}};

constexpr std::uint8_t kUndefined = 0xFF;

/// Hardware code to table index, undefined codes to kUndefined.
constexpr std::array<std::uint8_t, 128> kByCode = [] {
    std::array<std::uint8_t, 128> index{};
    index.fill(kUndefined);
    for (std::size_t i = 0; i < kTable.size(); ++i)
        index[kTable[i].code] = static_cast<std::uint8_t>(i);
    return index;
}();

constexpr bool table_is_sound() {
    for (std::size_t i = 0; i < kTable.size(); ++i) {
        if (static_cast<std::size_t>(kTable[i].opcode) != i) return false;
        if (kByCode[kTable[i].code] != i) return false;  // two rows with one code
    }
    return true;
}
static_assert(table_is_sound(), "rows must be in the order of Opcode, with distinct codes");

struct MathRow {
    const char* name;
    std::uint8_t sources;
};
// By FC (EU-254); names as assemblers write them.
constexpr std::array<MathRow, 16> kMath{{{nullptr, 0},
                                         {"inv", 1},
                                         {"log", 1},
                                         {"exp", 1},
                                         {"sqt", 1},
                                         {"rsqt", 1},
                                         {"sin", 1},
                                         {"cos", 1},
                                         {nullptr, 0},
                                         {"fdiv", 2},
                                         {"pow", 2},
                                         {"idiv", 2},
                                         {"iqot", 2},
                                         {"irem", 2},
                                         {"invm", 2},
                                         {"rsqtm", 1}}};

}  // namespace

const OpcodeInfo& info(Opcode opcode) {
    GEN9_CHECK(opcode < Opcode::Count, "no such opcode");
    return kTable[static_cast<std::size_t>(opcode)];
}

const OpcodeInfo* find(std::uint8_t hardware_opcode) {
    if (hardware_opcode >= kByCode.size() || kByCode[hardware_opcode] == kUndefined) return nullptr;
    return &kTable[kByCode[hardware_opcode]];
}

std::span<const OpcodeInfo> opcode_table() {
    return kTable;
}

unsigned math_sources(unsigned function_code) {
    return function_code < kMath.size() ? kMath[function_code].sources : 0;
}

const char* math_name(MathFunction function) {
    return kMath[static_cast<std::size_t>(function) & 15].name;
}

}  // namespace gen9::isa
