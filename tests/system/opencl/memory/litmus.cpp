// SPDX-License-Identifier: Apache-2.0
// Plays the tests of litmus.cl and prints, a line each, how often every outcome was met:
//   litmus [ROUNDS [SEED]]
// Exit status 1 when an outcome was met that must not be. Whether those that may be are met is for
// scripts/litmus to say, which runs this with many seeds of the machine's random timing.
#include <algorithm>
#include <map>
#include <set>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kSubGroup = 8, kLine = 16, kVariables = 4, kThreads = 48;

enum class Where { Groups, Group };  ///< threads of several work-groups, or of one

/// Results of the threads in turn, two each, as the outcome's text.
using Summary = std::string (*)(const cl_uint* results);

struct Test {
    const char* kernel;
    const char* name;
    unsigned threads;
    Where where;
    Summary summary;
    const char* rule;
    const char* source;
    std::set<std::string> forbidden, allowed;
};

std::string text(std::initializer_list<cl_uint> values) {
    std::string list;
    for (const cl_uint value : values) {
        if (!list.empty()) list.append(" ");
        list.append(std::to_string(value));
    }
    return list;
}

std::string of_reader(const cl_uint* r) {
    return text({r[2], r[3]});
}
std::string first_of_each(const cl_uint* r) {
    return text({r[0], r[2]});
}
std::string of_first(const cl_uint* r) {
    return text({r[0]});
}
std::string of_second(const cl_uint* r) {
    return text({r[2]});
}
std::string all(const cl_uint* r) {
    return text({r[0], r[1], r[2], r[3]});
}
std::string of_readers(const cl_uint* r) {
    return text({r[4], r[5], r[6], r[7]});
}
std::string torn(const cl_uint* r) {
    return r[2] == r[3] ? "whole" : "torn";
}
std::string counted(const cl_uint* r) {
    std::set<cl_uint> values(r, r + 8);
    return values.size() == 8 && *values.rbegin() == 7 ? "all counted" : "lost";
}

/// Each of two threads writes its own value and reads twice: all but what the orders 1, 2 and 2, 1
/// can give.
std::set<std::string> not_coherent() {
    const std::set<std::string> good{"1 1 2 2", "1 2 2 2", "2 2 2 2", "1 1 2 1", "1 1 1 1"};
    std::set<std::string> bad;
    for (cl_uint code = 0; code < 16; ++code) {
        const std::string outcome =
            text({1 + (code & 1), 1 + (code >> 1 & 1), 1 + (code >> 2 & 1), 1 + (code >> 3)});
        if (!good.count(outcome)) bad.insert(outcome);
    }
    return bad;
}

constexpr const char *kNoOrder = "without fences, accesses to two places have no order",
                     *kFenced = "fences order what stands before and after them",
                     *kAtomics = "OpenCL 3.0, 3.3.4", *kMemory = "OpenCL 3.0, 3.3.4; DP-021",
                     *kFence = "OpenCL 3.0, 3.3.6; DP-196, DP-200";

const std::vector<Test>& tests() {
    using W = Where;
    static const std::vector<Test> list = [] {
        std::vector<Test> tests;
        // Of one work-group and of several.
        const auto both = [&](Test test) {
            const std::string name = test.name;
            for (const Where where : {W::Groups, W::Group}) {
                test.where = where;
                tests.push_back(test);
            }
        };
        const auto mp = [&](const char* kernel, const char* name, const char* rule,
                            const char* source, bool ordered) {
            std::set<std::string> stale{"1 0"};
            both({kernel, name, 2, W::Group, of_reader, rule, source,
                  ordered ? stale : std::set<std::string>{},
                  ordered ? std::set<std::string>{} : stale});
        };
        mp("mp", "message passing", kNoOrder, kMemory, false);
        mp("mp_writer", "message passing, writer fenced", kNoOrder, kMemory, false);
        mp("mp_reader", "message passing, reader fenced", kNoOrder, kMemory, false);
        mp("mp_fences", "message passing, fenced", kFenced, kFence, true);
        mp("mp_relaxed", "message passing, relaxed atomic flag", "a relaxed atomic orders nothing",
           "OpenCL 3.0, 3.3.4; L3-45", false);
        mp("mp_release", "message passing, release and acquire",
           "what was written before a release is seen after the acquire that saw it", kFence, true);
        both({"sb", "store buffering", 2, W::Group, first_of_each, kNoOrder, kMemory, {}, {"0 0"}});
        both({"sb_fences",
              "store buffering, fenced",
              2,
              W::Group,
              first_of_each,
              kFenced,
              kFence,
              {"0 0"},
              {}});
        both({"sb_seq_cst",
              "store buffering, seq_cst atomics",
              2,
              W::Group,
              first_of_each,
              "sequentially consistent atomics have one order",
              kFence,
              {"0 0"},
              {}});
        both({"lb", "load buffering", 2, W::Group, first_of_each, kNoOrder, kMemory, {}, {"1 1"}});
        both({"lb_fences",
              "load buffering, fenced",
              2,
              W::Group,
              first_of_each,
              kFenced,
              kFence,
              {"1 1"},
              {}});
        const char *coherent = "all agree on the order of writes to one place",
                   *coherence = "OpenCL 3.0, 3.3.4; DP-020";
        both({"corr",
              "coherence, two reads",
              2,
              W::Group,
              of_reader,
              coherent,
              coherence,
              {"1 0", "2 0", "2 1"},
              {}});
        both({"coww",
              "coherence, two writes",
              2,
              W::Group,
              of_first,
              coherent,
              coherence,
              {"0", "1"},
              {}});
        both({"cowr",
              "coherence, own write read back",
              2,
              W::Group,
              all,
              coherent,
              coherence,
              not_coherent(),
              {}});
        both({"tearing",
              "no torn values",
              2,
              W::Group,
              torn,
              "a store of 64 bits is seen whole or not at all",
              "L3-46",
              {"torn"},
              {}});
        both({"store_atomic",
              "store against atomic",
              2,
              W::Group,
              of_reader,
              "a store falls before or after an atomic",
              "OpenCL 3.0, 3.3.5; DP-035",
              {"0 0", "16 1", "16 16", "0 17"},
              {}});
        both({"exchange",
              "two compare-exchanges",
              2,
              W::Group,
              first_of_each,
              "one of two fails and sees the other",
              "OpenCL 3.0, 3.3.5; DP-035",
              {"0 0", "2 1"},
              {}});
        both({"iriw_fences",
              "independent reads of independent writes, fenced",
              4,
              W::Group,
              of_readers,
              "a write seen by one is seen by all",
              kFence,
              {"1 0 1 0"},
              {}});
        both({"increments",
              "atomic increments",
              4,
              W::Group,
              counted,
              "all count, each returns another value",
              "OpenCL 3.0, 3.3.5; DP-035",
              {"lost"},
              {}});
        const auto in_group = [&](const char* kernel, const char* name, Summary summary,
                                  const char* rule, const char* source,
                                  std::set<std::string> forbidden,
                                  std::set<std::string> allowed = {}) {
            tests.push_back({kernel, name, 2, W::Group, summary, rule, source, std::move(forbidden),
                             std::move(allowed)});
        };
        in_group("barrier_global", "global memory through a barrier", of_second,
                 "a barrier with its fence makes earlier writes seen", "OpenCL 3.0, 3.3.6; GW-38",
                 {"0"});
        in_group("barrier_unfenced", "global memory through a barrier of local memory", of_second,
                 "a barrier alone orders nothing in global memory", "OpenCL 3.0, 3.3.6; GW-38", {},
                 {"0"});
        in_group("barrier_local", "local memory through a barrier", of_second,
                 "a barrier with its fence makes earlier writes seen", "OpenCL 3.0, 3.3.6; DP-027",
                 {"0"});
        const char *local = "this machine accesses local memory in order of arrival",
                   *local_source = "DP-027, L3-61";
        in_group("mp_local", "local message passing, no fence", of_reader, local, local_source,
                 {"1 0"});
        in_group("sb_local", "local store buffering, no fence", first_of_each, local, local_source,
                 {"0 0"});
        in_group("lb_local", "local load buffering, no fence", first_of_each, local, local_source,
                 {"1 1"});
        in_group("corr_local", "local coherence, two reads", of_reader, coherent, coherence,
                 {"1 0", "2 0", "2 1"});
        in_group("exchange_local", "local, two compare-exchanges", first_of_each,
                 "one of two fails and sees the other", "OpenCL 3.0, 3.3.5; DP-035",
                 {"0 0", "2 1"});
        in_group("mp_mixed", "data global, flag local", of_reader, kNoOrder,
                 "OpenCL 3.0, 3.3.4; DP-198", {}, {"1 0"});
        in_group("mp_mixed_fences", "data global, flag local, fenced", of_reader, kFenced,
                 "OpenCL 3.0, 3.3.6; DP-198", {"1 0"});
        return tests;
    }();
    return list;
}

/// How often each outcome was met.
std::map<std::string, unsigned> play(OpenClProgram& program, const Test& test, cl_uint rounds,
                                     cl_uint seed) {
    const bool groups = test.where == Where::Groups;
    const std::size_t instances = kThreads / test.threads;
    const std::size_t local = groups ? kSubGroup : kSubGroup * test.threads;
    const auto words = [](std::size_t count) { return std::vector<cl_uint>(count); };
    const cl_mem memory = program.buffer(words(instances * rounds * kVariables * kLine)),
                 meeting = program.buffer(words(instances * kLine)),
                 results = program.buffer(words(instances * rounds * test.threads * 2));
    const std::string name = std::string(test.kernel) + (groups ? "_groups" : "_group");
    const cl_kernel kernel = program.kernel(name.c_str());
    program.arguments(kernel, memory, meeting, results, rounds, seed);
    program.run(kernel, {kThreads * kSubGroup}, {local});
    const std::size_t step = test.threads * 2;
    const auto found = program.read<cl_uint>(results, instances * rounds * step);
    std::map<std::string, unsigned> counts;
    for (const auto& outcome : test.forbidden)
        counts[outcome] = 0;
    for (const auto& outcome : test.allowed)
        counts[outcome] = 0;
    for (std::size_t at = 0; at < found.size(); at += step)
        ++counts[test.summary(&found[at])];
    return counts;
}

}  // namespace

int main(int argc, char** argv) {
    const auto rounds = static_cast<cl_uint>(argc > 1 ? std::atoi(argv[1]) : 6);
    const auto seed = static_cast<cl_uint>(argc > 2 ? std::atoi(argv[2]) : 1);
    if (rounds < 1 || rounds > 1000) OpenClProgram::fail("usage: litmus [ROUNDS [SEED]]");
    OpenClProgram program("litmus.cl", "-cl-std=CL3.0");
    unsigned broken = 0;
    for (const Test& test : tests())
        for (const auto& [outcome, count] : play(program, test, rounds, seed)) {
            const bool forbidden = test.forbidden.count(outcome) != 0;
            const char* verdict = forbidden                          ? "forbidden"
                                  : test.allowed.count(outcome) != 0 ? "allowed"
                                                                     : "ordinary";
            broken += forbidden && count != 0;
            std::printf("LITMUS\tOpenCL: %s%s\t%s\t%s\t%s\t%s\t%u\n", test.name,
                        test.where == Where::Groups ? ", two groups" : "", test.rule, test.source,
                        outcome.c_str(), verdict, count);
        }
    std::printf("litmus: %zu tests, %u forbidden outcomes met: %s\n", tests().size(), broken,
                broken == 0 ? "PASS" : "FAIL");
    return broken == 0 ? 0 : 1;
}
