// SPDX-License-Identifier: Apache-2.0
// Stands in for rtl_models.cpp where Verilator is not installed.
#include "platform/blocks.h"
#include "platform/cosim/rtl_models.h"

namespace gen9::platform {
namespace {

template <class Interface>
void refuse(Models<Interface>& models, const char* kind, const char* name) {
    models.add(name, [kind, name](const BlockPlace&, const auto&) -> std::unique_ptr<Interface> {
        throw UserError(std::string(kind) + ".model=" + name +
                        " needs RTL, and gen9sim was built without Verilator (Debian package "
                        "verilator): install it and build again");
    });
}

}  // namespace

void add_rtl_models(BlockModels& models) {
    refuse(models.slm, "slm", "rtl");
    refuse(models.slm, "slm", "both");
    refuse(models.alu, "cs.alu", "rtl");
    refuse(models.alu, "cs.alu", "both");
    refuse(models.dram, "dram", "rtl");
}

}  // namespace gen9::platform
