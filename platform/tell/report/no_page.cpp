// SPDX-License-Identifier: Apache-2.0
// Stands in for page.cpp in a build without D3.
#include "common/check.h"
#include "platform/tell/report/page.h"

namespace gen9::platform {

std::string report_page(const boost::json::object& /*statistics*/) {
    throw UserError(
        "this gen9sim was built without D3 (Debian package node-d3): it writes no reports");
}

void write_report(const std::string& /*path*/, const boost::json::object& statistics) {
    report_page(statistics);
}

}  // namespace gen9::platform
