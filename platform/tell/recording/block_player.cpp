// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/recording/block_player.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_set>

#include "common/check.h"
#include "common/environment.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/kernel/memory_transaction.h"
#include "l3/bank/bank.h"
#include "memory/physical_memory.h"
#include "platform/machine/block_models.h"
#include "platform/machine/topology.h"
#include "platform/tell/recording/recorded_memory.h"

namespace gen9::platform {
namespace {

/// The first differences tell enough.
constexpr std::size_t kMaxSaid = 20;
/// Cycles without an answer after which none is expected any more.
constexpr std::uint64_t kPatienceCycles = 100'000;

/// A module that only holds another: the names of a hierarchy.
struct Scope : sc_core::sc_module {
    Scope(const std::string& path, const std::function<void(const std::string& leaf)>& make)
        : sc_module(sc_core::sc_module_name(path.substr(0, path.find('.')).c_str())) {
        const std::string inner = path.substr(path.find('.') + 1);
        if (inner.find('.') == std::string::npos)
            make(inner);
        else
            scope = std::make_unique<Scope>(inner, make);
    }
    std::unique_ptr<Scope> scope;
};

/// The sender of the requests.
struct Source : sc_core::sc_module {
    explicit Source(sc_core::sc_module_name name) : sc_module(name) {}
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
};

/// The block of a target socket's name, and its place in the hierarchy.
struct Named {
    std::string kind, path;  ///< "slm", "gpu.slice0.subslice0.slm"
};
/// Is it the path of a bank of L3?
bool is_bank(const std::string& path) {
    static const std::string kPart = ".l3.bank";
    const std::size_t at = path.find(kPart);
    return at != std::string::npos && path.find('.', at + kPart.size()) == std::string::npos;
}
Named block_of(const std::string& target) {
    static const std::string kKinds[] = {"slm", "alu", "dram", "llc"};
    for (std::string path = target; path.find('.') != std::string::npos;) {
        path.resize(path.rfind('.'));
        if (is_bank(path)) return {"bank", path};
        const std::string leaf = path.substr(path.rfind('.') + 1);
        if (std::ranges::find(kKinds, leaf) != std::end(kKinds) && leaf != path)
            return {leaf, path};
    }
    throw UserError(
        "a recording of '" + target +
        "' cannot be played into a block alone: only of slm, alu, dram, llc and banks of l3");
}

struct Request {
    Record record;
    recorded::Answer answer;
    Cycles answered;  ///< as recorded
    bool has_answer = false;
};

const recorded::Attributes& attributes_of(const Record& record) {
    if (const auto* access = std::get_if<recorded::Access>(&record.what)) return access->attributes;
    if (const auto* order = std::get_if<recorded::Control>(&record.what)) return order->attributes;
    return std::get<recorded::Lanes>(record.what).attributes;
}

}  // namespace

struct BlockPlayer::Parts {
    Parts(const Config& config, RecordingFile& file, RecordingFile* behind);

    void make_bank(const std::string& parent, const BlockPlace& place, RecordingFile* behind);
    void read(RecordingFile& file);
    void step();
    void give(Request& request);
    MemoryTransaction& transaction_of(const Request& request);
    void put_there(const Request& request);
    void answered(tlm::tlm_generic_payload& payload, Cycles at);
    void say(const Request& request, const std::string& text);
    Cycles begins(const Request& request) const {
        const auto& a = attributes_of(request.record);
        return a.blocking ? request.record.cycle - clock.cycles(ahead(a)) : request.record.cycle;
    }
    static sc_core::sc_time ahead(const recorded::Attributes& a) {
        return sc_core::sc_time(static_cast<double>(a.delay_ps), sc_core::SC_PS);
    }

    const Config& config;
    Reporter reporter;
    StatRegistry stats;
    Environment env{config, reporter, stats, Timing::Timed};
    Clock clock;
    memory::PhysicalMemory memory;
    MemoryPool pool;
    std::string kind;
    std::unique_ptr<Place<SlmBlock>> slm;
    std::unique_ptr<Place<AluBlock>> alu;
    std::unique_ptr<Place<DramBlock>> dram;
    std::unique_ptr<Place<LlcBlock>> llc;
    std::unique_ptr<l3::L3Params> l3_params;
    std::unique_ptr<Topology> topology;
    std::unique_ptr<l3::BankSetup> bank_setup;
    std::unique_ptr<RecordedMemory> behind;
    std::unique_ptr<Place<BankBlock>> bank;
    std::unique_ptr<Scope> scope;
    Source source{"recording"};
    InitiatorSocket<MemoryProtocol>& out = source.mem_out;
    RequestPort port{out, clock};
    Wakeup wakeup{clock};

    std::vector<std::uint8_t> burst, enables;  ///< of a blocking call beyond a line
    std::vector<Request> requests;             ///< by number
    std::vector<std::size_t> order;            ///< of being given
    std::size_t given = 0, done = 0;
    Cycles last_answer;
    std::unordered_set<std::uint64_t> written;  ///< bytes of memory, by requests of the recording
    std::uint64_t wrong_data = 0, wrong_cycle = 0;
    std::vector<std::string> said;
};

void BlockPlayer::Parts::make_bank(const std::string& parent, const BlockPlace& place,
                                   RecordingFile* behind_file) {
    if (behind_file == nullptr)
        throw UserError(
            "a bank of l3 needs the memory behind it: record its mem_out as well, and "
            "give that recording by --behind");
    l3_params = std::make_unique<l3::L3Params>(config, parent);
    topology = std::make_unique<Topology>(config, parent.substr(0, parent.find('.')));
    const auto banks = static_cast<unsigned>(topology->slices * topology->l3_banks);
    bank_setup = std::make_unique<l3::BankSetup>(l3::BankSetup{*l3_params, banks, true});
    behind = std::make_unique<RecordedMemory>("behind", clock, *behind_file);
    bank = std::make_unique<Place<BankBlock>>(block_models().bank, parent, place, *bank_setup);
    out.bind((*bank)->sockets().mem_in);
    (*bank)->sockets().mem_out.bind(behind->mem_in);
}

BlockPlayer::Parts::Parts(const Config& given_config, RecordingFile& file,
                          RecordingFile* behind_file)
    : config(given_config), clock(file.clock_hz) {
    const Named named = block_of(file.target);
    kind = named.kind;
    const std::string parent = named.path.substr(0, named.path.rfind('.'));
    scope = std::make_unique<Scope>(named.path, [&](const std::string& leaf) {
        const BlockPlace place{leaf, env, clock};
        const memory::MemorySetup setup{memory};
        BlockModels& models = block_models();
        if (kind == "slm") {
            slm = std::make_unique<Place<SlmBlock>>(models.slm, parent, place);
            out.bind((*slm)->sockets().mem_in);
            return;
        }
        if (kind == "alu") {
            alu = std::make_unique<Place<AluBlock>>(models.alu, parent, place);
            out.bind((*alu)->sockets().op_in);
            return;
        }
        if (kind == "bank") return make_bank(parent, place, behind_file);
        BlockPlace dram_place = place;
        dram_place.name = "dram";
        dram = std::make_unique<Place<DramBlock>>(models.dram, parent, dram_place, setup);
        if (kind == "dram") return out.bind((*dram)->sockets().mem_in);
        llc = std::make_unique<Place<LlcBlock>>(models.llc, parent, place, setup);
        out.bind((*llc)->sockets().mem_in);
        (*llc)->sockets().mem_out.bind((*dram)->sockets().mem_in);
    });
    config.check_all_used();
    port.on_response = [this](tlm::tlm_generic_payload& p, Cycles at) { answered(p, at); };
    port.on_room = [this] { wakeup.at(clock.now() + Cycles(1)); };
    wakeup.runs<&Parts::step>(this);
    read(file);
}

void BlockPlayer::Parts::read(RecordingFile& file) {
    while (auto record = file.next()) {
        if (std::holds_alternative<recorded::Accept>(record->what)) continue;
        const auto line = [&] { return "line " + std::to_string(record->line) + ": "; };
        if (auto* answer = std::get_if<recorded::Answer>(&record->what)) {
            if (record->number >= requests.size() || requests[record->number].has_answer)
                throw UserError(line() + "an answer to no request");
            Request& request = requests[record->number];
            request.answer = std::move(*answer);
            request.answered = record->cycle;
            request.has_answer = true;
            continue;
        }
        if (const auto* access = std::get_if<recorded::Access>(&record->what);
            access && access->data.size() > kLineBytes && !access->attributes.blocking)
            throw UserError(line() + "an access of more than a line must be a blocking call");
        if (record->number < requests.size() && requests[record->number].record.line != 0)
            throw UserError(line() + "the number of another request");
        // Lines are in order of cycles, numbers in order of calls: they differ by what is in
        // flight.
        if (record->number > requests.size() + 100'000)
            throw UserError(line() + "the number of the request is not allowed");
        if (record->number >= requests.size()) requests.resize(record->number + 1);
        requests[record->number].record = std::move(*record);
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (requests[i].record.line == 0)
            throw UserError("request " + std::to_string(i) + " is missing in the recording");
        if (ahead(attributes_of(requests[i].record)) > clock.time(requests[i].record.cycle))
            throw UserError("line " + std::to_string(requests[i].record.line) +
                            ": the delay is longer than the time before it");
        order.push_back(i);
    }
    std::ranges::stable_sort(order, {},
                             [this](std::size_t number) { return begins(requests[number]).value; });
}

MemoryTransaction& BlockPlayer::Parts::transaction_of(const Request& request) {
    MemoryTransaction& transaction = *pool.get();
    const recorded::Attributes& from = attributes_of(request.record);
    if (const auto* access = std::get_if<recorded::Access>(&request.record.what)) {
        const auto size = static_cast<unsigned>(access->data.size());
        const auto command = access->write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
        transaction.access(command, access->address, std::min<unsigned>(size, kLineBytes));
        if (size > kLineBytes) {
            burst.resize(size);
            transaction.set_data_ptr(burst.data());
            transaction.set_data_length(size);
            transaction.set_streaming_width(size);
        }
        std::ranges::copy(access->data, transaction.get_data_ptr());
        if (!access->enables.empty()) {
            enables = access->enables;
            if (size <= kLineBytes) std::ranges::copy(enables, transaction.enables);
            transaction.set_byte_enable_ptr(size <= kLineBytes ? transaction.enables
                                                               : enables.data());
            transaction.set_byte_enable_length(size);
        }
    } else if (const auto* order = std::get_if<recorded::Control>(&request.record.what)) {
        transaction.access(tlm::TLM_IGNORE_COMMAND, 0, 0);
        transaction.attributes.operation = MemoryAttributes::Operation::Control;
        transaction.attributes.control = order->control;
    } else {
        const auto& lanes = std::get<recorded::Lanes>(request.record.what);
        transaction.access(tlm::TLM_READ_COMMAND, lanes.address, 0);
        transaction.attributes.operation = MemoryAttributes::Operation::Lanes;
        transaction.attributes.lanes = lanes.lanes;
        if (lanes.lanes.kind == LaneAccess::Kind::Write) transaction.set_write();
    }
    MemoryAttributes& a = transaction.attributes;
    a.trace_id = from.trace_id;
    a.space = static_cast<AddressSpace>(from.space);
    a.requester = static_cast<Requester>(from.requester);
    a.mocs = static_cast<std::uint8_t>(from.mocs);
    a.coherent = from.coherent;
    a.uncached = from.uncached;
    a.llc = static_cast<LlcPolicy>(from.llc);
    a.thread = {SliceId(from.thread >> 12 & 15), SubsliceId(from.thread >> 8 & 15),
                EuId(from.thread >> 4 & 15), ThreadSlot(from.thread & 15)};
    transaction.tag = request.record.number;
    return transaction;
}

// The host has put there what a read finds and no request has written.
void BlockPlayer::Parts::put_there(const Request& request) {
    const auto byte = [this](std::uint64_t address, std::uint8_t value) {
        if (!written.contains(address)) (void)memory.write(PhysAddr(address), {&value, 1});
    };
    if (const auto* access = std::get_if<recorded::Access>(&request.record.what)) {
        for (std::size_t i = 0; i < access->data.size(); ++i)
            if (!access->write && i < request.answer.data.size())
                byte(access->address + i, request.answer.data[i]);
            else if (access->write && (access->enables.empty() || access->enables[i]))
                written.insert(access->address + i);
        return;
    }
    const auto& lanes = std::get<recorded::Lanes>(request.record.what);
    // When two lanes name one byte, the first has seen what was there before.
    std::unordered_set<std::uint64_t> mine;
    for (unsigned lane = 0; lane < lanes.lanes.count; ++lane)
        for (unsigned i = 0; i < lanes.lanes.width_bytes; ++i) {
            const std::uint64_t address = lanes.address + lanes.lanes.offset[lane] + i;
            if (mine.insert(address).second && 8 * lane + i < request.answer.data.size())
                byte(address, request.answer.data[8 * lane + i]);
            if (lanes.lanes.kind != LaneAccess::Kind::Read) written.insert(address);
        }
}

void BlockPlayer::Parts::give(Request& request) {
    if (kind == "llc" || kind == "dram") put_there(request);
    MemoryTransaction& transaction = transaction_of(request);
    const recorded::Attributes& a = attributes_of(request.record);
    last_answer = clock.now();
    if (!a.blocking) return port.send(transaction, clock.now());
    sc_core::sc_time delay = ahead(a);
    out->b_transport(transaction, delay);
    answered(transaction, clock.after(delay));
}

void BlockPlayer::Parts::step() {
    while (given < order.size()) {
        Request& next = requests[order[given]];
        const Cycles at = begins(next);
        if (at > clock.now()) return wakeup.at(at);
        if (!attributes_of(next.record).blocking && !port.can_send())
            return wakeup.at(clock.now() + Cycles(1));
        ++given;
        give(next);
    }
}

void BlockPlayer::Parts::answered(tlm::tlm_generic_payload& payload, Cycles at) {
    auto& transaction = static_cast<MemoryTransaction&>(payload);
    const Request& request = requests[transaction.tag];
    ++done;
    last_answer = at;
    if (request.has_answer) {
        const std::vector<std::uint8_t>& expected = request.answer.data;
        const bool lanes = std::holds_alternative<recorded::Lanes>(request.record.what);
        const auto* found =
            lanes
                ? reinterpret_cast<const std::uint8_t*>(transaction.attributes.lanes.result.data())
                : transaction.get_data_ptr();
        // Lanes that are not in use return nothing that has a meaning.
        std::size_t count = expected.size();
        if (lanes && count != 0) count = std::size_t{transaction.attributes.lanes.count} * 8;
        const auto differs = static_cast<std::size_t>(
            std::mismatch(found, found + count, expected.data()).first - found);
        if (transaction.is_response_ok() != request.answer.ok) {
            ++wrong_data;
            say(request,
                request.answer.ok ? "answered with an error" : "answered without an error");
        } else if (differs != count) {
            ++wrong_data;
            const std::size_t shown = std::min<std::size_t>(count - differs, 8);
            say(request, "answered " + hex_text(found + differs, shown) + " from byte " +
                             std::to_string(differs) + " on, recorded " +
                             hex_text(&expected[differs], shown));
        }
        if (at != request.answered) {
            ++wrong_cycle;
            say(request, "answered in cycle " + std::to_string(at.value) + ", recorded " +
                             std::to_string(request.answered.value));
        }
    }
    transaction.release();
}

void BlockPlayer::Parts::say(const Request& request, const std::string& text) {
    if (said.size() < kMaxSaid)
        said.push_back("request " + std::to_string(request.record.number) + " of cycle " +
                       std::to_string(request.record.cycle.value) + " (line " +
                       std::to_string(request.record.line) + "): " + text);
}

BlockPlayer::BlockPlayer(const Config& config, RecordingFile& file, RecordingFile* behind)
    : parts_(std::make_unique<Parts>(config, file, behind)) {}
BlockPlayer::~BlockPlayer() = default;

void BlockPlayer::play() {
    Parts& p = *parts_;
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_,
                                            sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    if (!p.order.empty()) p.wakeup.at(p.begins(p.requests[p.order[0]]));
    while (p.done < p.requests.size()) {
        if (!sc_core::sc_pending_activity()) break;
        if (p.given == p.order.size() && p.clock.now() > p.last_answer + Cycles(kPatienceCycles))
            break;
        sc_core::sc_start(std::max(p.clock.time(Cycles(10'000)),
                                   sc_core::sc_time_to_pending_activity() + p.clock.period()),
                          sc_core::SC_EXIT_ON_STARVATION);
    }
    if (p.behind) std::ranges::copy(p.behind->finish(), std::back_inserter(p.said));
}

std::uint64_t BlockPlayer::requests() const {
    return parts_->requests.size();
}
std::uint64_t BlockPlayer::wrong_data() const {
    return parts_->wrong_data;
}
std::uint64_t BlockPlayer::wrong_cycle() const {
    return parts_->wrong_cycle;
}
std::uint64_t BlockPlayer::unanswered() const {
    return parts_->requests.size() - parts_->done;
}
std::uint64_t BlockPlayer::wrong_behind() const {
    return parts_->behind ? parts_->behind->wrong() : 0;
}
const std::vector<std::string>& BlockPlayer::said() const {
    return parts_->said;
}
bool BlockPlayer::failed() const {
    return parts_->reporter.failed();
}

}  // namespace gen9::platform
