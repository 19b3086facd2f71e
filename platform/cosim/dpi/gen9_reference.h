/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's cores as a reference for RTL testbenches: a C interface, which gen9_reference_pkg.sv
 * imports by DPI-C. No SystemC and no time: every call acts at once.
 *
 * Vectors are arrays of 32-bit words, least significant first, as DPI-C passes packed bit vectors.
 * Objects are made by ..._new and ended by ..._free. No call fails on any value of its
 * arguments; what the hardware leaves undefined is told by the result. Null pointers are not allowed.
 */
#ifndef GEN9_REFERENCE_H
#define GEN9_REFERENCE_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the command streamer's ALU and its 16 registers (003:1110-1523) ---- */
void* gen9_alu_new(void);
void gen9_alu_free(void* alu);
/* One ALU instruction (a DWord of MI_MATH). 1: done; 0: not defined, nothing was changed. */
int gen9_alu_step(void* alu, uint32_t instruction);
/* Register 0 to 15; others read 0 and are not written. */
uint64_t gen9_alu_register(void* alu, int number);
void gen9_alu_set_register(void* alu, int number, uint64_t value);

/* ---- atomics of L3, SLM and the command streamer (003:6247-6249) ---- */
/* `operation` as in the message descriptor, 17 to 19 the float ones; `bytes` 4 or 8. Returns what the
 * message returns; *memory is what the location then holds. Unknown operations change nothing. */
uint64_t gen9_atomic(int operation, int bytes, uint64_t old, uint64_t source0, uint64_t source1,
                     uint64_t* memory);

/* ---- shared local memory of a subslice (SLM-01, SLM-09) ---- */
void* gen9_slm_new(void);
void gen9_slm_free(void* slm);
/* kind: 0 read, 1 write, 2 atomic; bytes: 1, 2, 4 or 8 of each lane; address: 16 of 16 bits;
 * sources and result: 16 of 64 bits. Returns the clocks its banks are busy; 0: not defined. */
int gen9_slm_access(void* slm, int kind, int operation, int bytes, int lanes,
                    const uint32_t* address, const uint32_t* source0, const uint32_t* source1,
                    uint32_t* result);

/* ---- an EU's thread: 128 registers of 256 bits (003:19422-20288) ---- */
/* What an executed instruction asks for. */
enum {
    GEN9_NEXT = 0,      /* nothing */
    GEN9_SEND = 1,      /* a message is to be sent */
    GEN9_END = 2,       /* the same, and the thread has ended */
    GEN9_WAIT = 3,      /* its notification count is 0 */
    GEN9_FAULT = 4,     /* illegal instruction */
    GEN9_EXCEPTION = 5, /* the system routine was entered or left */
    GEN9_LIMIT = 6      /* gen9_thread_run only: the limit was reached */
};
/* Channels of `mask` exist and are active; denormals are kept; registers are 0. */
void* gen9_thread_new(uint32_t mask);
void gen9_thread_free(void* thread);
void gen9_thread_register(void* thread, int number, uint32_t* value /* 8 words */);
void gen9_thread_set_register(void* thread, int number, const uint32_t* value);
uint32_t gen9_thread_flag(void* thread, int number /* 0 or 1 */);
void gen9_thread_set_flag(void* thread, int number, uint32_t value);
uint32_t gen9_thread_ip(void* thread);
/* One native instruction of 128 bits at the thread's pointer. */
int gen9_thread_execute(void* thread, const uint32_t* instruction /* 4 words */);
/* Puts a native instruction at 16 * index of the thread's program (index below 4096). */
void gen9_thread_load(void* thread, int index, const uint32_t* instruction);
/* Runs the program from the thread's pointer until an instruction asks for something, at most `limit`
 * instructions. */
int gen9_thread_run(void* thread, int limit);
/* Byte address in the register file of a lane of an operand (0: destination, 1 to 2: sources 0 and 1),
 * with its region and, if it is indirect, the thread's a0; -1: not in the register file. */
int gen9_region_address(void* thread, const uint32_t* instruction, int operand, int lane);

/* ---- text; valid until the next call that gives text ---- */
const char* gen9_disassemble(const uint32_t* instruction /* 4 words */);
/* What a send means: payload, response, function, operation. */
const char* gen9_message_text(const uint32_t* instruction);

#ifdef __cplusplus
}
#endif
#endif
