// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <string>

namespace gen9::platform {

/// The statistics of a run (docs/statistics.schema.json) as an HTML page that needs nothing else:
/// its scripts, D3 among them, are within it.
std::string report_page(const boost::json::object& statistics);

/// Writes the page. Throws UserError when the file cannot be written.
void write_report(const std::string& path, const boost::json::object& statistics);

}  // namespace gen9::platform
