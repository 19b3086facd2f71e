// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "common/config.h"

namespace gen9::platform {

/// A product is a data file, compiled into the program: settings with their sources, and the words
/// by which Intel's driver is told to drive it.
struct Product {
    std::string name;
    std::string sentence;
    std::string driver_family;                  ///< ProductFamilyOverride
    std::string driver_topology;                ///< HardwareInfoOverride: slices x subslices x EUs
    std::uint32_t device_id = 0, revision = 0;  ///< in PCI configuration space
    boost::json::object settings;
    boost::json::object sources;  ///< where each setting comes from, by the same keys
};

/// All products, in the order of their names; the first call reads them.
const std::vector<Product>& products();
inline constexpr const char* kDefaultProduct = "skl-gt2";
/// Throws UserError that lists the names.
const Product& find_product(const std::string& name);
void apply(const Product& product, Config& config);

/// The files, as CMake found them (products_data.cpp is generated).
struct ProductFile {
    const char* name;
    const char* text;
};
extern const std::vector<ProductFile> kProductFiles;

}  // namespace gen9::platform
