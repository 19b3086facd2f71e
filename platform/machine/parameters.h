// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/value.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/params.h"

namespace gen9::platform {

/// The names of modules as tables write them.
class ParameterNames {
  public:
    explicit ParameterNames(const std::vector<const ParamSet*>& sets);
    /// "gpu.slice0.subslice2.eu5" -> "gpu.slice.subslice.eu". A part ends in an index when there is
    /// a first one, numbered 0, beside it: "l3" is a name.
    std::string without_indices(const std::string& path) const;

  private:
    std::set<std::string> modules_;  ///< that have parameters, and those they stand in
};

/// The table of all parameters, instances that differ only by index being one row. `block`: only of
/// the modules of that name ("eu"); empty: all. Throws UserError if there is no such module.
std::string parameter_table(const std::vector<const ParamSet*>& sets, bool markdown,
                            const std::string& block = "");

/// JSON with line breaks and indentation, keys in the order they were put in.
std::string pretty(const boost::json::value& value, unsigned indent = 0);

}  // namespace gen9::platform
