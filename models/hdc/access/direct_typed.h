// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>

#include "hdc/core.h"
#include "interconnect/payload/direct_message.h"
#include "surface/surface.h"

namespace gen9::hdc {

class DirectPort;
class FunctionalDriver;
struct TypedTarget;

/// Keeps what a port's sites of typed messages know of surfaces. Sites that do the same share it.
class TypedTargets {
  public:
    /// Messages as `decoded` on a surface, under `found`: what the findings of the core and of host
    /// memory have come to.
    std::shared_ptr<TypedTarget> find(const surface::Surface& surface, const Decoded& decoded,
                                      std::uint64_t found);

  private:
    std::array<std::shared_ptr<TypedTarget>, 8> kept_;
    unsigned next_ = 0;  ///< to be replaced
};

/// A site of typed reads or writes (DirectPort::site), or null if its messages are none that it could
/// carry out.
std::unique_ptr<DirectSite> typed_site(DirectPort& port, TypedTargets& targets, Core& core,
                                       FunctionalDriver& driver, const Decoded& decoded,
                                       const SendForm& form);

}  // namespace gen9::hdc
