// SPDX-License-Identifier: Apache-2.0
// Litmus tests of memory order as OpenCL programs. A test is two to four threads (sub-groups of one working item) on a
// few variables, each in a line of its own. They play it `rounds` times on fresh variables, having met before.
#define SUB_GROUP __attribute__((intel_reqd_sub_group_size(8)))
#define LINE 16   // dwords
#define VARIABLES 4
#define X 0
#define Y LINE
#define Z (2 * LINE)

uint random(uint seed, uint instance, uint round, uint role) {
    uint x = seed * 747796405u + instance * 2891336453u + round * 277803737u + role * 1597334677u;
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}
// Takes a time that is different for each thread, mostly short. The result is 0, which the compiler cannot know: what follows
// depends on it.
uint linger(uint random, uint rounds) {
    uint x = random | 0x10000u;
    for (uint k = 0; k < random % 64 >> (random >> 6 & 7); ++k) x = x * 1664525u + 1013904223u | 0x10000u;
    return x <= rounds;
}
void meet(volatile global uint* place, uint arrivals) {
    atomic_inc(place);
    while (atomic_add(place, 0u) < arrivals) {
    }
}

#define FENCE(SPACE) atomic_work_item_fence(SPACE, memory_order_seq_cst, memory_scope_device)
// A place whose address depends on a value: the compiler moves volatile reads past each other, but not these.
#define AFTER(value, place) ((place) + ((value) > 99 ? 1 : 0))
#define PARAMETERS volatile global uint *memory, volatile global uint *meeting, global uint *results, uint rounds, uint seed
#define RESULTS(threads) (results + ((instance * rounds + round) * threads + role) * 2)

// `role` of an instance is played by a group of its own, or by a sub-group of a group they share. Some variables are
// fetched before.
#define FRAME(THREADS, INSTANCE, ROLE, NAME)                                                                          \
    const uint instance = INSTANCE, role = ROLE;                                                                      \
    if (get_sub_group_local_id() != 0) return;                                                                        \
    for (uint round = 0; round < rounds; ++round) {                                                                   \
        volatile global uint *v = memory + (instance * rounds + round) * VARIABLES * LINE;                             \
        const uint chance = random(seed, instance, round, role);                                                      \
        uint ignored = 0;                                                                                             \
        if (chance & 1) ignored += v[X];                                                                              \
        if (chance & 2) ignored += v[Y];                                                                              \
        meet(meeting + instance * LINE, THREADS * (round + 1));                                                       \
        uint r0 = 9, r1 = 9;                                                                                          \
        NAME(v + linger(chance >> 8, rounds), role, &r0, &r1);                                                                                      \
        RESULTS(THREADS)[0] = r0 + ignored;                                                                           \
        RESULTS(THREADS)[1] = r1;                                                                                     \
    }
#define PLAYED(NAME, THREADS)                                                                                         \
    SUB_GROUP kernel void NAME##_groups(PARAMETERS) {                                                                 \
        FRAME(THREADS, get_group_id(0) / THREADS, get_group_id(0) % THREADS, NAME)                                    \
    }                                                                                                                 \
    SUB_GROUP kernel void NAME##_group(PARAMETERS) { FRAME(THREADS, get_group_id(0), get_sub_group_id(), NAME) }

#define TEST2(NAME, FIRST, SECOND)                                                                                    \
    void NAME(volatile global uint *v, uint role, uint *r0, uint *r1) {                                               \
        if (role == 0) { FIRST } else { SECOND }                                                                      \
    }                                                                                                                 \
    PLAYED(NAME, 2)
#define NOTHING
#define GLOBAL_FENCE FENCE(CLK_GLOBAL_MEM_FENCE);

#define MESSAGE_PASSING(NAME, WRITER, READER) \
    TEST2(NAME, v[X] = 1; WRITER v[Y] = 1;, *r0 = v[Y]; READER *r1 = v[X];)
MESSAGE_PASSING(mp, NOTHING, NOTHING)
MESSAGE_PASSING(mp_fences, GLOBAL_FENCE, GLOBAL_FENCE)
MESSAGE_PASSING(mp_writer, GLOBAL_FENCE, NOTHING)
MESSAGE_PASSING(mp_reader, NOTHING, GLOBAL_FENCE)

#define ATOMIC(place) ((volatile global atomic_uint *)(v + (place)))
TEST2(mp_relaxed, v[X] = 1; atomic_store_explicit(ATOMIC(Y), 1u, memory_order_relaxed, memory_scope_device);,
      *r0 = atomic_load_explicit(ATOMIC(Y), memory_order_relaxed, memory_scope_device); *r1 = v[X];)
TEST2(mp_release, v[X] = 1; atomic_store_explicit(ATOMIC(Y), 1u, memory_order_release, memory_scope_device);,
      *r0 = atomic_load_explicit(ATOMIC(Y), memory_order_acquire, memory_scope_device); *r1 = v[X];)

#define STORE_BUFFERING(NAME, BETWEEN) TEST2(NAME, v[X] = 1; BETWEEN *r0 = v[Y];, v[Y] = 1; BETWEEN *r0 = v[X];)
STORE_BUFFERING(sb, NOTHING)
STORE_BUFFERING(sb_fences, GLOBAL_FENCE)
TEST2(sb_seq_cst, atomic_store(ATOMIC(X), 1u); *r0 = atomic_load(ATOMIC(Y));,
      atomic_store(ATOMIC(Y), 1u); *r0 = atomic_load(ATOMIC(X));)

#define LOAD_BUFFERING(NAME, BETWEEN) TEST2(NAME, *r0 = v[X]; BETWEEN v[Y] = 1;, *r0 = v[Y]; BETWEEN v[X] = 1;)
LOAD_BUFFERING(lb, NOTHING)
LOAD_BUFFERING(lb_fences, GLOBAL_FENCE)

// One variable: a thread's reads of it never go back, and its last write stays.
TEST2(corr, v[X] = 1; v[X] = 2;, *r0 = v[X]; *r1 = v[AFTER(*r0, X)];)
TEST2(coww, v[X] = 1; v[X] = 2; GLOBAL_FENCE *r0 = v[X];, *r0 = v[X];)
// Who reads his own write back finds it, or one that came after it: the other must not then find his own last.
TEST2(cowr, v[X] = 1; *r0 = v[X]; GLOBAL_FENCE *r1 = v[X];, v[X] = 2; *r0 = v[X]; GLOBAL_FENCE *r1 = v[X];)

// A store of 64 bits is seen whole or not at all.
TEST2(tearing, for (uint k = 1; k < 5; ++k) *(volatile global ulong *)(v + X) = k * 0x100000001ul;,
      const ulong both = *(volatile global ulong *)(v + X); *r0 = (uint)both; *r1 = (uint)(both >> 32);)

// A store falls before or after an atomic, never inside it.
TEST2(store_atomic, v[X] = 16;, *r0 = atomic_add(v + X, 1u); GLOBAL_FENCE *r1 = v[X];)
// Of two that exchange 0 for their own value one fails.
TEST2(exchange, *r0 = atomic_cmpxchg(v + X, 0u, 1u);, *r0 = atomic_cmpxchg(v + X, 0u, 2u);)

// Two threads write, two read both in different orders: they agree on which came first.
#define READS(A, B, BETWEEN) *r0 = v[A]; BETWEEN *r1 = v[B];
#define INDEPENDENT(NAME, BETWEEN)                                                                                    \
    void NAME(volatile global uint *v, uint role, uint *r0, uint *r1) {                                               \
        if (role == 0) v[X] = 1;                                                                                      \
        if (role == 1) v[Y] = 1;                                                                                      \
        if (role == 2) { READS(X, Y, BETWEEN) }                                                                       \
        if (role == 3) { READS(Y, X, BETWEEN) }                                                                       \
    }                                                                                                                 \
    PLAYED(NAME, 4)
INDEPENDENT(iriw, NOTHING)
INDEPENDENT(iriw_fences, GLOBAL_FENCE)

// Every increment counts, and each thread gets another value.
void increments(volatile global uint *v, uint role, uint *r0, uint *r1) {
    *r0 = atomic_inc(v + X);
    *r1 = atomic_add(v + X, 1u);
}
PLAYED(increments, 4)

// Threads of a group meet at a barrier; both work-items of every sub-group take part.
#define THROUGH_BARRIER(NAME, FENCES, DECLARE, PLACE)                                                                 \
    SUB_GROUP kernel void NAME##_group(PARAMETERS) {                                                                  \
        const uint instance = get_group_id(0), role = get_sub_group_id();                                             \
        const bool lead = get_sub_group_local_id() == 0;                                                              \
        DECLARE                                                                                                       \
        for (uint round = 0; round < rounds; ++round) {                                                               \
            volatile global uint *v = memory + (instance * rounds + round) * VARIABLES * LINE;                         \
            const uint late = linger(random(seed, instance, round, role) >> 8, rounds);                               \
            if (lead && role == 0) PLACE = round + 1 + late;                                                          \
            barrier(FENCES);                                                                                          \
            if (lead && role == 1) {                                                                                  \
                RESULTS(2)[0] = PLACE == round + 1;                                                                   \
            }                                                                                                         \
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                      \
        }                                                                                                             \
    }
THROUGH_BARRIER(barrier_global, CLK_GLOBAL_MEM_FENCE, , v[X])
THROUGH_BARRIER(barrier_unfenced, CLK_LOCAL_MEM_FENCE, , v[X])
THROUGH_BARRIER(barrier_local, CLK_LOCAL_MEM_FENCE, local volatile uint cell;, cell)

// Local memory: all roles in one group, fresh variables by a barrier.
#define LOCAL_TEST(NAME, FIRST, SECOND)                                                                               \
    SUB_GROUP kernel void NAME##_group(PARAMETERS) {                                                                  \
        const uint instance = get_group_id(0), role = get_sub_group_id();                                             \
        const bool lead = get_sub_group_local_id() == 0;                                                              \
        local volatile uint cells[VARIABLES * LINE];                                                                  \
        for (uint round = 0; round < rounds; ++round) {                                                               \
            for (uint k = get_local_id(0); k < VARIABLES * LINE; k += get_local_size(0)) cells[k] = 0;                 \
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                      \
            volatile global uint *g = memory + (instance * rounds + round) * VARIABLES * LINE;                         \
            uint r0 = 9, r1 = 9;                                                                                      \
            local volatile uint *v = cells + linger(random(seed, instance, round, role) >> 8, rounds);                \
            if (lead) {                                                                                               \
                if (role == 0) { FIRST } else { SECOND }                                                              \
                RESULTS(2)[0] = r0;                                                                                   \
                RESULTS(2)[1] = r1;                                                                                   \
            }                                                                                                         \
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                      \
        }                                                                                                             \
    }
LOCAL_TEST(mp_local, v[X] = 1; v[Y] = 1;, r0 = v[Y]; r1 = v[AFTER(r0, X)];)
LOCAL_TEST(sb_local, v[X] = 1; r0 = v[Y];, v[Y] = 1; r0 = v[X];)
LOCAL_TEST(lb_local, r0 = v[X]; v[Y] = 1;, r0 = v[Y]; v[X] = 1;)
LOCAL_TEST(corr_local, v[X] = 1; v[X] = 2;, r0 = v[X]; r1 = v[AFTER(r0, X)];)
LOCAL_TEST(exchange_local, r0 = atomic_cmpxchg(v + X, 0u, 1u);, r0 = atomic_cmpxchg(v + X, 0u, 2u);)
#define BOTH_FENCE FENCE(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
LOCAL_TEST(mp_mixed, g[X] = 1; v[Y] = 1;, r0 = v[Y]; r1 = g[X];)
LOCAL_TEST(mp_mixed_fences, g[X] = 1; BOTH_FENCE v[Y] = 1;, r0 = v[Y]; BOTH_FENCE r1 = g[X];)
