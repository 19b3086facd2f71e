// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "interconnect/payload/thread_places.h"
#include "interconnect/payload/work.h"

namespace gen9::media {

/// A command or thread that the media front end will not run, and what to say about it. Empty `id`:
/// the guest broke a rule; otherwise the ledger row of what is not modelled.
struct Refusal {
    std::string id;
    std::string kind;
    std::string text;
};

}  // namespace gen9::media
