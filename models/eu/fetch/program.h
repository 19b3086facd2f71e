// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/units.h"
#include "eu/execute/code_region.h"
#include "eu/execute/decoded.h"
#include "eu/issue/scoreboard.h"
#include "eu/issue/timing.h"
#include "eu/jit/compiled_region.h"
#include "eu/stats.h"
#include "interconnect/payload/message.h"

namespace gen9::eu {

struct InstructionUse;
struct Entry;

/// The facts of an instruction that timed mode needs at every issue.
class TimedEntry {
  public:
    bool reads_timestamp = false;          ///< tm0 must be up to date before it runs
    bool crosses_line = false;             ///< its bytes lie in two 64-byte lines
    MessagePort port = MessagePort::None;  ///< a send: where to, unless a0 says so
    CycleUse shadow = CycleUse::Pipe;      ///< what the next waits for in the front end
    bool steers_arbiter = false;           ///< has {Switch} or {Atomic}
    Pipe pipe = Pipe::AnyFpu;              ///< as in `decoded`
    GpuAddr line;                          ///< it begins in
    /// The next instruction, and where it last jumped to, when they are known.
    mutable const Entry *follower = nullptr, *target = nullptr;

  private:
    mutable const TimingTable* timed_by_ = nullptr;
    mutable IssueTiming timing_;

  public:
    RegisterUses uses;
    mutable InstructionUse* use = nullptr;  ///< what is counted for it

    TimedEntry() = default;
    /// The lines in which it begins and ends.
    TimedEntry(const DecodedInstruction& decoded, GpuAddr first_line, GpuAddr last_line);

    /// Its timing by a table of its program, worked out when the table changes: in practice all EUs
    /// have one.
    const IssueTiming& timing(const TimingTable& table, const DecodedInstruction& decoded) const {
        if (timed_by_ != &table) [[unlikely]] {
            timing_ = table.of(decoded);
            timed_by_ = &table;
        }
        return timing_;
    }
    void forget_run() {
        follower = target = nullptr;
        use = nullptr;
    }
};

/// The facts of an instruction that functional mode needs. A stepped region that begins here is made
/// when the instruction is run again, compiled code for it when that region has run often.
struct FunctionalEntry {
    const CodeRegion* stepped = nullptr;
    const jit::CompiledRegion* compiled = nullptr;  ///< may be entered here
    Entry* follows = nullptr;                       ///< what follows the stepped region
    Entry* jumped_to = nullptr;                     ///< where its branch went last
    std::uint32_t runs = 0, often = 0;  ///< of the stepped region; so many are worth compiling
    /// So many regions of its page had been compiled, and none may be entered here.
    std::uint32_t outside_of = 0;
    bool visited = false;
    bool reads_timestamp = false;  ///< as in TimedEntry
    unsigned send = 0;  ///< of those that always send, or end the thread: its number in the program

    /// Not how often it has run: threads of short draws come between many invalidations.
    void forget_run() {
        stepped = nullptr;
        compiled = nullptr;
        follows = jumped_to = nullptr;
        outside_of = 0;
        visited = false;
    }
};

/// An instruction at an address, made ready to run, and what each mode asks of it.
struct alignas(64) Entry {
    DecodedInstruction decoded;
    alignas(64) TimedEntry timed;
    FunctionalEntry functional;

    std::string why;                       ///< not empty: why it is illegal
    std::array<std::uint8_t, 16> bytes{};  ///< what it was made of; zeros behind its end
    bool fetched = false;                  ///< the bytes are what memory holds

    const IssueTiming& timing(const TimingTable& table) const {
        return timed.timing(table, decoded);
    }
    /// Forgets what was found out by running it.
    void forget_run() {
        timed.forget_run();
        functional.forget_run();
    }
};

/// Instructions made ready to run, shared by all EUs of a GPU: the bytes the EUs have fetched, and
/// what the executor made of them, once per address. It says what the code is; whether an EU has it
/// at hand is the EU's own affair (LineBuffer), so sharing it cannot be seen in time.
/// After an invalidation the bytes must be given again; instructions whose bytes are then the same
/// are not made ready anew. A page owns its instructions and its regions.
class Program {
  public:
    using Entry = eu::Entry;

    /// Regions take so much host memory at most, but one may always be made.
    static constexpr std::size_t kMostRegionBytes = std::size_t{8} << 20;
    explicit Program(std::size_t most_region_bytes = kMostRegionBytes)
        : most_region_bytes_(most_region_bytes) {}

    /// The instructions of 16 KB of code, by (ip >> 3): an instruction begins on 8 bytes. Most kernels
    /// and shaders lie in one, and so is what is compiled of them.
    static constexpr std::uint32_t kCodeBytes = 4 * kPageBytes;
    struct Page {
        GpuAddr base;  ///< instruction base the IPs are relative to
        std::uint32_t first_ip = 0;
        std::array<Entry*, kCodeBytes / 8> entries{};
        std::vector<std::uint16_t> ready;  ///< those of them that are not null
        std::array<std::unique_ptr<Entry>, kCodeBytes / 8> made;  ///< at any time before
        std::vector<std::unique_ptr<CodeRegion>> regions;
        /// Kept over an invalidation: good while all of its instructions are ready again.
        std::vector<std::unique_ptr<jit::CompiledRegion>> compiled;
        std::uint32_t compilations = 0;  ///< at any time before
        std::uint64_t generation = 0;    ///< of `entries`
        RegisterSet written;             ///< by instructions made ready here
        bool holds(std::uint32_t ip) const { return ((ip ^ first_ip) & ~(kCodeBytes - 1)) == 0; }
        Entry* find(std::uint32_t ip) const { return entries[ip % kCodeBytes >> 3]; }
    };

    /// The one table of these values: what is asked of an Entry.
    const TimingTable& share(const TimingTable& table);

    /// The page of an IP, made when it is new. Valid until the next invalidation.
    Page& page(GpuAddr base, std::uint32_t ip);

    /// The same where it is there already; or null. Changes nothing.
    Page* page_at_hand(GpuAddr base, std::uint32_t ip) const;

    /// Makes the instruction at `ip` ready, or returns null with the address of a line whose bytes
    /// it needs and that has not been filled.
    Entry* prepare(Page& page, std::uint32_t ip, GpuAddr& missing_line);

    /// Makes the region that begins with an entry of the page, as far as instructions are ready and
    /// room allows: regions of all pages go when they take too much. `sends`: it may send messages.
    void make_region(Page& page, Entry& entry, bool sends);
    /// Host memory that regions take now.
    std::size_t region_bytes() const { return region_bytes_; }

    /// Compiles the instructions around an entry of the page as far as they are ready, for the modes
    /// of `control` (cr0.0). False: that cannot be done.
    bool compile(Page& page, Entry& entry, std::uint32_t control, jit::Level level);
    /// Compiled code of before an invalidation becomes good for the entry again, if all of its
    /// instructions are ready.
    void take_up_compiled(Page& page, Entry& entry);
    /// So much has been compiled.
    struct Compiled {
        std::uint64_t regions = 0, instructions = 0, bytes = 0;
    };
    const Compiled& compiled() const { return compiled_; }

    /// Gives the 64 bytes at `line`. `fault`: they could not be read; to issue an instruction in
    /// them is then an error, to have prefetched them is not (EU-016).
    void fill(GpuAddr line, const std::uint8_t* bytes, bool fault);

    /// Drops all bytes and regions. Whoever keeps a Page or Entry must compare `generation()`
    /// before using it.
    void invalidate();
    std::uint64_t generation() const { return generation_; }
    /// Grows when sends are numbered from 0 again, which happens at an invalidation.
    std::uint64_t numbering() const { return numbering_; }

  private:
    // At most so much is kept over an invalidation.
    static constexpr std::size_t kKeptEntries = 1 << 14, kKeptPages = 1 << 9;
    struct Bytes {
        std::array<std::uint8_t, kPageBytes> data;
        std::uint64_t known = 0, faulted = 0;  ///< one bit per line
        std::uint64_t generation = 0;
    };
    struct PageKey {
        std::uint64_t base;
        std::uint32_t first_ip;
        bool operator==(const PageKey&) const = default;
    };
    struct PageHash {
        std::size_t operator()(const PageKey& key) const {
            return std::hash<std::uint64_t>{}((key.base + key.first_ip) * 0x9E3779B97F4A7C15ull ^
                                              key.base >> 7);
        }
    };
    // Compiled code takes so much host memory at most, and of one page so many regions.
    static constexpr std::size_t kMostCompiledBytes = std::size_t{32} << 20, kMostCompiled = 64;
    void free_regions();
    std::vector<jit::Part> parts_around(Page& page, const Entry& entry) const;
    void free_compiled();
    void free_compiled(Page& page);
    void forget_compiled(Page& page, const DecodedInstruction& instruction);
    /// Compiled code may be entered at the entries it is for.
    static void link(Page& page, const jit::CompiledRegion& region, const Entry& entry);
    /// Copies the 8 bytes at an address whose alignment is 8; false when they are not known.
    bool read(GpuAddr address, std::uint8_t* to, bool& fault) const;

    std::unordered_map<PageKey, std::unique_ptr<Page>, PageHash> pages_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Bytes>> bytes_;  ///< by page address
    std::vector<Page*> with_regions_;
    std::size_t entries_made_ = 0;  ///< of all pages
    unsigned sends_ = 0;            ///< numbers given
    std::uint64_t numbering_ = 0;
    std::size_t region_bytes_ = 0;
    std::vector<Page*> with_compiled_;
    std::size_t compiled_bytes_ = 0;
    Compiled compiled_;
    const std::size_t most_region_bytes_;
    std::deque<TimingTable> tables_;
    std::uint64_t generation_ = 0;
};

}  // namespace gen9::eu
