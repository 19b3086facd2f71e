// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/report/page.h"

#include <boost/json.hpp>
#include <fstream>
#include <map>
#include <string_view>

#include "common/check.h"

/// The bytes of a file, from the build, as `gen9_page_NAME` up to `gen9_page_NAME_end`.
#define GEN9_PAGE_PART(name, file)                                                    \
    __asm__(".pushsection .rodata\n.global gen9_page_" #name "\ngen9_page_" #name     \
            ":\n"                                                                     \
            ".incbin \"" file "\"\n.global gen9_page_" #name "_end\ngen9_page_" #name \
            "_end:\n.byte 0\n.popsection\n");                                         \
    extern "C" const char gen9_page_##name[], gen9_page_##name##_end[]

GEN9_PAGE_PART(frame, GEN9_PAGE_FOLDER "/frame.html");
GEN9_PAGE_PART(style, GEN9_PAGE_FOLDER "/style.css");
GEN9_PAGE_PART(figures, GEN9_PAGE_FOLDER "/figures.js");
GEN9_PAGE_PART(causes, GEN9_PAGE_FOLDER "/causes.js");
GEN9_PAGE_PART(charts, GEN9_PAGE_FOLDER "/charts.js");
GEN9_PAGE_PART(flow, GEN9_PAGE_FOLDER "/flow.js");
GEN9_PAGE_PART(tables, GEN9_PAGE_FOLDER "/tables.js");
GEN9_PAGE_PART(page, GEN9_PAGE_FOLDER "/page.js");
GEN9_PAGE_PART(library, GEN9_D3);

#define GEN9_TEXT(name) std::string_view(gen9_page_##name, gen9_page_##name##_end)

namespace gen9::platform {
namespace {

/// Writes JSON that may stand within a script element, whatever its strings hold.
std::string harmless(const boost::json::object& statistics) {
    std::string safe;
    for (const char c : boost::json::serialize(statistics))
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    return safe;
}

/// The figures of launches without the names of their members, which are most of the bytes:
/// [number of the shape, values in its order]. Shapes are objects with a 0 for each value.
class PackedFigures {
  public:
    /// Puts members of a launch together as another one.
    void pack(boost::json::object& launch, std::initializer_list<const char*> members,
              const char* as) {
        boost::json::object shape;
        boost::json::array values = {0};
        for (const char* member : members)
            if (auto* const found = launch.if_contains(member)) {
                shape[member] = shape_of(*found, values);
                launch.erase(member);
            }
        const std::string text = boost::json::serialize(shape);
        const auto [place, is_new] = numbers_.try_emplace(text, shapes_.size());
        if (is_new) shapes_.push_back(shape);
        values[0] = place->second;
        launch[as] = std::move(values);
    }
    const boost::json::array& shapes() const { return shapes_; }

  private:
    static boost::json::value shape_of(const boost::json::value& from, boost::json::array& values) {
        const auto* const object = from.if_object();
        if (!object) {
            values.push_back(from);
            return 0;
        }
        boost::json::object shape;
        for (const auto& [key, value] : *object)
            shape[key] = shape_of(value, values);
        return shape;
    }

    boost::json::array shapes_;
    std::map<std::string, std::size_t> numbers_;
};

/// The statistics as the page reads them (figures.js): of thousands of launches it adds up all and
/// looks at a few.
boost::json::object for_page(boost::json::object statistics) {
    PackedFigures figures;
    auto* const kernels = statistics.if_contains("kernels");
    if (auto* const launches = kernels ? kernels->if_array() : nullptr)
        for (auto& launch : *launches)
            if (auto* const members = launch.if_object()) {
                figures.pack(*members, {"eu", "occupancy", "memory", "latency"}, "sums");
                figures.pack(*members, {"queues"}, "means");
            }
    statistics["shapes"] = figures.shapes();
    return statistics;
}

}  // namespace

std::string report_page(const boost::json::object& statistics) {
    std::string code;
    for (const std::string_view part : {GEN9_TEXT(figures), GEN9_TEXT(causes), GEN9_TEXT(charts),
                                        GEN9_TEXT(flow), GEN9_TEXT(tables), GEN9_TEXT(page)})
        code += part;
    const std::pair<std::string_view, std::string> parts[] = {
        {"@style@", std::string(GEN9_TEXT(style))},
        {"@statistics@", harmless(for_page(statistics))},
        {"@library@", std::string(GEN9_TEXT(library))},
        {"@code@", code}};
    std::string_view frame = GEN9_TEXT(frame);
    std::string page;
    for (const auto& [mark, text] : parts) {
        const auto at = frame.find(mark);
        GEN9_CHECK(at != frame.npos, "the frame of the report lacks " + std::string(mark));
        page.append(frame.substr(0, at)).append(text);
        frame.remove_prefix(at + mark.size());
    }
    return page.append(frame);
}

void write_report(const std::string& path, const boost::json::object& statistics) {
    std::ofstream file(path);
    file << report_page(statistics);
    file.close();
    if (!file) throw UserError("cannot write the report '" + path + "'");
}

}  // namespace gen9::platform
