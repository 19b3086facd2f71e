/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface of the reference library, from C: every function once with known values, and with bad
 * arguments. Instructions are what `iga64 -p=9` assembles from the text beside them. */
#include "platform/cosim/dpi/gen9_reference.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;
#define EXPECT(condition)                                                         \
    do {                                                                          \
        if (!(condition)) {                                                       \
            ++failures;                                                           \
            printf("line %d: does not hold: %s\n", __LINE__, #condition);         \
        }                                                                         \
    } while (0)

/* add (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d */
static const uint32_t kAdd[4] = {0x00600040, 0x21400a28, 0x0a8d0040, 0x008d0060};
/* mul (8|M0) r11.0<1>:f r4.0<8;8,1>:f r5.0<0;1,0>:f */
static const uint32_t kMul[4] = {0x00600041, 0x21603ae8, 0x3a8d0080, 0x000000a0};
/* cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 0:d */
static const uint32_t kCmp[4] = {0x05600010, 0x20000a20, 0x0e8d0140, 0x00000000};
/* (f0.0) sel (8|M0) r12.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d */
static const uint32_t kSel[4] = {0x00610002, 0x21800a28, 0x0a8d0040, 0x008d0060};
/* mov (4|M0) r13.0<2>:uw r6.3<4;2,2>:uw */
static const uint32_t kMov[4] = {0x00400001, 0x41a01248, 0x006600c6, 0x00000000};
/* mov (8|M0) r14.0<1>:ud r[a0.0]<8;8,1>:ud */
static const uint32_t kIndirect[4] = {0x00600001, 0x21c00208, 0x008d8000, 0x00000000};
/* send (8|M0) null r112:f 0x27 0x02000010 {EOT} */
static const uint32_t kEnd[4] = {0x07600031, 0x20003a00, 0x06000e00, 0x82000010};
static const uint32_t kIllegal[4] = {0x0000007f, 0, 0, 0};

static void alu(void) {
    /* R2 = R0 + R1, carry to R3: the PRM's encodings (003:1454-1523). */
    static const uint32_t program[] = {
        0x080u << 20 | 0x20 << 10 | 0, 0x080u << 20 | 0x21 << 10 | 1, 0x100u << 20,
        0x180u << 20 | 2 << 10 | 0x31, 0x180u << 20 | 3 << 10 | 0x33, 0xFFFu << 20, 0x100u << 20};
    void* unit = gen9_alu_new();
    uint64_t value = 7;
    EXPECT(gen9_alu_set_register(unit, 0, ~(uint64_t)0) == GEN9_OK);
    EXPECT(gen9_alu_set_register(unit, 1, 2) == GEN9_OK);
    EXPECT(gen9_alu_step(unit, program[0]) == GEN9_OK);
    EXPECT(gen9_alu_run(unit, program, 7) == 5);
    EXPECT(gen9_alu_register(unit, 2, &value) == GEN9_OK && value == 1);
    EXPECT(gen9_alu_register(unit, 3, &value) == GEN9_OK && value == ~(uint64_t)0);
    EXPECT(gen9_alu_step(unit, program[5]) == GEN9_UNDEFINED);
    EXPECT(strcmp(gen9_alu_text(program[3]), "STORE R2 ACCU") == 0);

    value = 7;
    EXPECT(gen9_alu_register(unit, 16, &value) == GEN9_BAD_ARGUMENT && value == 7);
    EXPECT(gen9_alu_register(unit, -1, &value) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_alu_register(unit, 0, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_alu_set_register(unit, 16, 0) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_alu_run(unit, NULL, 1) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_alu_run(unit, program, -1) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_alu_step(NULL, program[0]) == GEN9_BAD_OBJECT);
    EXPECT(gen9_alu_step(&value, program[0]) == GEN9_BAD_OBJECT);
    EXPECT(gen9_slm_free(unit) == GEN9_BAD_OBJECT);
    EXPECT(gen9_alu_free(unit) == GEN9_OK);
    EXPECT(gen9_alu_free(unit) == GEN9_BAD_OBJECT);
    EXPECT(gen9_alu_step(unit, program[0]) == GEN9_BAD_OBJECT);
}

static void atomics(void) {
    uint64_t returned = 0, memory = 0;
    EXPECT(gen9_atomic(7, 4, 0xFFFFFFFF, 2, 0, &returned, &memory) == GEN9_OK); /* add */
    EXPECT(returned == 0xFFFFFFFF && memory == 1);
    EXPECT(gen9_atomic(10, 4, 0xFFFFFFFF, 1, 0, &returned, &memory) == GEN9_OK && memory == 1); /* imax */
    EXPECT(gen9_atomic(15, 8, 0, 0, 0, &returned, &memory) == GEN9_OK && returned == ~(uint64_t)0);
    returned = memory = 7;
    EXPECT(gen9_atomic(16, 4, 0, 0, 0, &returned, &memory) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_atomic(-1, 4, 0, 0, 0, &returned, &memory) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_atomic(17, 8, 0, 0, 0, &returned, &memory) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_atomic(7, 2, 0, 0, 0, &returned, &memory) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_atomic(7, 4, 0, 0, 0, NULL, &memory) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_atomic(7, 4, 0, 0, 0, &returned, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(returned == 7 && memory == 7);
}

static void memories(void) {
    uint32_t address[8] = {0}, source0[32] = {0}, source1[32] = {0}, result[32], line[16] = {0};
    void* slm = gen9_slm_new();
    int lane;
    /* 16 lanes write 100 + lane at 64 * lane: all in bank 0, 16 clocks (SLM-09). */
    for (lane = 0; lane < 16; ++lane) {
        address[lane / 2] |= (uint32_t)(64 * lane) << 16 * (lane % 2);
        source0[2 * lane] = 100 + (uint32_t)lane;
    }
    EXPECT(gen9_slm_access(slm, 1, 0, 4, 16, address, source0, source1, result) == 16);
    EXPECT(gen9_slm_access(slm, 0, 0, 4, 16, address, source0, source1, result) == 16);
    for (lane = 0; lane < 16; ++lane)
        EXPECT(result[2 * lane] == 100 + (uint32_t)lane && result[2 * lane + 1] == 0);
    /* 4 lanes add to one location, one after the other. */
    memset(address, 0, sizeof address);
    for (lane = 0; lane < 4; ++lane) source0[2 * lane] = 1;
    EXPECT(gen9_slm_access(slm, 2, 7, 4, 4, address, source0, source1, result) == 4);
    EXPECT(result[0] == 100 && result[2] == 101 && result[4] == 102 && result[6] == 103);
    EXPECT(result[8] == 0);
    EXPECT(gen9_slm_access(slm, 3, 0, 4, 1, address, source0, source1, result) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_slm_access(slm, 2, 16, 4, 1, address, source0, source1, result) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_slm_access(slm, 0, 0, 3, 1, address, source0, source1, result) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_slm_access(slm, 0, 0, 4, 17, address, source0, source1, result) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_slm_access(slm, 0, 0, 4, 0, address, source0, source1, result) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_slm_access(slm, 0, 0, 4, 1, NULL, source0, source1, result) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_slm_access(slm, 0, 0, 4, 1, address, source0, source1, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_slm_free(slm) == GEN9_OK);

    /* Offset 8 of a line holds 5; two lanes add 1 each. */
    line[2] = 5;
    address[0] = 8 | 8u << 16;
    EXPECT(gen9_l3_access(2, 7, 4, 2, address, source0, source1, line, result) == GEN9_OK);
    EXPECT(line[2] == 7 && result[0] == 5 && result[2] == 6);
    EXPECT(gen9_l3_access(2, 7, 4, 2, address, source0, source1, NULL, result) == GEN9_BAD_ARGUMENT);
}

static void threads(void) {
    uint32_t value[8], flag = 0, ip = 0;
    int i;
    void* thread = gen9_thread_new(0xFF);
    for (i = 0; i < 8; ++i) value[i] = (uint32_t)(i - 4);
    EXPECT(gen9_thread_set_register(thread, 2, value) == GEN9_OK);
    for (i = 0; i < 8; ++i) value[i] = 1;
    EXPECT(gen9_thread_set_register(thread, 3, value) == GEN9_OK);
    for (i = 0; i < 8; ++i) value[i] = 0x40000000; /* 2.0 */
    EXPECT(gen9_thread_set_register(thread, 4, value) == GEN9_OK);
    value[0] = 0x3fc00000; /* 1.5 */
    EXPECT(gen9_thread_set_register(thread, 5, value) == GEN9_OK);

    EXPECT(gen9_thread_execute(thread, kAdd) == GEN9_NEXT);
    EXPECT(gen9_thread_register(thread, 10, value) == GEN9_OK && value[0] == (uint32_t)-3 && value[7] == 4);
    EXPECT(gen9_thread_ip(thread, &ip) == GEN9_OK && ip == 16);
    EXPECT(gen9_thread_execute(thread, kIllegal) == GEN9_FAULT);
    EXPECT(gen9_thread_free(thread) == GEN9_OK);

    /* The program r10 = r2 + r3; r11 = r4 * r5.0; r12 = r10 < 0 ? r2 : r3; end. */
    thread = gen9_thread_new(0xFF);
    for (i = 0; i < 8; ++i) value[i] = (uint32_t)(i - 4);
    gen9_thread_set_register(thread, 2, value);
    for (i = 0; i < 8; ++i) value[i] = 1;
    gen9_thread_set_register(thread, 3, value);
    for (i = 0; i < 8; ++i) value[i] = 0x40000000;
    gen9_thread_set_register(thread, 4, value);
    value[0] = 0x3fc00000;
    gen9_thread_set_register(thread, 5, value);
    EXPECT(gen9_thread_load(thread, 0, kAdd) == GEN9_OK);
    EXPECT(gen9_thread_load(thread, 1, kMul) == GEN9_OK);
    EXPECT(gen9_thread_load(thread, 2, kCmp) == GEN9_OK);
    EXPECT(gen9_thread_load(thread, 3, kSel) == GEN9_OK);
    EXPECT(gen9_thread_load(thread, 4, kEnd) == GEN9_OK);
    EXPECT(gen9_thread_run(thread, 2) == GEN9_LIMIT);
    EXPECT(gen9_thread_run(thread, 100) == GEN9_END);
    EXPECT(gen9_thread_register(thread, 11, value) == GEN9_OK && value[0] == 0x40400000); /* 3.0 */
    EXPECT(gen9_thread_flag(thread, 0, &flag) == GEN9_OK && flag == 0x07);
    EXPECT(gen9_thread_register(thread, 12, value) == GEN9_OK);
    EXPECT(value[0] == (uint32_t)-4 && value[2] == (uint32_t)-2 && value[3] == 1 && value[7] == 1);
    EXPECT(gen9_thread_run(thread, 100) == GEN9_FAULT); /* past the program's end */

    /* r6.3<4;2,2>:uw: rows 4 apart, 2 wide, 2 apart: elements 3, 5, 7, 9 of r6. r13.0<2>:uw. */
    EXPECT(gen9_region_address(thread, kMov, 1, 0) == 6 * 32 + 6);
    EXPECT(gen9_region_address(thread, kMov, 1, 3) == 6 * 32 + 18);
    EXPECT(gen9_region_address(thread, kMov, 0, 3) == 13 * 32 + 12);
    EXPECT(gen9_thread_set_address(thread, 0, 7 * 32 + 4) == GEN9_OK);
    EXPECT(gen9_region_address(thread, kIndirect, 1, 2) == 7 * 32 + 12);
    EXPECT(gen9_region_address(thread, kMov, 1, 4) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_region_address(thread, kMov, 2, 0) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_region_address(thread, kMov, -1, 0) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_region_address(thread, kCmp, 0, 0) == GEN9_BAD_ARGUMENT); /* null */
    EXPECT(gen9_region_address(thread, kIllegal, 0, 0) == GEN9_UNDEFINED);
    EXPECT(gen9_region_address(NULL, kMov, 0, 0) == GEN9_BAD_OBJECT);

    EXPECT(gen9_thread_register(thread, 128, value) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_register(thread, 0, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_set_register(thread, -1, value) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_set_register(thread, 0, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_flag(thread, 2, &flag) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_set_flag(thread, 1, 5) == GEN9_OK);
    EXPECT(gen9_thread_set_address(thread, 16, 0) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_set_address(thread, 0, 0x10000) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_address(thread, 0, &flag) == GEN9_OK && flag == 7 * 32 + 4);
    EXPECT(gen9_thread_set_control(thread, 4, 0) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_control(thread, 0, &flag) == GEN9_OK);
    EXPECT(gen9_thread_ip(thread, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_load(thread, 4096, kAdd) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_load(thread, 0, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_run(thread, -1) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_execute(thread, NULL) == GEN9_BAD_ARGUMENT);
    EXPECT(gen9_thread_free(thread) == GEN9_OK);
    EXPECT(gen9_thread_execute(thread, kAdd) == GEN9_BAD_OBJECT);
}

/* Any words at all are executed, decoded and printed without harm. */
static void any_words(void) {
    uint32_t seed = 1, words[4];
    int32_t function, length, response, header, end;
    uint32_t descriptor;
    int i, n, lane;
    void* thread = gen9_thread_new(0xFFFF);
    for (i = 0; i < 20000; ++i) {
        for (n = 0; n < 4; ++n) {
            seed = seed * 1664525 + 1013904223;
            words[n] = seed >> 8 | seed << 24;
        }
        EXPECT(gen9_thread_execute(thread, words) >= 0);
        for (n = 0; n < 4; ++n)
            for (lane = 0; lane < 32; lane += 31) {
                const int at = gen9_region_address(thread, words, n, lane);
                EXPECT(at < 128 * 32 && at != GEN9_INTERNAL);
            }
        EXPECT(gen9_message_decode(words, &function, &length, &response, &header, &end, &descriptor) !=
               GEN9_INTERNAL);
        EXPECT(gen9_disassemble(words) != NULL && gen9_message_text(words) != NULL);
    }
    EXPECT(gen9_thread_free(thread) == GEN9_OK);
}

static void messages(void) {
    int32_t function = -1, length = -1, response = -1, header = -1, end = -1;
    uint32_t descriptor = 0;
    EXPECT(gen9_message_decode(kEnd, &function, &length, &response, &header, &end, &descriptor) == GEN9_OK);
    EXPECT(function == 7 && length == 1 && response == 0 && header == 0 && end == 1);
    EXPECT(descriptor == 0x02000010);
    EXPECT(gen9_message_decode(kAdd, &function, &length, &response, &header, &end, &descriptor) ==
           GEN9_UNDEFINED);
    EXPECT(gen9_message_decode(NULL, &function, &length, &response, &header, &end, &descriptor) ==
           GEN9_BAD_ARGUMENT);
    EXPECT(strstr(gen9_message_text(kEnd), "wr:1+0, rd:0; spawner") != NULL);
    EXPECT(strcmp(gen9_disassemble(kAdd), "add (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d") == 0);
    EXPECT(gen9_disassemble(NULL)[0] == 0 && gen9_message_text(NULL)[0] == 0);
}

int main(void) {
    EXPECT(gen9_reference_version() == GEN9_REFERENCE_VERSION);
    EXPECT(strcmp(gen9_status_text(GEN9_UNDEFINED), "not defined by the hardware") == 0);
    alu();
    atomics();
    memories();
    threads();
    any_words();
    messages();
    if (failures == 0) printf("PASS\n");
    return failures != 0;
}
