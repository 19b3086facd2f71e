// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <vector>

namespace gen9::program {

/// A statistics file.
struct ComparedRun {
    std::string path;
    boost::json::object root;
};
/// Throws UserError that names the file and what is wrong with it.
ComparedRun read_run(const std::string& path);

/// A table of texts, one column for each run after the first. Rows that say the same of all runs
/// are left out.
struct ComparisonTable {
    std::string title;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};
/// Compares settings and results. The kernels whose cycles differ most come first. At most
/// `counters` rows of single counters.
std::vector<ComparisonTable> compare(const std::vector<ComparedRun>& runs, std::size_t counters);

std::string as_text(const std::vector<ComparisonTable>& tables);
std::string as_html(const std::vector<ComparisonTable>& tables);

}  // namespace gen9::program
