// SPDX-License-Identifier: Apache-2.0
#include "cs/registers/registers.h"

#include <bit>
#include <cstdio>

#include "common/bits.h"

namespace gen9::cs {
namespace {

constexpr const char* kImage = "003:1834-1935 (context image)";
constexpr const char* kPower = "003:1715-1775 (power context)";
constexpr const char* kOa = "Public: Linux i915 (performance counters)";
constexpr const char* kPublic = "cs-rs guide 3.4";
using enum Access;

// clang-format off
constexpr RegisterRow kRows[] = {
    {"RPM_CONFIG", 0x0D00, 2, ReadWrite, 0, false, kOa},
    {"NOA_CONFIG", 0x0D0C, 9, ReadWrite, 0, false, kOa},
    {"EXCC", 0x2028, 1, ReadWrite, 0, true, kImage},
    {"RING_TAIL", RING_TAIL, 1, ReadWrite, 0, true, kImage},
    {"RING_HEAD", RING_HEAD, 1, ReadWrite, 0, true, kImage},
    {"RING_START", RING_START, 1, ReadWrite, 0, true, kImage},
    {"RING_CTL", RING_CTL, 1, ReadWrite, 0, true, kImage},
    {"RC_PSMI_CONTROL", 0x2050, 1, Masked, 0, false, kPower},
    {"RC_PWRCTX_MAXCNT", 0x2054, 1, ReadWrite, 0, false, kPower},
    {"CTX_WA_PTR", 0x2058, 1, ReadWrite, 0, false, kPower},
    {"ACTHD_UDW", ACTHD_UDW, 1, ReadOnly, 0, false, kPublic},
    {"IPEHR", IPEHR, 1, ReadWrite, 0, true, kImage},
    {"INSTDONE", INSTDONE, 1, ReadOnly, 0xFFFFFFFF, false, kPublic},
    {"ACTHD", ACTHD, 1, ReadOnly, 0, false, kPublic},
    {"HWS_PGA", HWS_PGA, 1, ReadWrite, 0, false, kPower},
    {"NOPID", NOPID, 1, ReadWrite, 0, false, kPower},
    {"HWSTAM", 0x2098, 1, ReadWrite, 0xFFFFFFFF, false, kPower},
    {"MI_MODE", MI_MODE, 1, Masked, 0x200, true, kImage},
    {"FF_THREAD_MODE", 0x20A0, 1, ReadWrite, 0, false, "003:1776-1792"},
    {"IMR", IMR, 1, ReadWrite, 0xFFFFFFFF, false, kPower},
    {"EIR", EIR, 1, ClearedByOne, 0, false, kPower},
    {"EMR", EMR, 1, ReadWrite, 0xFFFFFFFF, false, kPower},
    {"ESR", ESR, 1, ReadOnly, 0, false, "Public: Linux i915"},
    {"INSTPM", 0x20C0, 1, Masked, 0, true, kImage},
    {"CMD_CCTL_0", 0x20C4, 1, ReadWrite, 0, false, kPower},
    {"R_PWR_CLK_STATE", R_PWR_CLK_STATE, 1, ReadWrite, 0, true, "003:1865-1869"},
    {"WAIT_FOR_RC6_EXIT", 0x20CC, 1, Masked, 0, false, kPower},
    {"CS_DEBUG_MODE2", 0x20D8, 1, Masked, 0, false, kPublic},
    {"CS_DEBUG_MODE1", 0x20EC, 1, Masked, 0, false, kPublic},
    {"BB_STATE", BB_STATE, 1, ReadWrite, 0, true, kImage},
    {"SBB_ADDR", SBB_ADDR, 1, ReadWrite, 0, true, kImage},
    {"SBB_STATE", SBB_STATE, 1, ReadWrite, 0, true, kImage},
    {"SBB_ADDR_UDW", SBB_ADDR_UDW, 1, ReadWrite, 0, true, kImage},
    {"GAFS_MODE", 0x212C, 1, Masked, 0, false, "003:1188-1210"},
    {"UHPTR", UHPTR, 1, ReadWrite, 0, false, kPower},
    {"SBB_PREEMPT_ADDR_UDW", SBB_PREEMPT_ADDR_UDW, 2, ReadOnly, 0, false, kPower},
    {"BB_ADDR", BB_ADDR, 1, ReadWrite, 0, true, kImage},
    {"BB_PREEMPT_ADDR", BB_PREEMPT_ADDR, 2, ReadOnly, 0, false, kPower},
    {"BB_START_ADDR", 0x2150, 1, ReadWrite, 0, true, kImage},
    {"BB_ADD_DIFF", 0x2154, 1, ReadWrite, 0, true, kImage},
    {"BB_OFFSET", BB_OFFSET, 1, ReadWrite, 0, true, kImage},
    {"RS_PREEMPT_STATUS", 0x215C, 1, ReadWrite, 0, true, kImage},
    {"BB_ADDR_UDW", BB_ADDR_UDW, 1, ReadWrite, 0, true, kImage},
    {"BB_PREEMPT_ADDR_UDW", BB_PREEMPT_ADDR_UDW, 1, ReadOnly, 0, false, kPower},
    {"BB_START_ADDR_UDW", 0x2170, 1, ReadWrite, 0, true, kImage},
    {"RS_PREEMPT_STATUS_UDW", 0x2174, 1, ReadWrite, 0, true, kImage},
    // Assumed: the counter stands still until it is asked for.
    {"PR_CTR_CTL", PR_CTR_CTL, 1, ReadWrite, kCounterStopped, true, kImage},
    {"PR_CTR_THRSH", PR_CTR_THRSH, 1, ReadWrite, 0, true, kImage},
    {"CCID", CCID, 1, ReadWrite, 0, false, kPower},
    {"CS_CONTEXT_STATUS1", 0x2184, 1, ReadWrite, 0, true, kImage},
    {"PR_CTR", PR_CTR, 1, ReadOnly, 0, false, "Public: Gen7 register documents"},
    {"CXT_SIZE", 0x21A8, 2, ReadWrite, 0, false, "003:1776-1792"},
    {"RS_OFFSET", 0x21B4, 1, ReadWrite, 0, false, "003:1776-1792"},
    {"URB_CTX_OFFSET", 0x21B8, 2, ReadWrite, 0, false, "003:1776-1792"},
    {"BB_PER_CTX_PTR", BB_PER_CTX_PTR, 1, ReadWrite, 0, true, kImage},
    {"RCS_INDIRECT_CTX", INDIRECT_CTX, 1, ReadWrite, 0, true, kImage},
    {"RCS_INDIRECT_CTX_OFFSET", INDIRECT_CTX_OFFSET, 1, ReadWrite, 0, true, kImage},
    {"PREEMPT_DLY", 0x2214, 1, ReadWrite, 0, false, kPower},
    {"EXECLIST_SUBMIT_PORT", EXECLIST_SUBMIT_PORT, 1, ReadWrite, 0, false, kPublic},
    {"EXECLIST_STATUS", EXECLIST_STATUS, 2, ReadOnly, 0, false, kPower},
    {"IDLEDELAY", 0x223C, 1, ReadWrite, 0, false, kPower},
    {"CTXT_SR_CTL", CTXT_SR_CTL, 1, Masked, 0, true, kImage},
    {"CTXT_PREMP_DBG", 0x2248, 1, ReadWrite, 0, false, kPower},
    {"SEMA_WAIT_POLL", 0x224C, 1, ReadWrite, 0, false, kPower},
    {"PDP", PDP0_LDW, 8, External, 0, true, "003:1851-1863"},
    {"TS_GPGPU_THREADS_DISPATCHED", GPGPU_THREADS_DISPATCHED, 2, ReadWrite, 0, true, kImage},
    {"GFX_MODE", GFX_MODE, 1, Masked, 0, false, kPower},
    {"PS_INVOCATION_COUNT_0", 0x22C8, 2, StreamOnly, 0, true, "003:1889-1931"},
    {"PS_DEPTH_COUNT_0", 0x22D8, 2, StreamOnly, 0, true, "003:1889-1931"},
    {"PS_INVOCATION_COUNT_1", 0x22F0, 2, StreamOnly, 0, true, "003:1889-1931"},
    {"PS_DEPTH_COUNT_1", 0x22F8, 2, StreamOnly, 0, true, "003:1889-1931"},
    {"HS_INVOCATION_COUNT", 0x2300, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"DS_INVOCATION_COUNT", 0x2308, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"IA_VERTICES_COUNT", 0x2310, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"IA_PRIMITIVES_COUNT", 0x2318, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"VS_INVOCATION_COUNT", 0x2320, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"GS_INVOCATION_COUNT", 0x2328, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"GS_PRIMITIVES_COUNT", 0x2330, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"CL_INVOCATION_COUNT", 0x2338, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"CL_PRIMITIVES_COUNT", 0x2340, 2, StreamOnly, 0, true, "003:1240-1272"},
    {"PS_INVOCATION_COUNT", 0x2348, 2, StreamOnly, 0, false, "Public: mesa gen9.xml"},
    {"PS_DEPTH_COUNT", PS_DEPTH_COUNT, 2, StreamOnly, 0, false, "Public: mesa gen9.xml"},
    {"TIMESTAMP", TIMESTAMP, 2, ReadOnly, 0, false, "003:1274, 003:1877"},
    {"OACTXCONTROL", OACTXCONTROL, 2, ReadWrite, 0, true, kImage},
    {"CTXT_ST_BUF", CTXT_ST_BUF, 12, ReadOnly, 0, false, "003:1767-1768"},
    // Read and write pointers at the last entry, so that the first event goes to entry 0
    // (Public: i915, which sets this value on reset).
    {"CTXT_ST_PTR", CTXT_ST_PTR, 1, Masked, 0x0505, false, "003:1767-1768"},
    {"CTX_TIMESTAMP", CTX_TIMESTAMP, 1, ReadWrite, 0, true, "003:1284-1293, 003:1853"},
    {"MI_PREDICATE_RESULT_2", MI_PREDICATE_RESULT_2, 1, ReadWrite, 0, false, "003:1766"},
    {"MI_PREDICATE_SRC0", MI_PREDICATE_SRC0, 2, ReadWrite, 0, true, "003:1112-1124"},
    {"MI_PREDICATE_SRC1", MI_PREDICATE_SRC1, 2, ReadWrite, 0, true, "003:1112-1124"},
    {"MI_PREDICATE_DATA", MI_PREDICATE_DATA, 2, ReadWrite, 0, true, "003:1112-1124"},
    {"MI_PREDICATE_RESULT", MI_PREDICATE_RESULT, 1, ReadWrite, 0, true, "003:1911"},
    {"MI_PREDICATE_RESULT_1", MI_PREDICATE_RESULT_1, 1, ReadWrite, 0, true, "003:1882"},
    {"3DPRIM_END_OFFSET", 0x2420, 1, ReadWrite, 0, true, kImage},
    {"3DPRIM_START_VERTEX", 0x2430, 1, ReadWrite, 0, true, kImage},
    {"3DPRIM_VERTEX_COUNT", 0x2434, 1, ReadWrite, 0, true, kImage},
    {"3DPRIM_INSTANCE_COUNT", 0x2438, 1, ReadWrite, 0, true, kImage},
    {"3DPRIM_START_INSTANCE", 0x243C, 1, ReadWrite, 0, true, kImage},
    {"3DPRIM_BASE_VERTEX", 0x2440, 1, ReadWrite, 0, true, kImage},
    {"PS_INVOCATION_COUNT_2", 0x2448, 2, StreamOnly, 0, true, "003:1889-1931"},
    {"PS_DEPTH_COUNT_2", 0x2450, 2, StreamOnly, 0, true, "003:1889-1931"},
    {"PRODUCE_COUNT_BTP", 0x2480, 2, ReadWrite, 0, true, kImage},
    {"PRODUCE_COUNT_GATHER_CONSTANTS", 0x248C, 1, ReadWrite, 0, true, kImage},
    {"PARSED_COUNT_BTP", 0x2490, 2, ReadWrite, 0, true, kImage},
    {"CTX_SEMA_REG", 0x24B4, 2, ReadWrite, 0, true, kImage},
    {"CS_PREEMPTION_HINT", 0x24BC, 1, ReadWrite, 0, false, kPower},
    {"RS_PREEMPTION_HINT", 0x24C0, 2, ReadWrite, 0, false, "003:1776-1792"},
    {"CS_PREEMPTION_HINT_UDW", 0x24C8, 2, ReadWrite, 0, false, kPower},
    {"RCS_FORCE_TO_NONPRIV", 0x24D0, 12, ReadWrite, 0, false, "003:1772"},
    {"GPGPU_DISPATCHDIM", GPGPU_DISPATCHDIMX, 3, ReadWrite, 0, true, "003:1295-1319"},
    {"CS_CHICKEN1", 0x2580, 1, Masked, 0, true, kPublic},
    {"CS_GPR", CS_GPR, 32, ReadWrite, 0, true, "003:1525-1527"},
    {"OASTARTTRIG", 0x2710, 8, ReadWrite, 0, false, kOa},
    {"OAREPORTTRIG", 0x2740, 8, ReadWrite, 0, false, kOa},
    {"OACEC", 0x2770, 16, ReadWrite, 0, false, kOa},
    {"OACONTROL", OACONTROL, 1, ReadWrite, 0, false, kOa},
    {"OA_DEBUG", OA_DEBUG, 1, Masked, 0, false, kOa},
    {"OASTATUS", OASTATUS, 1, ReadWrite, 0, false, kOa},
    {"OAHEADPTR", OAHEADPTR, 1, ReadWrite, 0, false, kOa},
    {"OATAILPTR", OATAILPTR, 1, ReadWrite, 0, false, kOa},
    {"OABUFFER", OABUFFER, 1, ReadWrite, 0, false, kOa},
    {"GAM", 0x4000, 192, External, 0, false, "Public: Linux i915"},
    {"FAULT_TLB_DATA", 0x4B10, 2, External, 0, false, "Public: Linux i915"},
    {"TILED_RESOURCES", 0x4DE0, 6, ReadWrite, 0, true, "003:1951-2026"},
    {"SO_NUM_PRIMS_WRITTEN", SO_NUM_PRIMS_WRITTEN, 8, StreamOnly, 0, true, "003:2181-2194"},
    {"SO_PRIM_STORAGE_NEEDED", SO_PRIM_STORAGE_NEEDED, 8, StreamOnly, 0, true, "003:2181-2194"},
    {"SO_WRITE_OFFSET", SO_WRITE_OFFSET, 4, ReadWrite, 0, true, "003:2181-2194"},
    {"WMHWCLRVAL", 0x5524, 1, ReadWrite, 0, true, "003:2163"},
    {"CACHE_MODE_0", 0x7000, 1, Masked, 0, true, "003:2132-2137"},
    {"CACHE_MODE_1", 0x7004, 1, Masked, 0, true, "003:2132-2137"},
    {"GT_MODE", 0x7008, 1, Masked, 0, true, "003:2132-2137"},
    {"FBC_RT_BASE_ADDR_REGISTER", 0x7020, 2, ReadWrite, 0, true, "003:2132-2137"},
    {"SAMPLER_MODE", 0x7028, 1, Masked, 0, true, "003:2132-2137"},
    {"OA_CULL", 0x7030, 1, ReadWrite, 0, true, "003:2132-2137"},
    {"L3CNTLREG", L3CNTLREG, 1, External, 0x60000060, true, "003:1212-1234"},
    {"SC_INSTDONE", SC_INSTDONE, 1, ReadOnly, 0xFFFFFFFF, false, "Public: mesa gen9.xml"},
    {"HDC_CHICKEN0", 0x7300, 1, External, 0, false, "Public: Linux i915"},
    {"VF_INSTANCE_COUNT", 0x8300, 34, ReadOnly, 0, true, "003:1173-1186"},
    {"OA_PERFCNT", 0x91B8, 4, ReadWrite, 0, false, kOa},
    {"OA_PERFMATRIX", 0x91C8, 2, ReadWrite, 0, false, kOa},
    {"MICRO_BP", 0x9800, 34, ReadWrite, 0, false, kOa},
    {"NOA_WRITE", 0x9888, 1, ReadWrite, 0, false, kOa},
    {"RPSTAT0", 0xA01C, 1, ReadWrite, 0, false, "Public: Linux i915"},
    {"LNCF", 0xB000, 320, External, 0, true, "003:2027-2066, cs-rs guide 3.4"},
    {"GFX_MOCS", GFX_MOCS, 64, External, 0, true, "003:1951-2026"},
    {"SAMPLER_INSTDONE", SAMPLER_INSTDONE, 1, ReadOnly, 0xFFFFFFFF, false, "Public: mesa gen9.xml"},
    {"ROW_INSTDONE", ROW_INSTDONE, 1, ReadOnly, 0xFFFFFFFF, false, "Public: mesa gen9.xml"},
    {"HALF_SLICE_CHICKEN2", 0xE180, 1, Masked, 0, false, "Public: Linux i915"},
    {"TD_CTL", 0xE400, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"TD_CTL2", TD_CTL2, 1, External, 0, true, "003:2141-2160"},
    {"TD_VF_VS_EMSK", 0xE408, 3, ReadWrite, 0, true, "003:2141-2160"},
    {"TD_TS_EMSK", 0xE428, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"EU_PERF_CNT_CTL0", EU_PERF_CNT_CTL0, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"EU_PERF_CNT_CTL4", EU_PERF_CNT_CTL4, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"TD_HS_EMSK", 0xE4B0, 2, ReadWrite, 0, true, "003:2141-2160"},
    {"EU_PERF_CNT_CTL1", EU_PERF_CNT_CTL1, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"EU_PERF_CNT_CTL5", EU_PERF_CNT_CTL5, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"EU_PERF_CNT_CTL2", EU_PERF_CNT_CTL2, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"EU_PERF_CNT_CTL6", EU_PERF_CNT_CTL6, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"EU_PERF_CNT_CTL3", EU_PERF_CNT_CTL3, 1, ReadWrite, 0, true, "003:2141-2160"},
    {"GFX_FLSH_CNTL", 0x101008, 1, External, 0, false, "Public: Linux i915"},
};
// clang-format on

constexpr bool rows_disjoint() {
    std::uint32_t next = 0;
    for (const RegisterRow& row : kRows) {
        if (row.offset < next || row.count == 0) return false;
        next = row.offset + row.count * 4;
    }
    return true;
}
static_assert(rows_disjoint(), "register rows stand in order of offset and do not overlap");

}  // namespace

std::span<const RegisterRow> register_rows() {
    return kRows;
}

RegisterFile::RegisterFile(AluUnit* gprs) : gprs_(gprs) {
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        for (unsigned n = 0; n < kRows[i].count; ++n) {
            const std::uint32_t offset = kRows[i].offset + 4 * n;
            Page& home = page(offset);
            home.row[place_of(offset)] = static_cast<std::uint16_t>(i + 1);
            if (kRows[i].access == Masked) home.enables[place_of(offset)] = 0xFFFF0000u;
            home.value[place_of(offset)] = home.initial[place_of(offset)] = kRows[i].reset;
        }
    }
}

RegisterFile::Page& RegisterFile::page(std::uint32_t offset) {
    auto& home = pages_[page_of(offset)];
    if (!home) home = std::make_unique<Page>();
    return *home;
}

const RegisterRow* RegisterFile::row(std::uint32_t offset) const {
    const auto& home = pages_[page_of(offset)];
    const std::uint16_t index = home ? home->row[place_of(offset)] : 0;
    return index ? &kRows[index - 1] : nullptr;
}

std::string RegisterFile::name(std::uint32_t offset) const {
    char text[32];
    const RegisterRow* found = row(offset);
    if (!found) {
        std::snprintf(text, sizeof text, "register 0x%x", offset);
        return text;
    }
    if (found->offset == offset) return found->name;
    std::snprintf(text, sizeof text, "+0x%x", offset - found->offset);
    return std::string(found->name) + text;
}

std::uint32_t RegisterFile::read(std::uint32_t offset) const {
    if (elsewhere(offset)) return gprs_->read((offset - CS_GPR) / 4);
    const auto& home = pages_[page_of(offset)];
    return home ? home->value[place_of(offset)] : 0;
}

std::uint64_t RegisterFile::read64(std::uint32_t offset) const {
    return std::uint64_t{read(offset + 4)} << 32 | read(offset);
}

void RegisterFile::set(std::uint32_t offset, std::uint32_t value) {
    if (elsewhere(offset)) return gprs_->write((offset - CS_GPR) / 4, value);
    Page& home = page(offset);
    home.value[place_of(offset)] = value;
    show(home, place_of(offset));
}

void RegisterFile::set64(std::uint32_t offset, std::uint64_t value) {
    set(offset, static_cast<std::uint32_t>(value));
    set(offset + 4, static_cast<std::uint32_t>(value >> 32));
}

std::uint32_t RegisterFile::write(std::uint32_t offset, std::uint32_t value, unsigned byte_disables,
                                  Writer writer) {
    const RegisterRow* found = row(offset);
    const Access access = found ? found->access : ReadWrite;
    const std::uint32_t old = read(offset);
    if (access == ReadOnly || (access == StreamOnly && writer == Writer::Host)) return old;
    std::uint32_t keep = 0;
    for (unsigned left = byte_disables & 0xF; left != 0; left &= left - 1)
        keep |= 0xFFu << 8 * std::countr_zero(left);
    if (access == Masked) {
        keep |= ~(value >> 16 & ~keep >> 16) & 0xFFFF;
        value &= 0xFFFF;
        keep &= 0xFFFF;
    }
    if (access == ClearedByOne) value = old & ~value;
    const std::uint32_t result = (old & keep) | (value & ~keep);
    set(offset, result);
    if (writer == Writer::Host) page(offset).initial[place_of(offset)] = result;
    return result;
}

std::uint32_t RegisterFile::saved(std::uint32_t offset) const {
    const RegisterRow* found = row(offset);
    return read(offset) | (found && found->access == Masked ? 0xFFFF0000u : 0u);
}

bool RegisterFile::show_in(std::uint32_t& word, std::uint32_t offset) {
    if (elsewhere(offset)) return false;
    Page& home = page(offset);
    home.shown[place_of(offset)] = &word;
    show(home, place_of(offset));
    return true;
}

void RegisterFile::reset_context() {
    for (const RegisterRow& row : kRows) {
        if (!row.context || row.access == External) continue;
        for (unsigned n = 0; n < row.count; ++n) {
            const std::uint32_t offset = row.offset + 4 * n;
            set(offset, page(offset).initial[place_of(offset)]);
        }
    }
}

}  // namespace gen9::cs
