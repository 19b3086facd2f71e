// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>

#include "common/check.h"
#include "sc_main/comparison.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {
namespace {

constexpr const char* kCompareHelp =
    R"(Compares runs by their statistics (--stats FILE of run, serve and replay): what differs in the
settings and in the results. Each is compared with the first. What differs most comes first: kernels by
their cycles, figures by their ratio.

  gen9sim compare product.json changed.json
  gen9sim compare --html comparison.html a.json b.json c.json
)";

}  // namespace

int compare_command(const Arguments& arguments) {
    namespace po = boost::program_options;
    CommandLine line("compare [options] A.json B.json [...]", kCompareHelp);
    line.take_operands("A.json B.json");
    auto add = line.group("Output").add_options();
    add("html", po::value<std::string>()->value_name("FILE.html"),
        "write a page, with all counters");
    add("counters", po::value<unsigned>()->value_name("N")->default_value(20),
        "most counters in the table");
    if (!line.parse(arguments)) return kSuccess;
    if (line.operands().size() < 2) throw UserError("compare needs two statistics files or more");
    check_writable("html", line.text("html"));
    std::vector<ComparedRun> runs;
    for (const std::string& path : line.operands())
        runs.push_back(read_run(path));
    std::fputs(as_text(compare(runs, line.get<unsigned>("counters"))).c_str(), stdout);
    if (const std::string path = line.text("html"); !path.empty()) {
        std::ofstream file(path);
        file << as_html(compare(runs, static_cast<std::size_t>(-1)));
        file.close();
        if (!file) throw UserError("--html '" + path + "': cannot be written");
    }
    return kSuccess;
}

}  // namespace gen9::program
