// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/products/products.h"

#include <boost/json.hpp>

#include "common/check.h"

namespace gen9::platform {
namespace {

Product parse(const ProductFile& file) {
    boost::json::error_code error;
    const auto value = boost::json::parse(file.text, error);
    GEN9_CHECK(!error && value.is_object(),
               std::string("product file ") + file.name + " is not a JSON object");
    const auto& object = value.get_object();
    const auto text = [](const boost::json::value& from) {
        return boost::json::value_to<std::string>(from);
    };
    const auto& driver = object.at("driver").as_object();
    return {file.name,
            text(object.at("sentence")),
            text(driver.at("family")),
            text(driver.at("topology")),
            static_cast<std::uint32_t>(std::stoul(text(driver.at("device_id")), nullptr, 16)),
            static_cast<std::uint32_t>(driver.at("revision").as_int64()),
            object.at("settings").as_object(),
            object.at("sources").as_object()};
}

}  // namespace

const std::vector<Product>& products() {
    static const std::vector<Product> all = [] {
        std::vector<Product> parsed;
        for (const auto& file : kProductFiles)
            parsed.push_back(parse(file));
        return parsed;
    }();
    return all;
}

const Product& find_product(const std::string& name) {
    std::string names;
    for (const auto& product : products()) {
        if (product.name == name) return product;
        names += (names.empty() ? "" : ", ") + product.name;
    }
    throw UserError("--device '" + name + "' is not a product: " + names);
}

void apply(const Product& product, Config& config) {
    config.load(product.settings, "device " + product.name, Config::Asked::May);
}

}  // namespace gen9::platform
