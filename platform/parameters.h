// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "common/params.h"

namespace gen9::platform {

/// The table of all parameters, instances that differ only by index being one row. `block`: only of
/// the modules of that name ("eu"); empty: all. Throws UserError if there is no such module.
std::string parameter_table(const std::vector<const ParamSet*>& sets, bool markdown,
                            const std::string& block = "");

/// JSON with line breaks and indentation, keys in the order they were put in.
std::string pretty(const boost::json::value& value, unsigned indent = 0);

}  // namespace gen9::platform
