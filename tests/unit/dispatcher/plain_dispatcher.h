// SPDX-License-Identifier: Apache-2.0
// The rules of docs/blocks/dispatcher.md written down a second time, plainly: every cycle is stepped
// through, and nothing is remembered that could be counted anew.
#pragma once
#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/dispatcher/plain_records.h"

namespace gen9::dispatcher::test {

class PlainDispatcher {
  public:
    using Line = std::pair<std::uint64_t, std::string>;
    std::vector<Line> log;
    /// By cycle and subslice: threads that run, groups, barriers and KB of groups.
    std::vector<std::vector<std::array<unsigned, 4>>> taken;
    /// Threads that leave, and that retire, with the FFTID of the last of them.
    struct Passed {
        unsigned sent = 0, ended = 0, sent_fftid = 0, ended_fftid = 0;
    };
    std::vector<Passed> passed;  ///< by cycle

    PlainDispatcher(const Facts& facts, const std::vector<std::vector<Ask>>& asks)
        : facts_(facts), ports_(asks.size()), load_end_(facts.topology.total_subslices()) {
        for (unsigned p = 0; p < asks.size(); ++p) {
            ports_[p].asks = asks[p];
            ports_[p].next_at = asks[p].empty() ? 0 : asks[p][0].gap;
        }
        last_client_ = *std::ranges::max_element(facts.clients);
        last_subslice_ = facts.topology.total_subslices() - 1;
        last_eu_.assign(facts.topology.total_subslices(), facts.topology.eus - 1);
    }

    void run(std::uint64_t cycles) {
        for (now_ = 0; now_ < cycles; ++now_) {
            passed.push_back(passed.empty() ? Passed{} : passed.back());
            passed.back().sent = passed.back().ended = 0;
            begin_requests();
            for (Port& port : ports_)
                if (port.open_ends == now_) end_open(port);
            retire();
            if (now_ >= next_send_) send();
            count();
        }
    }

  private:
    using Group = PlainGroup;
    using Live = PlainThread;
    using Port = PlainPort;
    using Place = std::array<unsigned, 3>;
    unsigned fftid(const Place& place) const {
        const ThreadTopology& t = facts_.topology;
        return (place[0] * t.eus + place[1]) * t.threads + place[2];
    }
    void note(const std::string& text) { log.emplace_back(now_, text); }
    unsigned client(const Port& port) const { return facts_.clients[&port - ports_.data()]; }
    unsigned index(const Port& port) const { return static_cast<unsigned>(&port - ports_.data()); }

    // --- What is free
    unsigned taken_slots(unsigned s, unsigned e) const {
        unsigned n = 0;
        for (const auto& [place, live] : live_)
            n += place[0] == s && place[1] == e;
        return n;
    }
    unsigned slots(unsigned s, unsigned e, const Ask& ask) const {
        return e < ask.eus ? facts_.topology.threads - taken_slots(s, e) : 0;
    }
    unsigned free(unsigned s, unsigned e, const Ask& ask) const {
        unsigned registers = 0;
        for (const auto& [place, live] : live_)
            if (place[0] == s && place[1] == e) registers += live.registers;
        const unsigned n = slots(s, e, ask);
        if (ask.registers == 0) return n;
        return registers >= facts_.registers
                   ? 0
                   : std::min(n, (facts_.registers - registers) / ask.registers);
    }
    unsigned sum(unsigned s, const Ask& ask, bool registers) const {
        unsigned n = 0;
        for (unsigned e = 0; e < facts_.topology.eus; ++e)
            n += registers ? free(s, e, ask) : slots(s, e, ask);
        return n;
    }
    unsigned live_of(unsigned of_client) const {
        unsigned n = 0;
        for (const auto& [place, live] : live_)
            n += facts_.clients[live.port] == of_client;
        return n;
    }
    bool over(const Port& port, unsigned threads) const {
        return live_of(client(port)) + threads > port.ask().most;
    }
    unsigned groups_on(unsigned s) const {
        return static_cast<unsigned>(std::ranges::count_if(
            groups_, [s](const Group& group) { return group.subslices >> s & 1; }));
    }
    bool barrier_taken(unsigned s, unsigned id) const {
        return std::ranges::any_of(groups_, [&](const Group& group) {
            return (group.subslices >> s & 1) && group.has_barrier && group.barrier == id;
        });
    }
    /// The lowest multiple of its size where a piece is free; kNone: there is none.
    static constexpr unsigned kNone = ~0u;
    unsigned piece(unsigned s, unsigned kb) const {
        for (unsigned at = 0; kb && at + kb <= facts_.slm_kb; at += kb)
            if (std::ranges::none_of(groups_, [&](const Group& group) {
                    return group.slm_kb && group.first == s && group.granule < at + kb &&
                           at < group.granule + group.slm_kb;
                }))
                return at;
        return kb ? kNone : 0;
    }

    // --- Who has a turn
    static unsigned turn(unsigned& last, const std::vector<unsigned>& units) {
        for (const unsigned unit : units)
            if (unit > last) return last = unit;
        return last = units.front();
    }
    unsigned choose(unsigned& last, const std::map<unsigned, unsigned>& free_of) const {
        unsigned most = 0;
        for (const auto& [unit, n] : free_of)
            most = std::max(most, n);
        std::vector<unsigned> units;
        for (const auto& [unit, n] : free_of)
            if (!facts_.by_load || n == most) units.push_back(unit);
        return turn(last, units);
    }

    // --- A cycle
    void begin_requests() {
        for (Port& port : ports_) {
            if (port.pending || port.next_at != now_ || port.next == port.asks.size()) continue;
            if (port.asks[port.next].ends_open && port.open) port.open_ends = now_ + 1;
            take_next(port, now_ + std::max(1u, port.asks[port.next].later));
            port.shown = SendState::kCount;
        }
    }
    static void take_next(Port& port, std::uint64_t ready) {
        ++port.next;
        port.pending = true;
        port.begun = false;
        port.sent = 0;
        port.ready = port.waits_since = ready;
    }
    void release(Group* group, const std::string& cause) {
        for (unsigned s = 0; s < 32; ++s)
            if (group->has_barrier && (group->subslices >> s & 1))
                note(write_line(s, 4 * group->barrier, 0, cause));
        groups_.remove_if([group](const Group& each) { return &each == group; });
    }
    void give_back(Group& group) {
        for (const ThreadPlace& place : group.kept)
            live_.erase({place.subslice, place.eu, place.slot});
        group.kept.clear();
    }
    void end_open(Port& port) {
        port.open_ends = kNever;
        Group* const group = std::exchange(port.open, nullptr);
        give_back(*group);
        group->complete = true;
        if (group->running == 0) release(group, end_name(index(port)));
    }
    void retire() {
        // First those that had to wait, as they came; then those of a cycle in the order of their
        // slots.
        std::erase_if(late_, [this](const Place& place) {
            if (live_.at(place).answered > now_) return false;
            retire(place);
            return true;
        });
        std::vector<Place> due;
        for (const auto& [place, live] : live_)
            if (live.retires == now_) due.push_back(place);
        for (const Place& place : due)
            if (live_.at(place).answered > now_)
                late_.push_back(place);
            else
                retire(place);
    }
    void retire(const Place& place) {
        const Live live = live_.at(place);
        ++passed.back().ended;
        passed.back().ended_fftid = fftid(place);
        live_.erase(place);
        if (live.group && --live.group->running == 0 && live.group->complete)
            release(live.group, thread_name(live.port, live.ask, live.thread));
        ++ports_[live.port].retired[live.ask];
        respond_if_over(live.port, live.ask);
    }
    void respond_if_over(unsigned index, unsigned ask) {
        Port& port = ports_[index];
        if ((port.pending && port.current() == ask) || port.retired[ask] != port.sent_of[ask])
            return;
        note("response " + std::to_string(index) + " " + std::to_string(ask));
    }
    bool waits_for_room(const Port& port) const {
        return port.shown == SendState::WaitSlot || port.shown == SendState::WaitRegisters ||
               port.shown == SendState::WaitSlm || port.shown == SendState::WaitBarrier;
    }
    // --- What its source says
    static constexpr int kRequest = -1;
    bool held(const Port& port) const {
        const int what = port.begun ? static_cast<int>(port.sent) : kRequest;
        const auto until = port.let_go.find({port.current(), what});
        return port.held && until != port.let_go.end() && now_ < until->second;
    }
    /// Asked for the request, or for its next thread.
    bool must_wait(Port& port) {
        const Ask& ask = port.ask();
        if (!ask.asks()) return false;
        const unsigned cycles = port.begun ? ask.held[port.sent] : ask.held_before;
        const int what = port.begun ? static_cast<int>(port.sent) : kRequest;
        const auto at = port.let_go.try_emplace({port.current(), what}, now_ + cycles).first;
        return port.held = now_ < at->second;
    }
    static bool withdraws(const Port& port) {
        return port.ask().withdrawn_at == (port.begun ? port.sent : Ask::kBefore);
    }
    /// Nothing more of its group comes.
    void withdraw(Port& port) {
        Group* const group = port.begun             ? port.group
                             : port.ask().continues ? std::exchange(port.open, nullptr)
                                                    : nullptr;
        if (group) {
            give_back(*group);
            group->complete = true;
            if (group->running == 0) release(group, request_name(index(port), port.current()));
        }
        note_accepted(port);
        after_request(port);
    }

    /// The client that goes before all others; -1: none.
    int first() const {
        const Port* longest = nullptr;
        for (const Port& port : ports_) {
            if (!port.pending || port.ready > now_) continue;
            const Group* const group = port.begun             ? port.group
                                       : port.ask().continues ? port.open
                                                              : nullptr;
            if (group && !held(port) && (!group->kept.empty() || !over(port, 1)))
                return static_cast<int>(client(port));
            const unsigned wants = port.begun ? 1 : std::max(1u, port.ask().group_threads);
            if (waits_for_room(port) && !over(port, wants) &&
                port.waits_since + facts_.patience <= now_ &&
                (!longest || port.waits_since < longest->waits_since))
                longest = &port;
        }
        return longest ? static_cast<int>(client(*longest)) : -1;
    }
    void send() {
        std::vector<unsigned> clients;
        for (unsigned c = 0; c <= *std::ranges::max_element(facts_.clients); ++c)
            if (std::ranges::any_of(ports_, [&](const Port& port) {
                    return client(port) == c && port.pending && port.ready <= now_;
                }))
                clients.push_back(c);
        while (!clients.empty()) {
            std::vector<unsigned> from = clients;
            if (const int before_others = first(); before_others >= 0)
                std::erase_if(from, [&](unsigned c) { return int(c) != before_others; });
            if (from.empty()) return;
            unsigned last = last_client_;
            const unsigned chosen = turn(last, from);
            std::erase(clients, chosen);
            if (!serve(chosen)) continue;
            last_client_ = chosen;
            next_send_ = now_ + 1;
            for (Port& port : ports_)
                if (port.pending && port.ready <= now_) tell(port, SendState::Sending);
            return;
        }
    }
    void tell(Port& port, SendState state) {
        port.shown = state;
        const std::string text = "shows " + std::to_string(index(port)) + " " +
                                 std::to_string(port.current()) + " " + state_name(state);
        if (std::exchange(port.told, text) != text) note(text);
    }
    bool serve(unsigned chosen) {
        for (Port& port : ports_) {
            if (client(port) == chosen) continue;
            if (port.begun) keep(port, port.group);
            keep(port, port.open);
        }
        for (Port& port : ports_)
            if (client(port) == chosen && port.pending && port.ready <= now_ && serve(port))
                return true;
        return false;
    }
    bool serve(Port& port) {
        unsigned sent = 0;
        SendState why = SendState::Sending;
        while (port.pending && port.ready <= now_ && sent < facts_.a_cycle) {
            why = SendState::Sending;
            if (!port.begun && must_wait(port)) {
                why = SendState::WaitScoreboard;
                break;
            }
            if (!port.begun && withdraws(port)) {
                withdraw(port);
                continue;
            }
            if (!port.begun && (why = begin(port)) != SendState::Sending) break;
            if (now_ < port.group_ready) {
                why = SendState::WaitHandshake;
                break;
            }
            if (must_wait(port)) {
                why = SendState::WaitScoreboard;
                break;
            }
            if (withdraws(port)) {
                withdraw(port);
                continue;
            }
            if ((why = send_thread(port)) != SendState::Sending) break;
            ++sent;
            if (port.sent == port.ask().threads) end_request(port);
        }
        if (sent) {
            why = SendState::Sending;
            port.waits_since = now_;
        }
        if (port.pending && port.ready <= now_) tell(port, why);
        return sent != 0;
    }
    void end_request(Port& port) {
        if (port.ask().leaves_open)
            port.open = port.group;
        else if (port.group)
            give_back(*port.group);
        note_accepted(port);
        after_request(port);
    }
    void note_accepted(const Port& port) {
        note("accepted " + std::to_string(index(port)) + " " + std::to_string(port.current()));
    }
    void after_request(Port& port) {
        const unsigned over = port.current();
        port.group = nullptr;
        port.pending = port.begun = port.held = false;
        if (port.next != port.asks.size()) {
            const unsigned gap = port.asks[port.next].gap;
            if (gap == 0)
                take_next(port, now_);
            else
                port.next_at = now_ + gap;
        }
        respond_if_over(index(port), over);
    }

    // --- Groups
    SendState begin(Port& port) {
        const Ask& ask = port.ask();
        if (ask.continues) {
            port.group = std::exchange(port.open, nullptr);
            port.begun = true;
            return SendState::Sending;
        }
        Group group;
        group.ask = &ask;
        group.to_come = ask.group_threads;
        group.has_barrier = ask.barrier;
        group.slm_kb = ask.slm_kb;
        SendState why = SendState::Sending;
        if (ask.group == ThreadRequest::Group::Subslice) why = find_subslice(port, group);
        if (ask.group == ThreadRequest::Group::Machine) why = divide(port, group);
        if (why != SendState::Sending) return why;
        port.begun = true;
        port.group = nullptr;
        if (ask.group == ThreadRequest::Group::None) return why;
        port.group = &groups_.emplace_back(group);
        if (!ask.barrier) return why;
        const std::string cause = request_name(index(port), port.current());
        for (unsigned s = 0; s < facts_.topology.total_subslices(); ++s)
            if (group.subslices >> s & 1)
                note(group.several ? write_line(s, 0x80 + 4 * group.barrier, group.shares[s], cause)
                                   : write_line(s, 4 * group.barrier, ask.group_threads, cause));
        port.group_ready = now_ + facts_.gateway;
        return why;
    }
    SendState find_subslice(const Port& port, Group& group) {
        const Ask& ask = port.ask();
        std::map<unsigned, unsigned> room;
        bool barrier = false, slots = false, slots_alone = false;
        for (unsigned s = 0; s < facts_.topology.total_subslices(); ++s) {
            if (over(port, ask.group_threads) || !(ask.subslices >> s & 1)) continue;
            slots_alone |= sum(s, ask, false) >= ask.group_threads;
            if (sum(s, ask, true) < ask.group_threads) continue;
            slots = true;
            bool has_id = !ask.barrier;
            for (unsigned id = 0; id < 32; ++id)
                has_id |= !barrier_taken(s, id);
            if (groups_on(s) == facts_.groups || !has_id) continue;
            barrier = true;
            if (piece(s, ask.slm_kb) != kNone) room[s] = sum(s, ask, true);
        }
        if (room.empty())
            return barrier       ? SendState::WaitSlm
                   : slots       ? SendState::WaitBarrier
                   : slots_alone ? SendState::WaitRegisters
                                 : SendState::WaitSlot;
        group.first = choose(last_subslice_, room);
        group.subslices = 1u << group.first;
        while (group.has_barrier && barrier_taken(group.first, group.barrier))
            ++group.barrier;
        group.granule = piece(group.first, ask.slm_kb);
        return SendState::Sending;
    }
    /// The emptiest subslice first, and each is filled.
    SendState divide(const Port& port, Group& group) {
        const Ask& ask = port.ask();
        if (over(port, ask.group_threads)) return SendState::WaitSlot;
        group.several = true;
        group.shares.assign(facts_.topology.total_subslices(), 0);
        std::vector<unsigned> room;
        unsigned left = ask.group_threads, slots_alone = 0;
        for (unsigned s = 0; s < facts_.topology.total_subslices(); ++s) {
            const bool may = ask.subslices >> s & 1;
            room.push_back(may ? sum(s, ask, true) : 0);
            slots_alone += may ? sum(s, ask, false) : 0;
        }
        while (left != 0) {
            const auto best = std::ranges::max_element(room);
            if (*best == 0)
                return slots_alone >= ask.group_threads ? SendState::WaitRegisters
                                                        : SendState::WaitSlot;
            const auto s = static_cast<unsigned>(best - room.begin());
            const unsigned share = std::min(left, std::exchange(*best, 0));
            if (groups_on(s) == facts_.groups) continue;
            group.shares[s] = share;
            group.subslices |= 1u << s;
            left -= share;
        }
        const auto taken_somewhere = [&](unsigned id) {
            for (unsigned s = 0; s < room.size(); ++s)
                if ((group.subslices >> s & 1) && barrier_taken(s, id)) return true;
            return false;
        };
        while (group.barrier < 32 && taken_somewhere(group.barrier))
            ++group.barrier;
        return group.barrier < 32 ? SendState::Sending : SendState::WaitBarrier;
    }

    // --- Threads
    std::uint64_t loads(unsigned rows) const {
        return (rows + facts_.rows_a_cycle - 1) / facts_.rows_a_cycle;
    }
    /// A place for the next thread of a group, or of none.
    SendState pick(const Ask& ask, Group* group, unsigned allowed, unsigned ready,
                   ThreadPlace& place) {
        if (group && group->several) {
            for (unsigned s = 0; s < group->shares.size(); ++s)
                if (group->shares[s]) {
                    allowed = 1u << s;
                    break;
                }
        } else if (group) {
            allowed = group->subslices;
        }
        std::map<unsigned, unsigned> room;
        bool any = false;
        unsigned slots_alone = 0;
        for (unsigned s = 0; s < facts_.topology.total_subslices(); ++s) {
            if (!(allowed >> s & 1)) continue;
            slots_alone += sum(s, ask, false);
            any |= sum(s, ask, true) != 0;
            if (sum(s, ask, true) && (ready >> s & 1)) room[s] = sum(s, ask, true);
        }
        if (!any) return slots_alone ? SendState::WaitRegisters : SendState::WaitSlot;
        if (room.empty()) return SendState::WaitPayload;
        const unsigned s = choose(last_subslice_, room);
        std::map<unsigned, unsigned> eus;
        for (unsigned e = 0; e < facts_.topology.eus; ++e)
            if (free(s, e, ask)) eus[e] = free(s, e, ask);
        const unsigned e = choose(last_eu_[s], eus);
        unsigned slot = 0;
        while (live_.contains({s, e, slot}))
            ++slot;
        if (group && group->several && group->shares[s]) --group->shares[s];
        if (group && group->to_come) --group->to_come;
        place = {std::uint8_t(s), std::uint8_t(e), std::uint8_t(slot)};
        return SendState::Sending;
    }
    void hold(const Port& port, const ThreadPlace& place, unsigned registers) {
        live_[{place.subslice, place.eu, place.slot}] = {index(port), port.current(), registers,
                                                         0,           nullptr,        kNever};
    }
    void keep(Port& port, Group* group) {
        ThreadPlace place;
        while (group && group->to_come && live_of(client(port)) < group->ask->most &&
               pick(*group->ask, group, 0, ~0u, place) == SendState::Sending) {
            hold(port, place, group->ask->registers);
            group->kept.push_back(place);
        }
    }
    SendState send_thread(Port& port) {
        const Ask& ask = port.ask();
        unsigned ready = 0;
        for (unsigned s = 0; s < load_end_.size(); ++s)
            if (load_end_[s] < now_ + facts_.queue * loads(ask.rows)) ready |= 1u << s;
        Group* const group = port.group;
        ThreadGrant grant;
        if (group && !group->kept.empty()) {
            const auto at = std::ranges::find_if(group->kept, [ready](const ThreadPlace& kept) {
                return ready >> kept.subslice & 1;
            });
            if (at == group->kept.end()) return SendState::WaitPayload;
            grant.place = *at;
            group->kept.erase(at);
        } else {
            if (over(port, 1)) return SendState::WaitSlot;
            const SendState why = pick(ask, group, ask.subslices, ready, grant.place);
            if (why != SendState::Sending) return why;
            hold(port, grant.place, ask.registers);
        }
        if (group) {
            grant.has_barrier = group->has_barrier;
            grant.barrier = static_cast<std::uint8_t>(group->barrier);
            grant.slm = static_cast<std::uint8_t>(group->first);
            grant.slm_granule = static_cast<std::uint8_t>(group->granule);
            grant.slm_kilobytes = static_cast<std::uint16_t>(group->slm_kb);
            ++group->running;
            if (port.sent + 1 == ask.threads && !ask.leaves_open) group->complete = true;
        }
        std::uint64_t& end = load_end_[grant.place.subslice];
        end = std::max(end, now_) + loads(ask.rows);
        const std::uint64_t starts = end + facts_.dispatch;
        note(thread_line(index(port), port.current(), port.sent, grant, starts));
        const Place at{grant.place.subslice, grant.place.eu, grant.place.slot};
        const std::uint64_t ends = starts + ask.lives[port.sent];
        live_[at] = {index(port),
                     port.current(),
                     ask.registers,
                     port.sent,
                     group,
                     ends + facts_.retire,
                     ask.unanswered.empty() ? 0 : ends + ask.unanswered[port.sent]};
        ++port.sent_of[port.current()];
        ++passed.back().sent;
        passed.back().sent_fftid = fftid(at);
        ++port.sent;
        return SendState::Sending;
    }

    void count() {
        auto& row = taken.emplace_back(facts_.topology.total_subslices());
        for (const auto& [place, live] : live_)
            row[place[0]][0] += live.retires != kNever;
        for (const Group& group : groups_)
            for (unsigned s = 0; s < row.size(); ++s)
                if (group.subslices >> s & 1) {
                    ++row[s][1];
                    row[s][2] += group.has_barrier;
                    row[s][3] += group.slm_kb;
                }
    }

    const Facts facts_;
    std::vector<Port> ports_;
    std::vector<std::uint64_t> load_end_;
    std::list<Group> groups_;
    std::map<Place, Live> live_;  ///< by place, which is the order of FFTIDs
    std::vector<Place> late_;     ///< ended, with messages on their way
    unsigned last_client_ = 0, last_subslice_ = 0;
    std::vector<unsigned> last_eu_;
    std::uint64_t now_ = 0, next_send_ = 0;
};

}  // namespace gen9::dispatcher::test
