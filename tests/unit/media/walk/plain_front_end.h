// SPDX-License-Identifier: Apache-2.0
// The front end told a second time: from the bits of commands, as the PRM draws them (guide 3.2), to what is refused and
// what threads are given. It keeps memory as a copy and works rule by rule, in no order.
#pragma once
#include <bit>
#include <deque>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "tests/unit/media/commands.h"
#include "tests/unit/media/objects/plain_loops.h"

namespace gen9::media::test {

using PlainBytes = std::vector<std::uint8_t>;

struct PlainMachine {
    unsigned slices = 1, subslices = 3, eus = 8, threads = 7, slm_banks = 0;
    unsigned urb_rows = 4096, slm_kb = 64;
    unsigned registers = 0, granule = 1;  ///< of an EU; 0: not counted
    bool by_use = false, ids_return_to_zero = false;

    /// One of a few shapes.
    static PlainMachine random(std::mt19937& numbers) {
        switch (numbers() % 4) {
            case 0:
                return {};
            case 1:
                return {3, 3, 8, 7};
            case 2:
                return {1, 3, 6, 6, 2};
            default:
                return {2, 2, 5, 3};
        }
    }
};

struct PlainVfe {
    std::uint64_t scratch_base = 0;
    unsigned scratch_code = 0, stack_code = 0, max_threads = 0, slice_disable = 0, power = 0;
    unsigned entries = 0, entry_rows = 0, curbe_rows = 0;
    bool scoreboard = false;
};

struct PlainDescriptor {
    std::uint64_t kernel = 0;
    bool software = false, stack = false, illegal = false, alternate = false, single = false;
    bool barrier = false, global = false;
    unsigned priority = 0, rounding = 0, sampler = 0, bindings = 0, read_offset = 0;
    unsigned own_rows = 0, cross_rows = 0, group_threads = 0, slm_code = 0;

    unsigned slm_kb() const { return slm_code ? 1u << (slm_code - 1) : 0; }
};

/// One thread of a walk.
struct PlainThread {
    std::array<std::uint32_t, 3> group{};
    unsigned in_group = 0;
    bool last_of_group = false;
    std::uint32_t mask = ~0u;
    unsigned x = 0, y = 0, color = 0, segment = 0;
    PlainBytes payload;  ///< behind R0
};

enum class PlainKind { Gpgpu, Object, Grpid, Prt, Walker };
enum class PlainGroup { None, Subslice, Pool, Machine };

struct PlainWalk {
    PlainKind kind = PlainKind::Gpgpu;
    PlainVfe vfe;
    PlainDescriptor descriptor;
    unsigned index = 0, simd = 32, registers = 0;
    std::optional<unsigned> entry;
    bool grouped = false, forced = false, uses_scoreboard = false, dealt_out = false;
    bool synchronized = false, children = false, fence = false, fence_vfe = false, ends = false;
    unsigned forced_subslice = 0, scoreboard_mask = 0;
    std::uint32_t group_id = 0;
    PlainGroup group = PlainGroup::None;
    std::uint64_t groups = 0;    ///< of a GPGPU walker
    unsigned group_threads = 1;  ///< of its first group, or of one that it would have
    std::vector<PlainThread> threads;
};

/// What a thread was given when it was sent.
struct PlainHeld {
    unsigned fftid = 0, handle = 0, barrier = 0, granule = 0;
};

/// R0 (TD-37..42, MED-50, MED-51, MED-53, MED-54).
inline std::array<std::uint32_t, 8> plain_header(const PlainWalk& w, const PlainThread& t,
                                                 const PlainHeld& held) {
    const PlainDescriptor& d = w.descriptor;
    const bool gpgpu = w.kind == PlainKind::Gpgpu;
    const std::uint64_t scratch =
        w.vfe.scratch_base + (std::uint64_t{held.fftid} << (10 + w.vfe.scratch_code));
    std::array<std::uint32_t, 8> r0{};
    r0[0] = held.handle & 0xFFFF;
    r0[3] = d.sampler | w.vfe.scratch_code;
    r0[4] = d.bindings;
    r0[5] = (static_cast<std::uint32_t>(scratch) & ~1023u) | held.fftid;
    if (gpgpu || w.grouped) {
        if (d.slm_code) r0[0] |= held.granule << 24;
        r0[2] = std::uint32_t(d.slm_code != 0) << 28 | std::uint32_t(d.barrier) << 29;
        if (d.barrier) r0[2] |= held.barrier >> 4 << 31 | (held.barrier & 15) << 24;
    }
    if (gpgpu) {
        r0[1] = t.group[0];
        r0[4] |= w.vfe.stack_code;
        r0[5] |= 1u << 9;
        r0[6] = t.group[1];
        r0[7] = t.group[2];
    } else if (w.kind == PlainKind::Prt) {
        r0[2] = w.index * 32;
        r0[5] = (r0[5] & ~1023u) | (held.fftid & 0xFF);
    } else {
        r0[0] |= w.scoreboard_mask << 16;
        r0[1] = t.y << 16 | t.x;
        r0[2] |= w.index << 4 | t.color;
        if (w.grouped) {
            r0[2] |= 1u << 30 | (t.group[1] & 0x1FFF) << 11;
            r0[7] = t.group[0];
        }
    }
    return r0;
}

/// What came of a command: the reasons to refuse it, or what it starts.
struct PlainOutcome {
    std::set<std::string> refused;
    PlainWalk walk;
};

class PlainFrontEnd {
  public:
    PlainFrontEnd(const PlainMachine& machine, const Memory& memory)
        : machine_(machine), memory_(&memory) {}

    /// Registers that each kernel names, by its place; any other lies nowhere and names none.
    std::map<std::uint64_t, std::set<unsigned>> kernels;
    bool counts_registers = false;
    bool deals_out = true;  ///< lines of a media walker, to the subslices in use

    const PlainVfe& vfe() const { return vfe_; }
    std::uint8_t second_pool(unsigned subslice) const { return pools_[subslice]; }
    bool pools_on() const { return pools_on_; }
    unsigned handle(unsigned entry) const {
        return (64 + vfe_.curbe_rows + entry * vfe_.entry_rows + 1) / 2;
    }
    const PlainBytes& curbe() const { return curbe_; }
    std::size_t free_entries() const { return free_.size(); }

    std::vector<unsigned> subslices_in_use() const {
        const std::uint32_t p = vfe_.power;
        const auto asked = [&](unsigned enable, unsigned low, unsigned have) {
            if (!(p >> 31) || !(p >> enable & 1)) return have;
            return std::min(have, std::max(1u, p >> low & 7));
        };
        std::vector<unsigned> flat;
        for (unsigned slice = 0; slice < asked(18, 15, machine_.slices); ++slice)
            for (unsigned s = 0; s < asked(11, 8, machine_.subslices); ++s) {
                if (vfe_.slice_disable == 1 && slice != 0) continue;
                if (vfe_.slice_disable == 3 && (slice != 0 || s != 0)) continue;
                flat.push_back(slice * machine_.subslices + s);
            }
        return flat;
    }
    unsigned eus_in_use() const {
        const unsigned most = vfe_.power >> 4 & 15;
        return vfe_.power >> 31 && most ? std::min(most, machine_.eus) : machine_.eus;
    }

    std::set<std::string> take_state(const PipelineCommand& c) {
        std::set<std::string> refused;
        PlainVfe v;
        v.power = c.power_request;
        v.scratch_code = cut(c, 1, 3, 0);
        v.stack_code = cut(c, 1, 7, 4);
        v.scratch_base = std::uint64_t{cut(c, 2, 15, 0)} << 32 | (cut(c, 1, 31, 0) & ~1023u);
        v.entries = cut(c, 3, 15, 8);
        v.max_threads = std::min(0xFFFFu, cut(c, 3, 31, 16) + 1);
        v.slice_disable = cut(c, 4, 1, 0);
        v.curbe_rows = cut(c, 5, 15, 0);
        v.entry_rows = cut(c, 5, 31, 16);
        v.scoreboard = cut(c, 6, 31, 31);
        if (v.scratch_code > 11 || v.stack_code > 11) refused.insert("size code above 11");
        if (v.entries > 128) refused.insert("more than 128");
        if (v.slice_disable == 2) refused.insert("SliceDisable");
        if (64 + v.curbe_rows + v.entries * v.entry_rows > machine_.urb_rows)
            refused.insert("URB rows; there are");
        if (!refused.empty()) return refused;
        vfe_ = v;
        vfe_given_ = true;
        free_.clear();
        for (unsigned i = 0; i < v.entries; ++i)
            free_.push_back(i);
        back_.clear();
        curbe_.assign(v.curbe_rows * 32, 0);
        return {};
    }
    std::set<std::string> take_pools(const PipelineCommand& c) {
        const bool on = cut(c, 1, 31, 31);
        if (on && machine_.slices * machine_.subslices != 3) return {"it takes three of six"};
        if (on && machine_.eus != 6) return {"it takes three of six"};
        if (on && machine_.slm_banks == 0) return {"share no local memory"};
        pools_on_ = on;
        for (unsigned s = 0; s < 3; ++s)
            pools_[s] = static_cast<std::uint8_t>(cut(c, 2, 8 * s + 2, 8 * s) |
                                                  cut(c, 2, 8 * s + 6, 8 * s + 4) << 3);
        return {};
    }
    std::set<std::string> take_descriptors(const PipelineCommand& c) {
        std::set<std::string> refused;
        const std::uint64_t bytes = cut(c, 2, 16, 0), offset = cut(c, 3, 31, 0);
        if (bytes > 64 * 32 || bytes % 32 != 0) refused.insert("descriptors are 32 bytes");
        if (offset + bytes > c.state->dynamic_state_size) refused.insert("dynamic state buffer");
        if (!refused.empty()) return refused;
        const PlainBytes data = read(c.state->dynamic_state_base.value + offset, bytes);
        std::copy(data.begin(), data.end(), descriptors_.begin());
        loaded_ = static_cast<unsigned>(bytes / 32);
        return {};
    }
    std::set<std::string> take_curbe(const PipelineCommand& c) {
        std::set<std::string> refused;
        const std::uint64_t bytes = cut(c, 2, 16, 0), offset = cut(c, 3, 31, 0);
        if (bytes > curbe_.size()) refused.insert("the CURBE area holds");
        if (offset + bytes > c.state->dynamic_state_size) refused.insert("dynamic state buffer");
        if (!refused.empty()) return refused;
        const PlainBytes data = read(c.state->dynamic_state_base.value + offset, bytes);
        std::copy(data.begin(), data.end(), curbe_.begin());
        return {};
    }
    /// An entry is free again at a cycle.
    void give_back(unsigned entry, unsigned at) {
        back_.emplace_back(at, entry);
        std::ranges::stable_sort(back_);
    }
    bool waits(PlainKind kind, const PipelineCommand& c, unsigned now) {
        while (!back_.empty() && back_.front().first <= now) {
            free_.push_back(back_.front().second);
            back_.pop_front();
        }
        return vfe_.entries != 0 && free_.empty() && takes_entry(kind, c);
    }

    PlainOutcome take(PlainKind kind, const PipelineCommand& c, unsigned in_group = 0) {
        PlainOutcome out;
        if (!vfe_given_) out.refused.insert("no MEDIA_VFE_STATE");
        PlainWalk& w = out.walk;
        w.kind = kind;
        w.vfe = vfe_;
        w.index = cut(c, 1, 5, 0);
        if (w.index >= loaded_) out.refused.insert(" loaded");
        w.descriptor = descriptor(w.index);
        kind == PlainKind::Gpgpu ? gpgpu(c, out) : media(kind, c, in_group, out);
        if (out.refused.empty() && takes_entry(kind, c)) {
            w.entry = free_.front();
            free_.pop_front();
        }
        return out;
    }
    PlainDescriptor descriptor(unsigned index) const {
        std::array<std::uint32_t, 8> d;
        std::memcpy(d.data(), &descriptors_[index * 32], 32);
        PlainDescriptor p;
        p.kernel = std::uint64_t{d[1] & 0xFFFF} << 32 | (d[0] & ~63u);
        p.software = d[2] >> 7 & 1;
        p.stack = d[2] >> 11 & 1;
        p.illegal = d[2] >> 13 & 1;
        p.alternate = d[2] >> 16 & 1;
        p.priority = d[2] >> 17 & 1;
        p.single = d[2] >> 18 & 1;
        p.sampler = d[3] & ~31u;
        p.bindings = d[4] & 0xFFE0;
        p.read_offset = d[5] & 0xFFFF;
        p.own_rows = d[5] >> 16;
        p.group_threads = d[6] & 0x3FF;
        p.global = d[6] >> 15 & 1;
        p.slm_code = d[6] >> 16 & 31;
        p.barrier = d[6] >> 21 & 1;
        p.rounding = d[6] >> 22 & 3;
        p.cross_rows = d[7] & 0xFF;
        return p;
    }

    static std::uint32_t cut(const PipelineCommand& c, unsigned dword, unsigned high,
                             unsigned low) {
        if (dword >= c.length_dwords) return 0;
        return static_cast<std::uint32_t>(std::uint64_t{c.dwords[dword]} >> low &
                                          ((std::uint64_t{1} << (high - low + 1)) - 1));
    }

  private:
    static unsigned rows(std::size_t bytes) { return static_cast<unsigned>((bytes + 31) / 32); }
    static PlainBytes padded(PlainBytes bytes) {
        bytes.resize(rows(bytes.size()) * 32);
        return bytes;
    }
    static PlainBytes inline_data(PlainKind kind, const PipelineCommand& c) {
        constexpr unsigned kFrom[] = {0, 6, 7, 4, 17};
        const unsigned from = kFrom[static_cast<unsigned>(kind)];
        PlainBytes data;
        if (kind == PlainKind::Gpgpu) return data;
        unsigned end = c.length_dwords;
        if (kind == PlainKind::Prt) end = std::min(end, 16u);
        for (unsigned i = from; i < end; ++i)
            for (unsigned byte = 0; byte < 4; ++byte)
                data.push_back(static_cast<std::uint8_t>(c.dwords[i] >> 8 * byte));
        return data;
    }
    static unsigned indirect_bytes(PlainKind kind, const PipelineCommand& c) {
        return kind == PlainKind::Prt ? 0 : cut(c, 2, 16, 0);
    }
    static bool has_children(PlainKind kind, const PipelineCommand& c) {
        return kind != PlainKind::Gpgpu && kind != PlainKind::Walker && cut(c, 2, 31, 31);
    }
    static bool takes_entry(PlainKind kind, const PipelineCommand& c) {
        return indirect_bytes(kind, c) != 0 || !inline_data(kind, c).empty() ||
               has_children(kind, c);
    }
    PlainBytes read(std::uint64_t address, std::uint64_t bytes) const {
        const auto from =
            memory_->bytes.begin() + static_cast<std::ptrdiff_t>(address - Memory::kBase);
        return {from, from + static_cast<std::ptrdiff_t>(bytes)};
    }
    /// `bytes` of the CURBE from a row on, as far as it goes.
    PlainBytes constants(std::size_t row, std::size_t bytes) const {
        PlainBytes data(bytes);
        for (std::size_t i = 0; i < bytes && row * 32 + i < curbe_.size(); ++i)
            data[i] = curbe_[row * 32 + i];
        return data;
    }

    void count_registers(unsigned payload, PlainOutcome& out) const {
        if (!counts_registers || machine_.registers == 0 ||
            machine_.registers >= machine_.threads * 128)
            return;
        unsigned taken = 128;
        if (machine_.by_use) {
            std::set<unsigned> all;
            if (const auto k = kernels.find(out.walk.descriptor.kernel); k != kernels.end())
                all = k->second;
            for (unsigned i = 0; i < std::min(payload, 128u); ++i)
                all.insert(i);
            taken = rows_up(static_cast<unsigned>(all.size()));
        }
        out.walk.registers = taken;
        if (taken > machine_.registers) out.refused.insert("registers; an EU has");
    }
    unsigned rows_up(unsigned named) const {
        unsigned taken = machine_.granule;
        while (taken < named)
            taken += machine_.granule;
        return taken;
    }
    void check_slm(PlainOutcome& out) const {
        const unsigned code = out.walk.descriptor.slm_code;
        unsigned largest = 0;  // the code of what a subslice has
        while ((1u << largest) <= machine_.slm_kb)
            ++largest;
        if (code > std::max(7u, largest)) out.refused.insert("reserved shared local memory size");
        if (code > largest) out.refused.insert("KB of shared local memory");
    }
    /// Threads that a group may have.
    unsigned room(PlainGroup group, unsigned registers) const {
        unsigned per_eu = machine_.threads;
        if (registers != 0) per_eu = std::min(per_eu, machine_.registers / registers);
        unsigned slots = eus_in_use() * per_eu;
        if (group == PlainGroup::Machine) slots *= static_cast<unsigned>(subslices_in_use().size());
        if (group == PlainGroup::Pool) {
            unsigned in_pool[2] = {};
            for (const unsigned s : subslices_in_use())
                for (unsigned eu = 0; eu < eus_in_use(); ++eu)
                    in_pool[pools_[s] >> eu & 1] += per_eu;
            slots = std::max(in_pool[0], in_pool[1]);
        }
        return std::min(slots, vfe_.max_threads);
    }
    PlainGroup group_kind(const PlainWalk& w) const {
        const PlainDescriptor& d = w.descriptor;
        const bool groups = w.grouped || w.kind == PlainKind::Gpgpu;
        if (!groups || (!d.barrier && d.slm_code == 0)) return PlainGroup::None;
        if (w.grouped && d.barrier && d.global && d.slm_code == 0) return PlainGroup::Machine;
        return pools_on_ ? PlainGroup::Pool : PlainGroup::Subslice;
    }
    /// Cross-thread rows and a thread's own; own rows first in the indirect form.
    PlainBytes split(const PlainBytes& data, const PlainDescriptor& d, unsigned thread,
                     bool indirect) const {
        PlainBytes shared(d.cross_rows * 32), own(d.own_rows * 32);
        std::copy_n(data.begin(), shared.size(), shared.begin());
        const std::size_t at = shared.size() + own.size() * thread;
        if (at + own.size() <= data.size())
            std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(at), own.size(), own.begin());
        PlainBytes& first = indirect ? own : shared;
        const PlainBytes& second = indirect ? shared : own;
        first.insert(first.end(), second.begin(), second.end());
        return first;
    }

    void gpgpu(const PipelineCommand& c, PlainOutcome& out) {
        PlainWalk& w = out.walk;
        const PlainDescriptor& d = w.descriptor;
        const unsigned width = cut(c, 4, 5, 0) + 1, height = cut(c, 4, 13, 8) + 1,
                       depth = cut(c, 4, 21, 16) + 1, code = cut(c, 4, 31, 30);
        const unsigned threads = width * height * depth;
        std::array<std::uint32_t, 3> start{c.dwords[5], c.dwords[8], c.dwords[11]},
            end{c.dwords[7], c.dwords[10], c.dwords[12]};
        if (cut(c, 0, 10, 10)) end = c.indirect_dimensions;
        if (code == 3) out.refused.insert("reserved SIMD");
        if (threads > (code == 2 ? 32 : 64)) out.refused.insert("threads in a group");
        const bool empty = !end[0] || !end[1] || !end[2];
        for (unsigned i = 0; i < 3; ++i)
            if (!empty && start[i] >= end[i]) out.refused.insert("starting group id");
        w.simd = 8u << code;
        w.group_threads = threads;
        w.group = group_kind(w);
        const unsigned registers = 1 + d.cross_rows + d.own_rows;
        check_slm(out);
        if (registers > 128) out.refused.insert("registers; a thread has 128");
        count_registers(registers, out);
        if (w.group != PlainGroup::None && threads > room(w.group, w.registers))
            out.refused.insert(w.group == PlainGroup::Pool ? "fit a pool" : "fit a subslice");
        const std::size_t needed = (d.cross_rows + std::size_t{d.own_rows} * threads) * 32;
        const std::uint64_t bytes = indirect_bytes(w.kind, c), offset = cut(c, 3, 31, 6) * 64ull;
        PlainBytes data;
        if (bytes != 0) {
            if (vfe_.entries == 0 || bytes > vfe_.entry_rows * 32)
                out.refused.insert("bytes of indirect data");
            if (needed > bytes) out.refused.insert("of payload");
            if (offset + bytes > c.state->indirect_object_size)
                out.refused.insert("indirect object buffer");
            if (out.refused.empty())
                data = read(c.state->indirect_object_base.value + offset, bytes);
        } else {
            if (needed != 0 && d.read_offset * 32 + needed > curbe_.size())
                out.refused.insert("of the CURBE");
            data = constants(d.read_offset, needed);
        }
        if (!out.refused.empty() || empty) return;
        w.groups = 0;
        const std::uint32_t whole = ~0u >> (32 - w.simd);
        for (std::uint32_t z = start[2]; z < end[2]; ++z) {
            const bool first_plane = z == start[2] || !machine_.ids_return_to_zero;
            for (std::uint32_t y = first_plane ? start[1] : 0; y < end[1]; ++y) {
                const bool first = !machine_.ids_return_to_zero || (z == start[2] && y == start[1]);
                for (std::uint32_t x = first ? start[0] : 0; x < end[0]; ++x) {
                    ++w.groups;
                    for (unsigned t = 0; t < threads; ++t) {
                        PlainThread p;
                        p.group = {x, y, z};
                        p.in_group = t;
                        p.last_of_group = t + 1 == threads;
                        p.mask = whole;
                        if (t % width == width - 1) p.mask &= c.dwords[13];
                        if (t / width % height == height - 1) p.mask &= c.dwords[14];
                        p.payload = split(data, d, t, bytes != 0);
                        w.threads.push_back(p);
                    }
                }
            }
        }
    }

    void media(PlainKind kind, const PipelineCommand& c, unsigned in_group, PlainOutcome& out) {
        PlainWalk& w = out.walk;
        const PlainDescriptor& d = w.descriptor;
        const bool walker = kind == PlainKind::Walker;
        const bool object = kind == PlainKind::Object || kind == PlainKind::Grpid;
        const PlainLoops loops =
            walker ? plain_loops_of({c.dwords.data(), c.length_dwords}) : PlainLoops{};
        const bool masked = walker && loops.pitch != 0;
        w.grouped = kind == PlainKind::Grpid || (walker && loops.select != 0);
        w.children = has_children(kind, c);
        w.synchronized = kind != PlainKind::Prt && cut(c, 2, 24, 24);
        w.uses_scoreboard = kind != PlainKind::Prt && cut(c, 2, 21, 21);
        w.scoreboard_mask = kind == PlainKind::Prt ? 0 : cut(c, 5, 7, 0);
        w.fence = kind == PlainKind::Prt && cut(c, 2, 23, 23);
        w.fence_vfe = kind == PlainKind::Prt && cut(c, 2, 22, 22);
        w.group_id = kind == PlainKind::Grpid ? cut(c, 6, 31, 0) : 0;
        w.ends = kind == PlainKind::Grpid && cut(c, 2, 23, 23);
        w.group = group_kind(w);
        if (walker && loops.select > 5) {
            out.refused.insert("loop select");
            return;
        }
        if (masked && loops.global.x > int(loops.pitch)) out.refused.insert("blocks in a row");
        if (w.grouped) check_slm(out);
        if (w.synchronized && w.uses_scoreboard && vfe_.scoreboard)
            out.refused.insert("with a scoreboard");
        w.forced = object && cut(c, 2, 22, 22);
        if (w.forced) {
            const unsigned slice = cut(c, 2, 20, 19) | cut(c, 2, 26, 25) << 2;
            const unsigned subslice = cut(c, 2, 18, 17);
            w.forced_subslice = slice * machine_.subslices + subslice;
            const auto in_use = subslices_in_use();
            if (subslice >= machine_.subslices || slice >= machine_.slices ||
                std::ranges::find(in_use, w.forced_subslice) == in_use.end())
                out.refused.insert("takes no threads");
        }
        // What the thread is given.
        const PlainBytes by_inline = padded(inline_data(kind, c));
        const unsigned indirect = indirect_bytes(kind, c);
        const unsigned constant_rows = masked ? 0 : d.own_rows + (w.grouped ? d.cross_rows : 0);
        const bool by_curbe = constant_rows != 0 && !(w.grouped && indirect != 0);
        if (walker && indirect != 0) out.refused.insert("a walker has none");
        const int sources = int(by_curbe) + int(!by_inline.empty()) + int(indirect != 0);
        if (sources == 0) out.refused.insert("neither CURBE nor");
        if (w.grouped && sources > 1) out.refused.insert("more than one of");
        const unsigned registers =
            1 + constant_rows + rows(by_inline.size()) + (w.grouped ? 0 : rows(indirect));
        if (registers > 128) out.refused.insert("registers; a thread has 128");
        count_registers(registers, out);
        const unsigned in_entry = rows(by_inline.size()) + rows(indirect);
        if (takes_entry(kind, c) && (vfe_.entries == 0 || in_entry > vfe_.entry_rows))
            out.refused.insert("rows of data");
        const std::uint64_t offset = object ? cut(c, 3, 31, 0) : 0;
        if (indirect != 0 && offset + indirect > c.state->indirect_object_size)
            out.refused.insert("indirect object buffer");
        if (masked && loops.pitch / 8 * unsigned(loops.global.y) > curbe_.size())
            out.refused.insert("a dispatch mask of");
        // Groups.
        std::vector<PlainPoint> points;
        if (walker) {
            w.dealt_out = deals_out && !masked && loops.select < 2 && subslices_in_use().size() > 1;
            points =
                plain_walk(loops, w.dealt_out ? unsigned(subslices_in_use().size()) : 1, curbe_);
        } else {
            PlainPoint p;
            p.at = {int(cut(c, 4, 8, 0)), int(cut(c, 4, 24, 16))};
            if (!object) p.at = {};
            points.push_back(p);
        }
        const auto first_group = [&](bool with_mask) {
            // In sequence: how a line is dealt out does not change how many threads a place has.
            const auto all = plain_walk(loops, 1, with_mask ? curbe_ : PlainBytes(1 << 16, 0xFF));
            std::size_t n = 1;
            while (n < all.size() && loops.select != 0 &&
                   plain_same_group(all[0], all[n], loops.select))
                ++n;
            return n;
        };
        if (w.group != PlainGroup::None) {
            const unsigned fit = room(w.group, w.registers);
            if (d.barrier && d.group_threads > fit) out.refused.insert("a barrier of");
            if (walker && !masked && first_group(false) > fit)
                out.refused.insert("groups of more threads");
        }
        PlainBytes shared;
        bool splits = false;
        if (w.grouped && !masked && by_inline.empty()) {
            splits = true;
            const std::size_t threads =
                walker ? std::min<std::size_t>(512, first_group(false)) : in_group + 1;
            const std::size_t needed = (d.cross_rows + d.own_rows * threads) * 32;
            if (indirect != 0 && needed > indirect) out.refused.insert("of payload");
            if (indirect == 0 && d.read_offset * 32 + needed > curbe_.size())
                out.refused.insert("of the CURBE");
            shared = constants(d.read_offset, needed);
        } else if (constant_rows != 0) {
            if ((d.read_offset + d.own_rows) * 32 > curbe_.size())
                out.refused.insert("outside the CURBE");
            shared = constants(d.read_offset, d.own_rows * 32);
        }
        if (!out.refused.empty()) return;
        PlainBytes loaded;
        if (indirect != 0) loaded = read(c.state->indirect_object_base.value + offset, indirect);
        if (splits && indirect != 0) shared = loaded;
        unsigned in_its_group = in_group;
        for (std::size_t n = 0; n < points.size(); ++n) {
            PlainThread t;
            t.x = unsigned(points[n].at.x);
            t.y = unsigned(points[n].at.y);
            t.color = walker ? points[n].counts[0] : object ? cut(c, 5, 19, 16) : 0;
            t.segment = points[n].segment;
            const std::uint64_t id = plain_group_id(points[n], walker ? loops.select : 0);
            t.group = {std::uint32_t(id), std::uint32_t(id >> 32), 0};
            if (kind == PlainKind::Grpid) t.group = {w.group_id, 0, 0};
            t.in_group = in_its_group++;
            t.last_of_group = n + 1 == points.size() && (kind != PlainKind::Grpid || w.ends);
            if (walker && w.grouped && !t.last_of_group)
                t.last_of_group = !plain_same_group(points[n], points[n + 1], loops.select);
            if (t.last_of_group) in_its_group = 0;
            t.payload = splits ? split(shared, d, t.in_group, indirect != 0) : shared;
            t.payload.insert(t.payload.end(), by_inline.begin(), by_inline.end());
            if (!w.grouped) {
                const PlainBytes rest = padded(loaded);
                t.payload.insert(t.payload.end(), rest.begin(), rest.end());
            }
            w.threads.push_back(t);
        }
        while (w.group_threads < w.threads.size() && !w.threads[w.group_threads - 1].last_of_group)
            ++w.group_threads;
    }

    PlainMachine machine_;
    const Memory* memory_;
    PlainVfe vfe_;
    bool vfe_given_ = false, pools_on_ = false;
    std::array<std::uint8_t, 3> pools_{};
    std::array<std::uint8_t, 64 * 32> descriptors_{};
    unsigned loaded_ = 0;
    PlainBytes curbe_;
    std::deque<unsigned> free_;
    std::deque<std::pair<unsigned, unsigned>> back_;
};

}  // namespace gen9::media::test
