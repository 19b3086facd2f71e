// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/report/page.h"

#include "sc_main/comparison.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {
namespace {

constexpr const char* kReportHelp =
    R"(Makes a page from the statistics of a run (--stats FILE of run, serve and replay): the kernels by time,
where the time went and why, what the memory did, and the instructions that cost most. The page is one file
that needs no network. run and replay make it at once with --report FILE.html.

  gen9sim report run.json -o run.html
)";

}  // namespace

int report_command(const Arguments& arguments) {
    CommandLine line("report [options] STATISTICS.json", kReportHelp);
    line.take_operand("STATISTICS.json");
    line.group("Output").add_options()(
        "output,o", boost::program_options::value<std::string>()->value_name("FILE.html"),
        "the page (default: named as the statistics)");
    if (!line.parse(arguments)) return kSuccess;
    const ComparedRun run = read_run(line.operand());
    std::string path = line.text("output");
    if (path.empty()) {
        const auto dot = run.path.find_last_of("./");
        const bool extension = dot != std::string::npos && run.path[dot] == '.';
        path = run.path.substr(0, extension ? dot : run.path.size()) + ".html";
    }
    check_writable("output", path);
    platform::write_report(path, run.root);
    return kSuccess;
}

}  // namespace gen9::program
