// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "cs/command/alu.h"

namespace gen9::cs {

/// Offsets the streamer itself acts on; the table gives all their properties.
enum Register : std::uint32_t {
    RING_TAIL = 0x2030,
    RING_HEAD = 0x2034,
    RING_START = 0x2038,
    RING_CTL = 0x203C,
    ACTHD_UDW = 0x205C,
    IPEHR = 0x2068,
    INSTDONE = 0x206C,
    ACTHD = 0x2074,
    HWS_PGA = 0x2080,
    NOPID = 0x2094,
    MI_MODE = 0x209C,
    IMR = 0x20A8,
    EIR = 0x20B0,
    EMR = 0x20B4,
    ESR = 0x20B8,
    R_PWR_CLK_STATE = 0x20C8,
    CS_DEBUG_MODE2 = 0x20D8,
    BB_STATE = 0x2110,
    SBB_ADDR = 0x2114,
    SBB_STATE = 0x2118,
    SBB_ADDR_UDW = 0x211C,
    UHPTR = 0x2134,
    SBB_PREEMPT_ADDR_UDW = 0x2138,
    SBB_PREEMPT_ADDR = 0x213C,
    BB_ADDR = 0x2140,
    BB_PREEMPT_ADDR = 0x2148,
    RING_BUFFER_HEAD_PREEMPT = 0x214C,
    BB_OFFSET = 0x2158,
    RS_PREEMPT_STATUS = 0x215C,
    BB_ADDR_UDW = 0x2168,
    BB_PREEMPT_ADDR_UDW = 0x216C,
    RS_PREEMPT_STATUS_UDW = 0x2174,
    PR_CTR_CTL = 0x2178,
    PR_CTR_THRSH = 0x217C,
    CCID = 0x2180,
    PR_CTR = 0x2190,
    BB_PER_CTX_PTR = 0x21C0,
    INDIRECT_CTX = 0x21C4,
    INDIRECT_CTX_OFFSET = 0x21C8,
    EXECLIST_SUBMIT_PORT = 0x2230,
    EXECLIST_STATUS = 0x2234,
    EXECLIST_STATUS_UDW = 0x2238,
    CTXT_SR_CTL = 0x2244,
    PDP0_LDW = 0x2270,
    PDP3_UDW = 0x228C,
    GPGPU_THREADS_DISPATCHED = 0x2290,
    GFX_MODE = 0x229C,
    PS_INVOCATION_COUNT_0 = 0x22C8,
    PS_DEPTH_COUNT_0 = 0x22D8,
    PS_INVOCATION_COUNT_1 = 0x22F0,
    PS_DEPTH_COUNT_1 = 0x22F8,
    PS_INVOCATION_COUNT_2 = 0x2448,
    PS_DEPTH_COUNT_2 = 0x2450,
    HS_INVOCATION_COUNT = 0x2300,
    DS_INVOCATION_COUNT = 0x2308,
    IA_VERTICES_COUNT = 0x2310,
    IA_PRIMITIVES_COUNT = 0x2318,
    VS_INVOCATION_COUNT = 0x2320,
    GS_INVOCATION_COUNT = 0x2328,
    GS_PRIMITIVES_COUNT = 0x2330,
    CL_INVOCATION_COUNT = 0x2338,
    CL_PRIMITIVES_COUNT = 0x2340,
    PS_INVOCATION_COUNT = 0x2348,
    PS_DEPTH_COUNT = 0x2350,
    PRIMITIVE_START_VERTEX = 0x2430,
    PRIMITIVE_VERTEX_COUNT = 0x2434,
    PRIMITIVE_INSTANCE_COUNT = 0x2438,
    PRIMITIVE_START_INSTANCE = 0x243C,
    PRIMITIVE_BASE_VERTEX = 0x2440,
    TIMESTAMP = 0x2358,
    TIMESTAMP_UDW = 0x235C,
    CTXT_ST_BUF = 0x2370,
    CTXT_ST_PTR = 0x23A0,
    CTX_TIMESTAMP = 0x23A8,
    MI_PREDICATE_RESULT_2 = 0x23BC,
    MI_PREDICATE_SRC0 = 0x2400,
    MI_PREDICATE_SRC1 = 0x2408,
    MI_PREDICATE_DATA = 0x2410,
    MI_PREDICATE_RESULT = 0x2418,
    MI_PREDICATE_RESULT_1 = 0x241C,
    PRODUCE_COUNT_BTP = 0x2480,
    PRODUCE_COUNT_GATHER_CONSTANTS = 0x248C,
    GPGPU_DISPATCHDIMX = 0x2500,
    CS_CHICKEN1 = 0x2580,
    CS_GPR = 0x2600,
    SO_NUM_PRIMS_WRITTEN = 0x5200,
    SO_PRIM_STORAGE_NEEDED = 0x5240,
    SO_WRITE_OFFSET = 0x5280,
    GFX_MOCS = 0xC800,
    LNCFCMOCS = 0xB020,
    OACTXCONTROL = 0x2360,
    OACTXID = 0x2364,
    OACONTROL = 0x2B00,
    OA_DEBUG = 0x2B04,
    OASTATUS = 0x2B08,
    OAHEADPTR = 0x2B0C,
    OATAILPTR = 0x2B10,
    OABUFFER = 0x2B14,
    L3CNTLREG = 0x7034,
    SC_INSTDONE = 0x7100,
    SAMPLER_INSTDONE = 0xE160,
    ROW_INSTDONE = 0xE164,
    TD_CTL2 = 0xE404,
    EU_PERF_CNT_CTL0 = 0xE458,
    EU_PERF_CNT_CTL1 = 0xE558,
    EU_PERF_CNT_CTL2 = 0xE658,
    EU_PERF_CNT_CTL3 = 0xE758,
    EU_PERF_CNT_CTL4 = 0xE45C,
    EU_PERF_CNT_CTL5 = 0xE55C,
    EU_PERF_CNT_CTL6 = 0xE65C,
};
/// In the order of the counters that they choose events for.
inline constexpr std::uint32_t kEuEventControls[] = {
    EU_PERF_CNT_CTL0, EU_PERF_CNT_CTL1, EU_PERF_CNT_CTL2, EU_PERF_CNT_CTL3,
    EU_PERF_CNT_CTL4, EU_PERF_CNT_CTL5, EU_PERF_CNT_CTL6};

/// Bits of IMR: 1 keeps an interrupt back (Public: Linux i915).
inline constexpr unsigned kUserInterrupt = 0, kErrorInterrupt = 3, kNotifyInterrupt = 4,
                          kWatchdogInterrupt = 6, kSwitchInterrupt = 8, kSemaphoreInterrupt = 11;
/// Bits of EIR, EMR and ESR: a command that cannot be executed, and one that a batch without
/// privilege may not give (Public: Linux i915).
inline constexpr std::uint32_t kInstructionError = 1u << 0, kPrivilegeError = 1u << 2;
/// INSTDONE: the bit of a unit that has work is 0 (Public: mesa gen9.xml, INSTDONE_1).
inline constexpr std::uint32_t kRingEnabled = 1u << 0, kDispatcherDone = 1u << 12,
                               kUrbDone = 1u << 13, kFrontEndDone = 1u << 16,
                               kSpawnerDone = 1u << 17, kStreamerDone = 1u << 20,
                               kCommandsDone = 1u << 21;
/// The units that compute work goes to: of a slice (data ports, gateways, TDC), of a subslice (TDL,
/// instruction cache, EUs and what joins them) and of its sampler (Public: mesa gen9.xml). Assumed:
/// all are busy while there is such work.
inline constexpr std::uint32_t kSliceDone = 0x01FF0000, kRowDone = 0x05EF9040,
                               kSamplerDone = 0x000FFFFF;
/// PR_CTR_CTL: the watchdog's counter stands still (Public: Linux i915 for Gen8).
inline constexpr std::uint32_t kCounterStopped = 1u << 0;
/// MI_MODE: the ring is stopped, and a stopped or idle ring says so (cs-rs guide 3.4).
inline constexpr std::uint32_t kStopRing = 1u << 8, kRingIdle = 1u << 9;
/// CS_CHICKEN1, bits 2:1: a walker is stopped inside a group (0), between groups (1), or not (2).
inline constexpr std::uint32_t kThreadLevel = 0, kCommandLevel = 2;
/// GFX_MODE: submissions are execlists.
inline constexpr std::uint32_t kExeclistEnable = 1u << 15;
/// CS_DEBUG_MODE2: draws, or media and GPGPU commands, are parsed and not executed (Public: mesa
/// gen9.xml).
inline constexpr std::uint32_t kRenderingDisable = 1u << 0, kMediaDisable = 1u << 1;
/// Constant buffer 0 has an absolute address (FF-83).
inline constexpr std::uint32_t kConstantsAreAbsolute = 1u << 4;

/// The rule by which a register takes a write.
enum class Access : std::uint8_t {
    ReadWrite,
    ReadOnly,
    Masked,        ///< bit n is written only if bit n + 16 is 1; the mask reads as 0 (CS-151)
    StreamOnly,    ///< written by LRI, LRM and LRR, not by the host (CS-15)
    External,      ///< belongs to another block: goes out by reg_out, a copy is kept here
    ClearedByOne,  ///< a 1 that is written clears the bit
};

/// One row of the register table; `count` registers of four bytes from `offset` on.
struct RegisterRow {
    const char* name;
    std::uint32_t offset;
    std::uint16_t count;
    Access access;
    std::uint32_t reset;
    bool context;  ///< part of the context image: a new context starts from its default
    const char* source;
};
std::span<const RegisterRow> register_rows();

enum class Writer : std::uint8_t { Host, Stream, Restore };

/// The streamer's register file: 8 MB of MMIO space, of which the pages in use exist. Offsets
/// without a row hold what was last written (CS-153).
class RegisterFile {
  public:
    static constexpr std::uint32_t kSpaceBytes = 1u << 23;  ///< offsets have bits 22:2

    /// `gprs`: where the general purpose registers are; null: here.
    explicit RegisterFile(AluUnit* gprs = nullptr);
    const RegisterRow* row(std::uint32_t offset) const;
    /// Name for reports: "CS_GPR+0x8", "register 0x20ec".
    std::string name(std::uint32_t offset) const;

    std::uint32_t read(std::uint32_t offset) const;
    std::uint64_t read64(std::uint32_t offset) const;
    /// Bypasses access rules: the hardware's own update.
    void set(std::uint32_t offset, std::uint32_t value);
    void set64(std::uint32_t offset, std::uint64_t value);
    /// Writes a register by its access rule; `byte_disables` keeps bytes as they are. The value
    /// that a host writes to an idle engine is also the one that new contexts start from. Returns
    /// what the register then holds.
    std::uint32_t write(std::uint32_t offset, std::uint32_t value, unsigned byte_disables,
                        Writer writer);
    /// The value that, written, gives the register its present contents (masks set).
    std::uint32_t saved(std::uint32_t offset) const;
    /// From now on `word` holds what `saved` says of a register. False: the register is elsewhere,
    /// and `word` is not written.
    bool show_in(std::uint32_t& word, std::uint32_t offset);
    /// Gives the context's registers the values a new context starts from.
    void reset_context();

  private:
    static constexpr std::uint32_t kPageRegisters = 1024;
    struct Page {
        std::array<std::uint32_t, kPageRegisters> value{}, initial{};
        std::array<std::uint32_t, kPageRegisters> enables{};  ///< that a write of all of it has
        std::array<std::uint16_t, kPageRegisters> row{};      ///< index into the table plus one
        std::array<std::uint32_t*, kPageRegisters> shown{};   ///< where `saved` is kept, or null
    };
    static constexpr std::uint32_t page_of(std::uint32_t offset) {
        return (offset & (kSpaceBytes - 1)) / 4 / kPageRegisters;
    }
    static constexpr std::uint32_t place_of(std::uint32_t offset) {
        return offset / 4 % kPageRegisters;
    }
    /// Is it a half of a general purpose register that is elsewhere?
    bool elsewhere(std::uint32_t offset) const {
        return gprs_ != nullptr && offset - CS_GPR < 4 * AluUnit::kHalves;
    }
    Page& page(std::uint32_t offset);
    static void show(const Page& home, std::uint32_t place) {
        if (std::uint32_t* const word = home.shown[place])
            *word = home.value[place] | home.enables[place];
    }
    AluUnit* gprs_;
    std::array<std::unique_ptr<Page>, kSpaceBytes / 4 / kPageRegisters> pages_;
};

}  // namespace gen9::cs
