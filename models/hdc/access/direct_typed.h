// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "hdc/access/functional.h"
#include "hdc/core.h"
#include "interconnect/payload/direct_message.h"

namespace gen9::hdc {

/// A site of typed reads or writes; null: they are always sent.
std::unique_ptr<DirectSite> typed_site(Core& core, FunctionalDriver& driver, const Decoded& decoded,
                                       const SendForm& form);

}  // namespace gen9::hdc
