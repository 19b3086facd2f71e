// SPDX-License-Identifier: Apache-2.0
#include "sc_main/comparison.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

#include "common/check.h"

namespace gen9::program {
namespace {

namespace json = boost::json;
constexpr int kStatisticsVersion = 3;

/// Named numbers of a run, or of one of its kernels.
using Figures = std::map<std::string, double>;
using Column = std::optional<double>;

std::string plain(const json::value& value) {
    return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.3f", value);
    return text;
}

/// How far a value is from the first run's, for the order of rows: 1 is twice or half.
double distance(const Column& first, const Column& other) {
    if (!first || !other || *first == *other) return 0;
    constexpr double kFromZero = 64;  // what appears or vanishes comes before what grows
    if (*first <= 0 || *other <= 0) return kFromZero;
    return std::abs(std::log2(*other / *first));
}

std::string cell(const Column& value, const Column& first) {
    if (!value) return "-";
    std::string text = number(*value);
    if (first && *first != 0 && *value != *first) {
        char percent[32];
        std::snprintf(percent, sizeof percent, " (%+.1f %%)", (*value / *first - 1) * 100);
        text += percent;
    }
    return text;
}

struct Row {
    std::string name;
    std::vector<Column> values;
    bool differs() const {
        return std::ranges::any_of(values, [&](const Column& v) { return v != values[0]; });
    }
    double most() const {
        double most = 0;
        for (const Column& value : values)
            most = std::max(most, distance(values[0], value));
        return most;
    }
    std::vector<std::string> texts() const {
        std::vector<std::string> texts = {name};
        for (const Column& value : values)
            texts.push_back(cell(value, values[0]));
        return texts;
    }
};

Column find(const Figures& figures, const std::string& name) {
    const auto found = figures.find(name);
    return found == figures.end() ? Column() : Column(found->second);
}

/// Is this launch of a run that was timed in part in the sum of cycles?
bool counted(const json::object& launch) {
    return launch.contains("cycles") &&
           (!launch.contains("timing") || launch.at("timing") != "warming");
}

/// Rates of the launches whose cycles are summed, whatever else ran.
void add_rates(Figures& figures) {
    const auto rate = [&](const char* name, double part, double whole) {
        if (whole > 0) figures[name] = part / whole;
    };
    if (!figures.contains("cycles")) return;
    rate("ipc", figures["timed_instructions"], figures["cycles"]);
    rate("l3_hit_rate", figures["l3_hits"], figures["l3_hits"] + figures["l3_misses"]);
}

struct Kernel {
    std::string place;  ///< start address and width
    std::string title;  ///< with its name, where that is known
    Figures figures;
};

/// The kernels of a run by start address and width, in order of first appearance.
std::vector<Kernel> kernels_of(const ComparedRun& run) {
    std::vector<Kernel> kernels;
    for (const json::value& entry : run.root.at("kernels").as_array()) {
        const json::object& launch = entry.as_object();
        const std::string place =
            plain(launch.at("kernel_start")) + " SIMD" + plain(launch.at("simd_width"));
        auto kernel = std::ranges::find(kernels, place, &Kernel::place);
        if (kernel == kernels.end()) {
            const bool named = launch.contains("name");
            kernel = kernels.insert(
                kernel, {place, named ? plain(launch.at("name")) + " (" + place + ")" : place, {}});
        }
        const auto add = [&](const char* figure, const char* as) {
            if (launch.contains(figure))
                kernel->figures[as] += launch.at(figure).to_number<double>();
        };
        for (const char* figure : {"threads", "instructions", "messages", "l3_bytes", "slm_bytes"})
            add(figure, figure);
        kernel->figures["launches"] += 1;
        if (!counted(launch)) continue;
        for (const char* figure : {"cycles", "l3_hits", "l3_misses"})
            add(figure, figure);
        add("instructions", "timed_instructions");
        kernel->figures["timed_launches"] += 1;
    }
    for (Kernel& kernel : kernels)
        add_rates(kernel.figures);
    return kernels;
}

/// Adds what the totals of older statistics do not say.
void add_timed(Figures& totals, const ComparedRun& run) {
    if (!totals.contains("cycles") || totals.contains("timed_instructions")) return;
    double& sum = totals["timed_instructions"];
    for (const json::value& entry : run.root.at("kernels").as_array())
        if (counted(entry.as_object())) sum += entry.at("instructions").to_number<double>();
}

/// A driver may place kernels elsewhere on another machine: kernels in the same number and with the
/// same launches are the same ones in the same order.
bool same_kernels(const std::vector<Kernel>& a, const std::vector<Kernel>& b) {
    return std::ranges::equal(a, b, [](const Kernel& one, const Kernel& other) {
        return find(one.figures, "launches") == find(other.figures, "launches");
    });
}

/// Sums over all instances of a block: "gpu.slice.subslice.eu.busy_cycles".
void add_counters(const json::object& from, const std::string& prefix, Figures& figures) {
    for (const auto& [key, value] : from) {
        const std::string name(key);
        if (value.is_object()) {
            const auto end = name.find_last_not_of("0123456789") + 1;
            add_counters(value.get_object(),
                         prefix + (name == "l3" ? name : name.substr(0, end)) + ".", figures);
        } else {
            figures[prefix + name] += value.to_number<double>();
        }
    }
}

ComparisonTable table(const std::string& title, const std::vector<ComparedRun>& runs) {
    ComparisonTable result{title, {""}, {}};
    for (const ComparedRun& run : runs)
        result.header.push_back(run.path);
    return result;
}

ComparisonTable compare_runs(const std::vector<ComparedRun>& runs) {
    ComparisonTable result = table("What was run", runs);
    const auto add = [&](const char* name, auto text) {
        std::vector<std::string> row = {name};
        for (const ComparedRun& run : runs)
            row.push_back(text(run.root, run.root.at("run").as_object()));
        result.rows.push_back(row);
    };
    using Object = const json::object&;
    add("model", [](Object, Object run) {
        return plain(run.at("model").at("version")) + " " + plain(run.at("model").at("revision"));
    });
    add("device", [](Object, Object run) { return plain(run.at("device")); });
    add("timing", [](Object root, Object) { return plain(root.at("timing")); });
    add("program", [](Object, Object run) {
        std::string text = plain(run.at("command"));
        for (const json::value& word : run.at("program").as_array())
            text += " " + plain(word);
        return text;
    });
    return result;
}

ComparisonTable compare_settings(const std::vector<ComparedRun>& runs) {
    ComparisonTable result = table("Settings that differ", runs);
    std::map<std::string, std::vector<std::string>> rows;
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const json::value& setting : runs[i].root.at("run").at("settings").as_array()) {
            const std::string unit = plain(setting.at("unit"));
            auto& row = rows[plain(setting.at("name")) + (unit.empty() ? "" : " (" + unit + ")")];
            row.resize(runs.size());
            row[i] = plain(setting.at("value"));
            for (std::size_t other = 0; other < runs.size(); ++other)
                if (row[other].empty()) row[other] = plain(setting.at("product"));
        }
    for (auto& [name, row] : rows) {
        if (std::ranges::all_of(row, [&](const std::string& text) { return text == row[0]; }))
            continue;
        row.insert(row.begin(), name);
        result.rows.push_back(row);
    }
    return result;
}

std::vector<Row> rows_of(const std::vector<Figures>& figures) {
    std::map<std::string, Row> rows;
    for (const Figures& one : figures)
        for (const auto& [name, value] : one)
            rows[name];
    std::vector<Row> result;
    for (auto& [name, row] : rows) {
        row.name = name;
        for (const Figures& one : figures)
            row.values.push_back(find(one, name));
        if (row.differs()) result.push_back(row);
    }
    std::ranges::stable_sort(result, std::greater{}, &Row::most);
    return result;
}

std::vector<ComparisonTable> compare_kernels(const std::vector<ComparedRun>& runs) {
    std::vector<std::vector<Kernel>> kernels;
    for (const ComparedRun& run : runs)
        kernels.push_back(kernels_of(run));
    const bool in_order = std::ranges::all_of(
        kernels, [&](const auto& other) { return same_kernels(kernels[0], other); });
    struct Compared {
        ComparisonTable table;
        double change;
    };
    std::vector<Compared> compared;
    for (std::size_t at = 0; at < kernels[0].size(); ++at) {
        const std::string& place = kernels[0][at].place;
        std::vector<Figures> figures;
        for (const auto& others : kernels) {
            const auto found = in_order ? others.begin() + static_cast<std::ptrdiff_t>(at)
                                        : std::ranges::find(others, place, &Kernel::place);
            figures.push_back(found == others.end() ? Figures{} : found->figures);
        }
        Compared one{table("Kernel " + kernels[0][at].title, runs), 0};
        for (const Row& row : rows_of(figures))
            one.table.rows.push_back(row.texts());
        for (const Figures& other : figures)
            one.change = std::max(one.change, std::abs(find(other, "cycles").value_or(0) -
                                                       find(figures[0], "cycles").value_or(0)));
        if (!one.table.rows.empty()) compared.push_back(std::move(one));
    }
    std::ranges::stable_sort(compared, std::greater{}, &Compared::change);
    std::vector<ComparisonTable> result;
    for (Compared& one : compared)
        result.push_back(std::move(one.table));
    return result;
}

}  // namespace

ComparedRun read_run(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        throw UserError("cannot read the statistics '" + path + "'");
    json::error_code error;
    const json::value value = json::parse(text.str(), error);
    const std::string not_ours = "'" + path + "' is not a statistics file of gen9sim";
    if (error || !value.is_object()) throw UserError(not_ours);
    const json::object& root = value.get_object();
    if (!root.contains("version") || !root.contains("counters")) throw UserError(not_ours);
    if (root.at("version") != kStatisticsVersion)
        throw UserError("'" + path + "' has version " + plain(root.at("version")) +
                        " of the statistics; this program reads version " +
                        std::to_string(kStatisticsVersion));
    return {path, root};
}

std::vector<ComparisonTable> compare(const std::vector<ComparedRun>& runs, std::size_t counters) {
    try {
        std::vector<ComparisonTable> tables = {compare_runs(runs), compare_settings(runs)};
        std::vector<Figures> totals, counts;
        for (const ComparedRun& run : runs) {
            Figures& figures = totals.emplace_back();
            for (const auto& [name, value] : run.root.at("totals").as_object())
                figures[std::string(name)] = value.to_number<double>();
            add_timed(figures, run);
            add_rates(figures);
            figures.erase("l3_hit_rate");
            add_counters(run.root.at("counters").as_object(), "", counts.emplace_back());
        }
        tables.push_back(table("Totals", runs));
        for (const Row& row : rows_of(totals))
            tables.back().rows.push_back(row.texts());
        for (ComparisonTable& kernel : compare_kernels(runs))
            tables.push_back(std::move(kernel));
        std::vector<Row> rows = rows_of(counts);
        tables.push_back(table("Counters, summed over all instances", runs));
        for (std::size_t i = 0; i < std::min(counters, rows.size()); ++i)
            tables.back().rows.push_back(rows[i].texts());
        if (rows.size() > counters)
            tables.back().title += ": the " + std::to_string(counters) + " of " +
                                   std::to_string(rows.size()) + " that differ most";
        return tables;
    } catch (const std::exception& error) {
        throw UserError(
            std::string("a statistics file is not as docs/statistics.schema.json says: ") +
            error.what());
    }
}

std::string as_text(const std::vector<ComparisonTable>& tables) {
    std::string text;
    for (const ComparisonTable& table : tables) {
        text += (text.empty() ? "" : "\n") + table.title + "\n";
        if (table.rows.empty()) text += "  no difference\n";
        if (table.rows.empty()) continue;
        std::vector<std::vector<std::string>> lines = {table.header};
        lines.insert(lines.end(), table.rows.begin(), table.rows.end());
        std::vector<std::size_t> widths(table.header.size());
        for (const auto& line : lines)
            for (std::size_t i = 0; i < line.size(); ++i)
                widths[i] = std::max(widths[i], line[i].size());
        for (const auto& line : lines) {
            std::string row = "  ";
            for (std::size_t i = 0; i < line.size(); ++i)
                row += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
            text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
        }
    }
    return text;
}

std::string as_html(const std::vector<ComparisonTable>& tables) {
    const auto escaped = [](const std::string& text) {
        std::string safe;
        for (const char c : text)
            safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
        return safe;
    };
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>gen9sim: "
        "comparison"
        "</title>\n<style>body{font-family:sans-serif;margin:2em;color:#1c2733}"
        "h1{font-size:1.4em}h2{font-size:1.05em;margin:1.4em 0 .3em}"
        "table{border-collapse:collapse;font-size:.9em;font-variant-numeric:tabular-nums}"
        "td,th{padding:.2em .8em;border-bottom:1px solid #ccc;text-align:right}"
        "td+td,th+th{min-width:13em}"
        "td:first-child{text-align:left;font-family:monospace;width:28em}</style></head><body>\n"
        "<h1>gen9sim: comparison</h1>\n";
    for (const ComparisonTable& table : tables) {
        html += "<h2>" + escaped(table.title) + "</h2>\n";
        if (table.rows.empty()) html += "<p>no difference</p>\n";
        if (table.rows.empty()) continue;
        html += "<table><tr>";
        for (const auto& name : table.header)
            html += "<th>" + escaped(name) + "</th>";
        html += "</tr>\n";
        for (const auto& row : table.rows) {
            html += "<tr>";
            for (const auto& text : row)
                html += "<td>" + escaped(text) + "</td>";
            html += "</tr>\n";
        }
        html += "</table>\n";
    }
    return html + "</body></html>\n";
}

}  // namespace gen9::program
