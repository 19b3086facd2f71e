// SPDX-License-Identifier: Apache-2.0
// Plays a capture undisturbed, then with a second context that takes the engine at random cycles,
// and compares the memory they leave.
//   preempted [--functional] [--set NAME=VALUE] [--level 0|1|2] [--draws whole|parted]
//             [--work ROUNDS] [--vcd FILE] [--stats FILE] FILE.aub FIRST_SEED RUNS [FIRST_NS]
//   preempted [--functional] [--set NAME=VALUE] --other NAME=VALUE FILE.aub
// --level: 0 inside threads, 1 between groups, 2 between commands, in place of the capture's own.
// --draws: it draws; draws are stopped between objects, or not, whatever the capture says.
// --work: the second context has further threads, which count. --vcd: of the first seed's run, what
// the command streamer and the spawner do; --stats: its statistics. --other: no second context; an
// undisturbed run is compared with one on a machine that has these settings too, whose threads run
// in another order. Where these differ, so may a run that is interrupted.
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/host/aub/aub_player.h"
#include "tests/system/preemption/interrupting_engine.h"

namespace gen9::platform::test {
namespace {

struct Wanted {
    Timing timing = Timing::Timed;
    std::vector<std::string> settings, other;
    std::string file, vcd, stats;
    std::uint64_t first_seed = 1;
    std::uint32_t work = 0;
    std::optional<std::uint32_t> level;
    std::optional<bool> parts_draws;
    double first_ns = 2000;
};

using PageHash = InterruptingEngine::PageHash;
using Pages = std::map<std::uint64_t, std::uint64_t>;  ///< hashes

/// What a run comes to, beside its memory.
struct Result {
    std::uint64_t mismatches = 0, interruptions = 0, preemptions = 0, stopped = 0, saved = 0,
                  parted = 0;
    std::uint64_t cycles = 0;  ///< from requests to switches
    std::uint64_t by_length[5]{};
    bool good = false;
};

Result play(const Wanted& wanted, std::uint64_t seed, std::vector<PageHash>& hashes) {
    RunOptions options;
    options.timing = wanted.timing;
    for (const std::string& setting : wanted.settings)
        options.config.set_text(setting, "the command line");
    if (seed == wanted.first_seed) {
        options.waveform.path = wanted.vcd;
        options.stats_path = wanted.stats;
        options.profile = !wanted.stats.empty();
        options.description.version = "0.0.0";
        options.description.revision = "test";
        options.description.command = "replay";
        options.description.program = {wanted.file};
        options.description.device = "skl-gt2";
        options.description.product = options.config;
    }
    options.waveform.scopes = {"gpu.cs", "gpu.spawner"};
    InterruptingEngine engine(std::move(options), seed, wanted.first_ns, wanted.work);
    engine.level = wanted.level;
    engine.parts_draws = wanted.parts_draws;
    AubPlayer player(engine, [](const std::string& text) {
        std::fprintf(stderr, "preempted: %s\n", text.c_str());
    });
    AubFile file(wanted.file);
    player.play(file);
    engine.simulation().finish();
    const auto counters =
        engine.simulation().statistics().at("counters").at("gpu").at("cs").as_object();
    const auto count = [&](const char* name) {
        return counters.at(name).to_number<std::uint64_t>();
    };
    Result result;
    hashes = engine.page_hashes();
    result.mismatches = player.mismatches();
    result.interruptions = engine.interruptions();
    result.preemptions = count("preemptions");
    result.stopped = count("walkers_stopped");
    result.parted = count("draws_stopped");
    result.saved = engine.simulation()
                       .statistics()
                       .at("counters")
                       .at("gpu")
                       .at("spawner")
                       .at("threads_saved")
                       .to_number<std::uint64_t>();
    // Functional mode counts no cycles.
    if (wanted.timing == Timing::Timed) result.cycles = count("preemption_cycles");
    const char* const names[] = {"preemptions_1k", "preemptions_10k", "preemptions_100k",
                                 "preemptions_1m", "preemptions_more"};
    for (unsigned i = 0; i < 5; ++i)
        result.by_length[i] = count(names[i]);
    result.good = !engine.stopped() && !engine.simulation().reporter().failed();
    return result;
}

/// Is each request in the histogram of latencies once, and can they add up to the sum?
bool latencies_agree(const Result& result, Timing timing) {
    const std::uint64_t most[] = {1'000, 10'000, 100'000, 1'000'000, ~0ull};
    std::uint64_t count = 0, low = 0, high = 0;
    for (unsigned i = 0; i < 5; ++i) {
        const std::uint64_t n = result.by_length[i];
        count += n;
        low += i ? n * (most[i - 1] + 1) : 0;
        high = n && i == 4 ? ~0ull : high + n * (i < 4 ? most[i] : 0);
    }
    if (count != result.interruptions) return false;
    return timing == Timing::Functional || (low <= result.cycles && result.cycles <= high);
}

/// The bytes that come by a pipe. False: there are fewer.
bool receive(int from, void* to, std::size_t bytes) {
    for (auto* at = static_cast<char*>(to); bytes != 0;) {
        const ssize_t n = read(from, at, bytes);
        if (n <= 0) return false;
        at += n;
        bytes -= static_cast<std::size_t>(n);
    }
    return true;
}

bool send(int to, const void* from, std::size_t bytes) {
    for (auto* at = static_cast<const char*>(from); bytes != 0;) {
        const ssize_t n = write(to, at, bytes);
        if (n <= 0) return false;
        at += n;
        bytes -= static_cast<std::size_t>(n);
    }
    return true;
}

/// In a process of its own: SystemC elaborates once in each.
Result play_apart(const Wanted& wanted, std::uint64_t seed, Pages& pages) {
    Result result;
    int ends[2];
    if (pipe(ends) != 0) return result;
    std::fflush(nullptr);
    const pid_t child = fork();
    std::vector<PageHash> hashes;
    std::uint64_t count = 0;
    if (child == 0) {
        try {
            result = play(wanted, seed, hashes);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "preempted: %s\n", error.what());
        }
        count = hashes.size();
        const bool told = send(ends[1], &result, sizeof result) &&
                          send(ends[1], &count, sizeof count) &&
                          send(ends[1], hashes.data(), count * sizeof(PageHash));
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    if (!receive(ends[0], &result, sizeof result) || !receive(ends[0], &count, sizeof count))
        result = {};
    hashes.resize(count);
    if (!receive(ends[0], hashes.data(), count * sizeof(PageHash))) result = {};
    if (!result.good) hashes.clear();
    close(ends[0]);
    waitpid(child, nullptr, 0);
    pages.clear();
    for (const auto& [page, hash] : hashes)
        pages.emplace(page, hash);
    return result;
}

/// Pages that are not the same. Both have the same pages, or all count.
std::set<std::uint64_t> differing(const Pages& a, const Pages& b) {
    std::set<std::uint64_t> pages;
    for (const auto& [page, hash] : a)
        if (const auto other = b.find(page); other == b.end() || other->second != hash)
            pages.insert(page);
    for (const auto& [page, hash] : b)
        if (!a.contains(page)) pages.insert(page);
    return pages;
}

int compare_machines(Wanted wanted) {
    Pages one, other;
    const bool good = play_apart(wanted, 0, one).good;
    wanted.settings.insert(wanted.settings.end(), wanted.other.begin(), wanted.other.end());
    if (!good || !play_apart(wanted, 0, other).good) {
        std::fprintf(stderr, "preempted: the capture does not play undisturbed\n");
        return 1;
    }
    std::printf("two machines: memory differs in %zu of %zu pages\n", differing(one, other).size(),
                one.size());
    return 0;
}

int compare(const Wanted& wanted, std::uint64_t first, std::uint64_t runs) {
    Pages undisturbed;
    const Result alone = play_apart(wanted, 0, undisturbed);
    if (!alone.good || alone.mismatches) {
        std::fprintf(stderr, "preempted: the capture does not play undisturbed\n");
        return 1;
    }
    Result all;
    std::uint64_t wrong = 0;
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
        Pages pages;
        const Result one = play_apart(wanted, seed, pages);
        const std::set<std::uint64_t> other = differing(undisturbed, pages);
        if (!one.good) {
            ++wrong;
            std::printf("seed %" PRIu64 ": the engine reported an error\n", seed);
        } else if (one.mismatches || !other.empty()) {
            ++wrong;
            std::printf("seed %" PRIu64 ": memory differs in %zu pages, from 0x%" PRIx64
                        "000 on; %" PRIu64 " mismatches\n",
                        seed, other.size(), other.empty() ? 0 : *other.begin(), one.mismatches);
        } else if (!latencies_agree(one, wanted.timing)) {
            ++wrong;
            std::printf("seed %" PRIu64 ": the histogram of latencies does not agree with %" PRIu64
                        " requests in %" PRIu64 " cycles\n",
                        seed, one.interruptions, one.cycles);
        }
        all.interruptions += one.interruptions;
        all.preemptions += one.preemptions;
        all.stopped += one.stopped;
        all.saved += one.saved;
        all.parted += one.parted;
        all.cycles += one.cycles;
        for (unsigned i = 0; i < 5; ++i)
            all.by_length[i] += one.by_length[i];
    }
    std::printf("%" PRIu64 " runs, %" PRIu64 " wrong: %" PRIu64 " interruptions, %" PRIu64
                " preemptions, %" PRIu64 " walkers stopped, %" PRIu64 " threads saved, %" PRIu64
                " draws parted; cycles to the switch: mean %" PRIu64
                " (0 in functional mode); up to 1k %" PRIu64 ", 10k %" PRIu64 ", 100k %" PRIu64
                ", 1M %" PRIu64 ", more %" PRIu64 "\n",
                runs, wrong, all.interruptions, all.preemptions, all.stopped, all.saved, all.parted,
                all.interruptions ? all.cycles / all.interruptions : 0, all.by_length[0],
                all.by_length[1], all.by_length[2], all.by_length[3], all.by_length[4]);
    // Level 2 stops no walker; level 0 saves threads.
    const bool idle = wanted.parts_draws ? (*wanted.parts_draws ? all.parted : all.preemptions) == 0
                      : wanted.level == 2 ? all.preemptions == 0
                      : wanted.level == 1 ? all.stopped == 0
                                          : all.saved == 0;
    return wrong != 0 || idle ? 1 : 0;
}

}  // namespace
}  // namespace gen9::platform::test

int sc_main(int count, char** words) {
    gen9::platform::test::Wanted wanted;
    std::vector<std::string> operands;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--functional")
            wanted.timing = gen9::Timing::Functional;
        else if (word == "--set" && i + 1 < count)
            wanted.settings.emplace_back(words[++i]);
        else if (word == "--other" && i + 1 < count)
            wanted.other.emplace_back(words[++i]);
        else if (word == "--work" && i + 1 < count)
            wanted.work = static_cast<std::uint32_t>(std::strtoul(words[++i], nullptr, 10));
        else if (word == "--level" && i + 1 < count)
            wanted.level = static_cast<std::uint32_t>(std::strtoul(words[++i], nullptr, 10)) & 3;
        else if (word == "--draws" && i + 1 < count)
            wanted.parts_draws = std::string(words[++i]) == "parted";
        else if (word == "--vcd" && i + 1 < count)
            wanted.vcd = words[++i];
        else if (word == "--stats" && i + 1 < count)
            wanted.stats = words[++i];
        else
            operands.push_back(word);
    }
    if (!wanted.other.empty() && operands.size() == 1) {
        wanted.file = operands[0];
        return gen9::platform::test::compare_machines(std::move(wanted));
    }
    if (operands.size() < 3 || operands.size() > 4 || !wanted.other.empty()) {
        std::fprintf(
            stderr,
            "usage: preempted [--functional] [--set NAME=VALUE] [--level 0|1|2] "
            "[--draws whole|parted] [--work ROUNDS] [--vcd FILE] [--stats FILE] FILE.aub "
            "FIRST_SEED RUNS [FIRST_NS]\n"
            "       preempted [--functional] [--set NAME=VALUE] --other NAME=VALUE FILE.aub\n");
        return 2;
    }
    wanted.file = operands[0];
    if (operands.size() == 4) wanted.first_ns = std::atof(operands[3].c_str());
    wanted.first_seed = std::strtoull(operands[1].c_str(), nullptr, 10);
    return gen9::platform::test::compare(wanted, wanted.first_seed,
                                         std::strtoull(operands[2].c_str(), nullptr, 10));
}
