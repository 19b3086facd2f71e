// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/code.h"

#include "common/check.h"

namespace gen9::litmus {
namespace {

using isa::Arf;
using isa::grf;
using isa::imm;
using isa::Inst;
using isa::Opcode;
using isa::Type;

constexpr unsigned kSampler = 2, kGateway = 3, kSpawner = 7, kConstants = 9, kPort0 = 10,
                   kPort1 = 12;

// Descriptors without lengths (dataport guide S-6, S-7, S-17): eight slots, one dword each.
constexpr std::uint32_t kRead = 0x6E00, kWrite = 0x26E00, kAtomic = 0xB000, kByteRead = 0x10800,
                        kByteWrite = 0x30800, kFence = 0x9E000;
// ld_lz of eight samples without header: one channel (sampler guide 3.5).
constexpr std::uint32_t kTexel = 1u << 17 | 0x1Au << 12;
// One OWord of surface 0, with header (dataport guide S-9).
constexpr std::uint32_t kConstant = 1u << 19;
constexpr std::uint32_t kCompareWrite = 0xE00, kAdd = 0x700, kMove = 0x400;

constexpr std::uint32_t lengths(unsigned message, unsigned response) {
    return message << 25 | response << 20;
}

Inst move(const isa::Reg& to, const isa::Reg& from) {
    return Inst(Opcode::Mov).exec(1).no_mask().dst(to, Type::UD).src(from, Type::UD);
}

}  // namespace

unsigned Code::take(unsigned registers) {
    const unsigned first = next_;
    next_ += registers;
    GEN9_CHECK(next_ < 120, "a litmus thread has too many accesses");
    return first;
}

void Code::set(unsigned reg, std::uint32_t value) {
    before_.push_back(Inst(Opcode::Mov).exec(8).no_mask().dst(grf(reg), Type::UD).src(imm(value)));
}

unsigned Code::address_of(unsigned variable, unsigned registers) {
    const unsigned payload = take(registers);
    before_.push_back(move(grf(payload), grf(1, variable).scalar()));
    return payload;
}

void Code::send(unsigned sfid, std::uint32_t descriptor, unsigned payload, unsigned registers,
                bool answers, unsigned channels) {
    Inst inst = Inst(Opcode::Send).exec(channels).no_mask();
    if (answers) {
        const unsigned to = take(1);
        inst.dst(grf(to), Type::UD);
        results_.push_back(to);
    } else {
        inst.dst(isa::null(), Type::UD);
    }
    body_.push_back(inst.src(grf(payload), Type::UD)
                        .message(sfid, descriptor | lengths(registers, answers ? 1 : 0)));
}

Code& Code::write(unsigned variable, std::uint32_t value) {
    const unsigned payload = address_of(variable, 2);
    set(payload + 1, value);
    send(kPort1, kWrite | index(), payload, 2, false);
    return *this;
}

Code& Code::write_line(unsigned variable, std::uint32_t value) {
    const unsigned payload = take(2);
    before_.push_back(Inst(Opcode::Mov)
                          .exec(8)
                          .no_mask()
                          .dst(grf(payload), Type::UD)
                          .src(isa::imm_uv(0x76543210)));
    before_.push_back(Inst(Opcode::Shl)
                          .exec(8)
                          .no_mask()
                          .dst(grf(payload), Type::UD)
                          .src(grf(payload), Type::UD)
                          .src(imm(std::uint32_t{2})));
    before_.push_back(Inst(Opcode::Add)
                          .exec(8)
                          .no_mask()
                          .dst(grf(payload), Type::UD)
                          .src(grf(payload), Type::UD)
                          .src(grf(1, variable).scalar(), Type::UD));
    set(payload + 1, value);
    send(kPort1, kWrite | index(), payload, 2, false, 8);
    return *this;
}

Code& Code::write_port0(unsigned variable, std::uint32_t value) {
    const unsigned payload = address_of(variable, 2);
    set(payload + 1, value);
    send(kPort0, kByteWrite | index(), payload, 2, false);
    return *this;
}

Code& Code::read(unsigned variable) {
    send(kPort1, kRead | index(), address_of(variable, 1), 1, true);
    return *this;
}

Code& Code::read_port0(unsigned variable) {
    send(kPort0, kByteRead | index(), address_of(variable, 1), 1, true);
    return *this;
}

Code& Code::constant() {
    const unsigned header = take(1);
    set(header, 0);
    send(kConstants, kConstant, header, 1, true);
    return *this;
}

Code& Code::texel() {
    const unsigned payload = take(1);
    set(payload, 0);
    send(kSampler, kTexel, payload, 1, true);
    return *this;
}

Code& Code::add(unsigned variable, std::uint32_t value) {
    const unsigned payload = address_of(variable, 2);
    set(payload + 1, value);
    send(kPort1, kAtomic | kAdd | index(), payload, 2, true);
    return *this;
}

Code& Code::exchange(unsigned variable, std::uint32_t value) {
    const unsigned payload = address_of(variable, 2);
    set(payload + 1, value);
    send(kPort1, kAtomic | kMove | index(), payload, 2, true);
    return *this;
}

Code& Code::compare_exchange(unsigned variable, std::uint32_t compare, std::uint32_t value) {
    const unsigned payload = address_of(variable, 3);
    set(payload + 1, compare);
    set(payload + 2, value);
    send(kPort1, kAtomic | kCompareWrite | index(), payload, 3, true);
    return *this;
}

Code& Code::wait() {
    body_.push_back(move(isa::null(), grf(results_.back()).scalar()));
    return *this;
}

Code& Code::fence_sent() {
    const unsigned header = take(1);
    send(kPort0, kFence, header, 1, true);
    results_.pop_back();  // of no meaning
    return *this;
}

Code& Code::fence() {
    fence_sent();
    body_.push_back(move(isa::null(), grf(next_ - 1).scalar()));
    return *this;
}

Code& Code::barrier() {
    const unsigned payload = take(1);
    set(payload, 0);
    before_.push_back(move(grf(payload, 2), grf(0, 2).scalar()));
    send(kGateway, 4, payload, 1, false);
    body_.push_back(Inst(Opcode::Wait).src(isa::arf(Arf::Notification), Type::UD));
    return *this;
}

Code& Code::pause(unsigned times) {
    while (times-- != 0)
        body_.push_back(move(grf(4), grf(5).scalar()).thread_switch());
    return *this;
}

std::vector<std::uint8_t> Code::bytes() const {
    isa::Program program;
    for (const Inst& inst : before_)
        program << inst;
    for (const Inst& inst : body_)
        program << inst;
    Code store(*this);
    store.in(Space::Global).before_.clear();
    store.body_.clear();
    for (unsigned i = 0; i < results(); ++i) {
        const unsigned payload = store.take(2);
        store.before_.push_back(Inst(Opcode::Add)
                                    .exec(1)
                                    .no_mask()
                                    .dst(grf(payload), Type::UD)
                                    .src(grf(2).scalar(), Type::UD)
                                    .src(imm(std::uint32_t{4 * i})));
        store.before_.push_back(move(grf(payload + 1), grf(results_[i]).scalar()));
        store.send(kPort1, kWrite | store.index(), payload, 2, false);
    }
    for (const Inst& inst : store.before_)
        program << inst;
    for (const Inst& inst : store.body_)
        program << inst;
    program << Inst(Opcode::Mov).exec(8).no_mask().dst(grf(127), Type::UD).src(grf(0), Type::UD);
    program << Inst(Opcode::Send)
                   .exec(8)
                   .no_mask()
                   .dst(isa::null(), Type::UD)
                   .src(grf(127), Type::UD)
                   .message(kSpawner, lengths(1, 0) | 0x10)
                   .eot();
    return program.bytes();
}

}  // namespace gen9::litmus
