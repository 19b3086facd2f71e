/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's cores as a reference for RTL testbenches: a C interface, which gen9_reference_pkg.sv
 * imports by DPI-C. No SystemC and no time: every call acts at once.
 *
 * Vectors are arrays of 32-bit words, least significant first, as DPI-C passes packed bit vectors.
 * Objects are made by ..._new (NULL: no memory) and ended by ..._free.
 * Every function that returns an int returns 0 or more when it has acted, and less than 0 when it
 * has not: then nothing was changed and no output was written. No argument makes a call crash: NULL
 * pointers and objects of another kind or already freed are bad arguments. Of one object, only one
 * thread may call at a time.
 */
#ifndef GEN9_REFERENCE_H
#define GEN9_REFERENCE_H
#include <stdint.h>

#if defined(__GNUC__)
#define GEN9_API __attribute__((visibility("default")))
#else
#define GEN9_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GEN9_OK = 0,
    GEN9_BAD_OBJECT = -1,   /* not an object of the kind that the function takes */
    GEN9_BAD_ARGUMENT = -2, /* NULL, a number out of range, an operation that does not exist */
    GEN9_UNDEFINED = -3,    /* an instruction that the hardware does not define */
    GEN9_INTERNAL = -4      /* the model broke one of its own rules: an error of the model */
};
/* Of this interface: changes when a function changes its meaning or its arguments. */
#define GEN9_REFERENCE_VERSION 1
GEN9_API int gen9_reference_version(void);
/* What a negative result means. */
GEN9_API const char* gen9_status_text(int status);

/* ---- the command streamer's ALU and its 16 registers (003:1110-1523) ---- */
GEN9_API void* gen9_alu_new(void);
GEN9_API int gen9_alu_free(void* alu);
/* One ALU instruction (a DWord of MI_MATH); GEN9_UNDEFINED: not one the PRM defines. */
GEN9_API int gen9_alu_step(void* alu, uint32_t instruction);
/* The instructions of a program, one after the other, up to the first that is undefined. Returns
 * how many have acted. */
GEN9_API int gen9_alu_run(void* alu, const uint32_t* instructions, int count);
/* Register 0 to 15. */
GEN9_API int gen9_alu_register(void* alu, int number, uint64_t* value);
GEN9_API int gen9_alu_set_register(void* alu, int number, uint64_t value);

/* ---- atomics of L3, SLM and the command streamer (003:6247-6249) ---- */
/* `operation` as in the message descriptor, 17 to 19: FMAX, FMIN, FCMPWR; `bytes` 4 or 8, for the
 * float ones 4. *returned is what the message returns, *memory what the location then holds. */
GEN9_API int gen9_atomic(int operation, int bytes, uint64_t old, uint64_t source0, uint64_t source1,
                         uint64_t* returned, uint64_t* memory);

/* Lane accesses. kind: 0 read, 1 write, 2 atomic (`operation` as above); bytes of each lane: 1, 2,
 * 4 or 8, of an atomic 4 or 8; lanes: 1 to 16, lane 0 acts first. Vectors: address 16 of 16 bits,
 * sources and result 16 of 64 bits. Lanes that give nothing have the result 0. */

/* ---- a 64-byte line of L3 (L3-27, L3-35) ---- */
/* Addresses are offsets in the line, modulo 64. `line`: 16 words, changed in place. */
GEN9_API int gen9_l3_access(int kind, int operation, int bytes, int lanes, const uint32_t* address,
                            const uint32_t* source0, const uint32_t* source1, uint32_t* line,
                            uint32_t* result);

/* ---- shared local memory of a subslice: 64 KB, 16 banks (SLM-01, SLM-09) ---- */
GEN9_API void* gen9_slm_new(void);
GEN9_API int gen9_slm_free(void* slm);
/* Returns the clocks that its banks are busy, 1 or more. */
GEN9_API int gen9_slm_access(void* slm, int kind, int operation, int bytes, int lanes,
                             const uint32_t* address, const uint32_t* source0,
                             const uint32_t* source1, uint32_t* result);

/* ---- a thread of an execution unit: 128 registers of 256 bits (003:19422-20288) ---- */
/* What an executed instruction asks for. */
enum {
    GEN9_NEXT = 0,      /* nothing */
    GEN9_SEND = 1,      /* a message is to be sent */
    GEN9_END = 2,       /* the same, and the thread has ended */
    GEN9_WAIT = 3,      /* its notification count is 0 */
    GEN9_FAULT = 4,     /* illegal instruction, or none at the thread's pointer */
    GEN9_EXCEPTION = 5, /* the system routine was entered or left */
    GEN9_LIMIT = 6      /* gen9_thread_run only: the limit was reached */
};
/* Channels of `mask` exist and are active; denormals are kept; registers are 0. */
GEN9_API void* gen9_thread_new(uint32_t mask);
GEN9_API int gen9_thread_free(void* thread);
GEN9_API int gen9_thread_register(void* thread, int number /* 0 to 127 */, uint32_t* value /* 8 */);
GEN9_API int gen9_thread_set_register(void* thread, int number, const uint32_t* value);
GEN9_API int gen9_thread_flag(void* thread, int number /* 0 or 1 */, uint32_t* value);
GEN9_API int gen9_thread_set_flag(void* thread, int number, uint32_t value);
GEN9_API int gen9_thread_address(void* thread, int number /* 0 to 15 */, uint32_t* value);
GEN9_API int gen9_thread_set_address(void* thread, int number, uint32_t value /* 16 bits */);
GEN9_API int gen9_thread_control(void* thread, int number /* cr0.0 to cr0.3 */, uint32_t* value);
GEN9_API int gen9_thread_set_control(void* thread, int number, uint32_t value);
GEN9_API int gen9_thread_ip(void* thread, uint32_t* value);
/* One native instruction of 128 bits at the thread's pointer. Returns what it asks for. */
GEN9_API int gen9_thread_execute(void* thread, const uint32_t* instruction /* 4 words */);
/* Puts a native instruction at 16 * index of the thread's program (index below 4096). */
GEN9_API int gen9_thread_load(void* thread, int index, const uint32_t* instruction);
/* Runs the program from the thread's pointer until an instruction asks for something, at most
 * `limit` instructions. */
GEN9_API int gen9_thread_run(void* thread, int limit);
/* Byte address in the register file of a lane of an operand (0: destination, 1 to 3: sources 0 to
 * 2), with its region and, if it is indirect, the thread's a0. GEN9_BAD_ARGUMENT: the instruction
 * has no such operand or lane, or it is not in the register file. */
GEN9_API int gen9_region_address(void* thread, const uint32_t* instruction, int operand, int lane);

/* ---- messages ---- */
/* A send whose descriptors are immediates: its shared function (0 null, 3 gateway, 10 data port 0,
 * ...), payload and response registers, 1 if the payload begins with a header, 1 at the end of the
 * thread. GEN9_UNDEFINED: no send, or a descriptor in a register. */
GEN9_API int gen9_message_decode(const uint32_t* instruction, int32_t* function, int32_t* length,
                                 int32_t* response, int32_t* header, int32_t* end,
                                 uint32_t* descriptor);

/* ---- text; never NULL; valid until the thread's next call that gives text ---- */
GEN9_API const char* gen9_disassemble(const uint32_t* instruction /* 4 words */);
/* What a send means: payload, response, function, operation. */
GEN9_API const char* gen9_message_text(const uint32_t* instruction);
GEN9_API const char* gen9_alu_text(uint32_t instruction);

#ifdef __cplusplus
}
#endif
#endif
