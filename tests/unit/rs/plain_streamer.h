// SPDX-License-Identifier: Apache-2.0
// When the resource streamer does what (docs/blocks/rs.md), written down a second time: a story told
// from the beginning to the end, in which others ask for things at random times. What they asked and
// what must come of it is kept, to be played to the block.
#pragma once
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "tests/unit/rs/plain_records.h"
#include "tests/unit/rs/random_stream.h"

namespace gen9::test::plain {

class Streamer {
  public:
    Core core;
    std::vector<Access> accesses;
    std::deque<Ask> asks;
    /// By cycle: why it passes (from then on), the command that is parsed, products that wait.
    std::vector<std::pair<Tick, Why>> reasons;
    struct Parsed {
        std::uint64_t at;
        std::uint32_t header;
        std::uint64_t id;
    };
    std::map<Tick, Parsed> parsed;
    std::map<Tick, std::array<std::size_t, 2>> waits;
    std::array<std::uint64_t, 7> cycles{};
    std::uint64_t commands = 0, dwords = 0, fetches = 0, starts = 0, stops = 0, limits = 0,
                  halts = 0, lines_read = 0, lines_written = 0, dropped = 0, bad_images = 0;

    Streamer(const Facts& facts, RandomStream& random, std::array<Memory, 2>& memories,
             std::vector<std::uint64_t> commands_at)
        : facts_(facts),
          random_(random),
          memories_(memories),
          commands_at_(std::move(commands_at)) {
        bus_.read = [this](const std::vector<std::uint64_t>& lines) { return read(lines); };
        bus_.write = [this](const auto& lines) { write(lines); };
    }

    Tick run(unsigned jobs) {
        for (jobs_ = jobs; jobs_ > 0; --jobs_) {
            while (job_ == nullptr)
                hear();
            hear_until(job_->at);
            pass(edge(job_->at + job_->delay + facts_.message * kCycle), kIdle);
            const ResourceRequest::Operation operation = job_->request.operation;
            if (operation == ResourceRequest::Operation::Parse)
                parse();
            else
                move_context(operation == ResourceRequest::Operation::Save);
            refuse_consumer();
            reasons.emplace_back(own_ / kCycle, kIdle);
            job_->answered = answered_at_ = own_ + facts_.message * kCycle;
            job_ = nullptr;
        }
        return own_;
    }

  private:
    using Operation = ResourceRequest::Operation;
    using Space = AddressSpace;

    // --- Time
    void hear_until(Tick to) {
        while (next_ <= to)
            hear();
    }
    void pass(Tick to, Why why) {
        to = edge(std::max(to, own_));
        count(to, why);
        hear_until(to);
        own_ = to;
    }
    void count(Tick to, Why why) {
        if (to <= counted_) return;
        reasons.emplace_back(counted_ / kCycle, why);
        cycles[why] += static_cast<std::uint64_t>((to - counted_) / kCycle);
        counted_ = to;
    }

    // --- What others ask
    void hear() {
        now_ = next_;
        next_ += random_.once_in(6) ? 0 : random_.any(facts_.pause * kCycle) + 1;
        if (now_ < quiet_until_) return;
        switch (random_.any(16)) {
            case 0:
                if (facts_.steps && halts_) tell(Operation::Halt);
                break;
            case 1:
                if (joins_) tell(Operation::Join);
                break;
            case 2:
                look();
                break;
            case 3:
            case 4:
            case 5:
            case 6:
            case 7:
            case 8:
                consume(random_.once_in(2) ? ResourceProduct::BindingTable
                                           : ResourceProduct::GatherBuffer);
                break;
            default:
                if (job_ == nullptr && now_ >= answered_at_) ask_for_work();
                break;
        }
    }
    Ask& ask(Operation operation) {
        Ask& out = asks.emplace_back();
        out.at = now_;
        out.request.operation = operation;
        out.request.failed = random_.once_in(2);
        out.request.stop = static_cast<ResourceStop>(random_.any(4));
        out.at_once = true;
        out.stop = out.request.stop;
        return out;
    }
    void tell(Operation operation) {
        Ask& out = ask(operation);
        out.answered = now_;
        out.unconsumed = waiting();
        (operation == Operation::Halt ? halted_ : joined_) = job_ != nullptr;
        woken_ = true;
    }
    ResourceCounts waiting() const {
        return {static_cast<std::uint32_t>(products_[0].size()),
                static_cast<std::uint32_t>(products_[1].size())};
    }
    void look() {
        if (!facts_.steps || now_ <= looked_until_) return;
        Ask& out = asks.emplace_back();
        out.at = now_;
        out.looks = true;
        // While it is idle or waits for room it has no work in which a cycle's reason is known.
        count(edge(now_), full_ ? kRoom : kIdle);
        out.cycles = cycles;
        if (job_ == nullptr) return;
        char text[96];
        std::snprintf(text, sizeof text, "resource streamer at 0x%llx: %s",
                      static_cast<unsigned long long>(position_),
                      full_ ? "waits until the command streamer takes its products" : "works");
        out.waiting = text;
    }
    void consume(ResourceProduct product) {
        if (consumer_ != nullptr || now_ < consumed_at_) return;
        Ask& out = ask(Operation::Consume);
        out.request.product = product;
        auto& there = products_[static_cast<unsigned>(product)];
        if (!there.empty()) {
            out.delay = random_.any(20);
            out.answered = consumed_at_ = std::max(now_ + out.delay, there.front());
            there.pop_front();
            show_products(now_);
            woken_ = true;
            return;
        }
        out.at_once = job_ == nullptr || job_->request.operation != Operation::Parse || full_;
        if (!out.at_once) {
            consumer_ = &out;
            return;
        }
        out.answered = now_;
        out.failed = true;
        out.stop = job_ == nullptr ? last_stop_ : ResourceStop::Sync;
    }
    void ask_for_work() {
        const unsigned what = random_.any(12);
        Ask& out = ask(what == 0   ? Operation::Save
                       : what == 1 ? Operation::Restore
                                   : Operation::Parse);
        out.at_once = false;
        if (facts_.message == 0) {  // else it might begin between two edges
            out.at = now_ = edge(now_);
            next_ = std::max(next_, now_);
        }
        out.delay = random_.once_in(3) ? random_.any(30) : 0;
        ResourceRequest& request = out.request;
        request.space = random_.once_in(4) ? Space::Ggtt : Space::Ppgtt;
        const auto pool = [](const Pool& from) {
            return ResourcePool{from.on, GpuAddr(from.base), from.bytes,
                                static_cast<std::uint8_t>(from.mocs)};
        };
        request.state = {GpuAddr(random_.some_base()), pool(random_.some_table_pool()),
                         pool(random_.some_gather_pool())};
        request.new_batch = random_.once_in(2);
        request.resumes = random_.once_in(3);
        request.unconsumed = {random_.any(4) == 0 ? random_.any(5) : 0,
                              random_.any(4) == 0 ? random_.any(5) : 0};
        out.unconsumed = request.unconsumed;
        request.address = GpuAddr(next_address());
        if (request.operation != Operation::Parse)
            request.address = GpuAddr(RandomStream::kContexts);
        job_ = &out;
        halted_ = joined_ = false;
        halts_ = random_.once_in(4);
        joins_ = random_.once_in(3);
        if (!facts_.steps) quiet_until_ = edge(now_ + out.delay + facts_.message * kCycle) + 1;
    }
    std::uint64_t next_address() {
        if (stopped_at_ != 0 && last_stop_ != ResourceStop::Unreadable && !random_.once_in(4)) {
            // Behind a command that it stopped at, which the command streamer has executed.
            std::uint32_t header = 0;
            memory(Space::Ppgtt)
                .access(stopped_at_, reinterpret_cast<std::uint8_t*>(&header), 4, false);
            return last_stop_ == ResourceStop::Sync ? stopped_at_ + 4 * read_header(header).dwords
                                                    : stopped_at_;
        }
        const std::uint64_t at =
            commands_at_[random_.any(static_cast<std::uint32_t>(commands_at_.size()))];
        return at | (random_.once_in(3) ? std::uint64_t{random_.dword()} << 48 : 0);
    }

    // --- A stretch
    void parse() {
        ++starts;
        Ask& job = *job_;
        if (!job.request.resumes) {
            const ResourceState& state = job.request.state;
            take(state);
            if (job.request.new_batch) core.begin_batch();
            for (unsigned kind = 0; kind < 2; ++kind)
                products_[kind].assign(job.request.unconsumed[kind], own_);
            show_products(own_);
        }
        position_ = job.request.address.value & kAll;
        job.stop = last_stop_ = stretch();
        stopped_at_ = job.stopped_at = position_;
        pass(*std::ranges::max_element(free_), kDrain);
        stops += job.stop == ResourceStop::Sync;
        limits += job.stop == ResourceStop::Limit;
        halts += job.stop == ResourceStop::Halted;
        job.unconsumed = waiting();
    }
    void take(const ResourceState& state) {
        core.base = state.surface_state_base.value;
        const auto pool = [](const ResourcePool& from) {
            return Pool{from.enabled, from.base.value, from.size_bytes, from.mocs};
        };
        core.tables = pool(state.tables);
        core.gathers = pool(state.gathers);
    }
    ResourceStop stretch() {
        const std::uint64_t begin = position_;
        while (true) {
            if (halted_) return ResourceStop::Halted;
            if (((position_ - begin) & kAll) >= facts_.ahead_bytes) return ResourceStop::Limit;
            Words words(1);
            if (!fetch(position_, words[0])) return ResourceStop::Unreadable;
            const Header header = read_header(words[0]);
            if (!header.readable()) return ResourceStop::Unreadable;
            words.resize(header.dwords);
            for (unsigned n = 1; n < header.dwords && header.kind != Kind::Skip; ++n)
                if (!fetch(position_ + 4 * n, words[n])) return ResourceStop::Unreadable;
            ++id_;
            parsed[own_ / kCycle] = {position_, words[0], id_};
            if (header.kind == Kind::Stop || header.kind == Kind::Block) {
                if (header.kind == Kind::Stop || !facts_.keeps) block_.reset();
                pass(own_ + facts_.parse * kCycle, kBusy);
                return ResourceStop::Sync;
            }
            if (core.makes(words) && !wait_for_room(header.kind == Kind::Gather))
                return ResourceStop::Halted;
            ++commands;
            dwords += header.dwords;
            const Tick more = header.kind == Kind::Skip ? 0 : header.dwords - 1;
            pass(own_ + (facts_.parse + more * facts_.dword) * kCycle, kBusy);
            execute(header, words);
            position_ = (position_ + 4 * header.dwords) & kAll;
        }
    }
    bool wait_for_room(unsigned kind) {
        const auto none = [&] { return products_[kind].size() >= facts_.products_ahead; };
        full_ = none();
        while (full_ && none() && !halted_) {
            refuse_consumer();
            if (joined_) {  // what waits is of commands that the command streamer has not met
                ++dropped;
                products_[kind].clear();
                show_products(own_);
                break;
            }
            for (woken_ = false; !woken_;)
                hear();
            hear_until(now_);
            count(edge(now_), kRoom);
            own_ = std::max(own_, edge(now_));
        }
        const bool waited = std::exchange(full_, false);
        looked_until_ = own_;  // it has gone on, to what is counted at the next edge
        if (waited) hear_until(own_);
        return !waited || !halted_;
    }
    void execute(const Header& header, const Words& words) {
        if (header.kind == Kind::Skip) return;
        const unsigned engine = header.kind == Kind::Table    ? 0
                                : header.kind == Kind::Gather ? 1
                                                              : 2;
        const bool works = engine != 2 || header.kind == Kind::Store;
        if (works) pass(free_[engine], kEngine);
        work_ = own_;
        const bool makes = core.execute(words, bus_);
        if (works) free_[engine] = edge(work_);
        if (header.kind == Kind::Fence) fence_ = *std::ranges::max_element(free_);
        if (!makes) return;
        if (consumer_ && static_cast<unsigned>(consumer_->request.product) == engine) {
            consumer_->answered = consumed_at_ = edge(work_);
            consumer_ = nullptr;
        } else {
            products_[engine].push_back(edge(work_));
            show_products(own_);
        }
    }
    void refuse_consumer() {
        if (consumer_ == nullptr) return;
        consumer_->failed = true;
        consumer_->stop = full_ ? ResourceStop::Sync : last_stop_;
        consumer_->answered = consumed_at_ = own_;
        consumer_ = nullptr;
    }
    void show_products(Tick at) {
        waits[edge(at) / kCycle] = {products_[0].size(), products_[1].size()};
    }

    // --- Memory
    Memory& memory(Space space) { return memories_[space == Space::Ggtt]; }
    std::optional<std::vector<std::uint8_t>> get(Space space, std::uint64_t at, std::size_t bytes) {
        std::vector<std::uint8_t> out(bytes);
        if (!memory(space).access(at, out.data(), bytes, false)) return {};
        return out;
    }
    bool fetch(std::uint64_t at, std::uint32_t& dword) {
        at &= kAll;
        const std::uint64_t first = at & ~std::uint64_t{facts_.fetch_bytes - 1};
        const Space space = job_->request.space;
        if (!block_ || block_->first != first || block_->space != space) {
            const bool follows =
                block_ && block_->space == space && block_->first + facts_.fetch_bytes == first;
            accesses.push_back(
                {own_, first, facts_.fetch_bytes, false, true, space == Space::Ggtt, id_, {}});
            ++fetches;
            const Tick latency = Memory::latency(first, false, facts_.latency);
            // On its way since the block before it came.
            const Tick there = follows ? std::max(own_, block_->there + latency) : own_ + latency;
            const auto bytes = get(space, first, facts_.fetch_bytes);
            pass(there, kFetch);
            block_.reset();
            if (!bytes) return false;
            block_ = {first, space, own_, *bytes};
        }
        dword = 0;
        for (unsigned n = 0; n < 4; ++n)
            dword |= std::uint32_t{block_->bytes[at - first + n]} << 8 * n;
        return true;
    }
    std::vector<Bus::Bytes> read(const std::vector<std::uint64_t>& lines) {
        std::vector<Bus::Bytes> out;
        Tick last = work_;
        for (std::size_t n = 0; n < lines.size(); ++n) {
            Tick begin = work_ + static_cast<Tick>(n) * facts_.issue * kCycle;
            for (const auto& [line, done] : written_)
                if (line == lines[n]) begin = std::max(begin, done);
            last = std::max(last, begin + Memory::latency(lines[n], false, facts_.latency));
            out.push_back(get(Space::Ppgtt, lines[n], 64).value_or(Bus::Bytes(64)));
            accesses.push_back({begin, lines[n], 64, false, false, false, id_, {}});
        }
        lines_read += lines.size();
        work_ = last;
        return out;
    }
    void write(const std::vector<std::pair<std::uint64_t, Bus::Bytes>>& lines) {
        work_ = std::max(work_, fence_);
        Tick last = work_;
        for (std::size_t n = 0; n < lines.size(); ++n) {
            auto [at, bytes] = lines[n];
            const Tick begin = work_ + static_cast<Tick>(n) * facts_.issue * kCycle;
            const Tick done = begin + Memory::latency(at, true, facts_.latency);
            written_.emplace_back(at & ~63ull, done);
            last = std::max(last, done);
            memory(Space::Ppgtt).access(at, bytes.data(), bytes.size(), true);
            accesses.push_back({begin, at, bytes.size(), true, false, false, id_, bytes});
        }
        lines_written += lines.size();
        work_ = last;
    }
    void move_context(bool saves) {
        ++id_;
        const Space space = job_->request.space;
        const std::uint64_t at = job_->request.address.value + 4 * 0x1690;
        const std::size_t bytes = 4 * (0x1E92 - 0x1690);
        Bus::Bytes image(bytes);
        if (saves) {
            take(job_->request.state);
            const Words words = core.image();
            for (std::size_t n = 0; n < bytes; ++n)
                image[n] = static_cast<std::uint8_t>(words[n / 4] >> 8 * (n % 4));
            memory(space).access(at, image.data(), bytes, true);
        } else if (const auto found = get(space, at, bytes)) {
            image = *found;
        }
        accesses.push_back({own_, at, bytes, saves, false, space == Space::Ggtt, id_,
                            saves ? image : Bus::Bytes{}});
        pass(own_ + Memory::latency(at, saves, facts_.latency), kContext);
        block_.reset();
        if (saves) return;
        Words words(bytes / 4);
        for (std::size_t n = 0; n < bytes; ++n)
            words[n / 4] |= std::uint32_t{image[n]} << 8 * (n % 4);
        bad_images += !core.restore(words);
    }

    const Facts& facts_;
    RandomStream& random_;
    std::array<Memory, 2>& memories_;  ///< of a process, and global
    std::vector<std::uint64_t> commands_at_;
    Bus bus_;

    Tick own_ = 0, counted_ = 0;  ///< the parser's time; cycles up to there have a reason
    Tick now_ = 0, next_ = 0;     ///< of the request that is made, and of the next one
    Tick answered_at_ = 0, consumed_at_ = 0;
    Tick quiet_until_ = 0;  ///< what is asked meanwhile depends on how far ahead it is
    Tick looked_until_ = -1;
    unsigned jobs_ = 0;
    Ask *job_ = nullptr, *consumer_ = nullptr;
    bool halts_ = true, joins_ = true;  ///< such requests are made
    bool halted_ = false, joined_ = false, full_ = false, woken_ = false;
    ResourceStop last_stop_ = ResourceStop::Sync;
    std::uint64_t position_ = 0, stopped_at_ = 0, id_ = 0;
    std::array<std::deque<Tick>, 2> products_;

    struct Block {
        std::uint64_t first;
        Space space;
        Tick there;
        std::vector<std::uint8_t> bytes;
    };
    std::optional<Block> block_;
    std::array<Tick, 3> free_{};
    Tick work_ = 0, fence_ = 0;
    std::vector<std::pair<std::uint64_t, Tick>> written_;
};

}  // namespace gen9::test::plain
