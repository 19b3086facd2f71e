// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "packets/media.h"

namespace gen9::cs {

/// Barriers of the groups that the pipe has been given since it was last stalled, for the rules on
/// what a stall must stand between (GW-36, MED-60, POOL-09).
class BarrierUse {
  public:
    enum class Kind : std::uint8_t {
        None,
        Local,   ///< in the gateway of one subslice
        Global,  ///< media: over the gateways of several subslices (TD-49)
        Linked,  ///< over those of a pool (POOL-08)
    };
    static constexpr unsigned kDescriptors = 64;
    using Descriptors = std::array<std::uint32_t, 8 * kDescriptors>;

    /// The descriptors as MEDIA_INTERFACE_DESCRIPTOR_LOAD has read them.
    void loaded(const Descriptors& descriptors) { descriptors_ = descriptors; }
    Kind kind_of(unsigned descriptor, bool media, bool pools) const {
        namespace row = packets::INTERFACE_DESCRIPTOR_DATA;
        const auto d = std::span(descriptors_).subspan(8 * (descriptor % kDescriptors), 8);
        if (!row::BarrierEnable.get(d)) return Kind::None;
        if (row::SharedLocalMemorySize.get(d)) return Kind::Local;
        if (media && row::GlobalBarrierEnable.get(d)) return Kind::Global;
        return pools ? Kind::Linked : Kind::Local;
    }
    void given(Kind kind, bool media) {
        used_[static_cast<unsigned>(kind)] = true;
        if (media) by_media_[static_cast<unsigned>(kind)] = true;
    }
    void stalled() { used_ = by_media_ = {}; }
    void reported() { by_media_ = {}; }
    /// Has the pipe been given a barrier that does not go together with one of this kind? Local
    /// ones go with global ones under the legacy dispatch policy, and Gen9's MEDIA_VFE_STATE has
    /// no public field for another.
    bool mixes(Kind kind) const {
        return (kind == Kind::Global && used(Kind::Linked)) ||
               (kind == Kind::Linked && used(Kind::Global));
    }
    /// Must a stall come before MEDIA_VFE_STATE? `any`: for other barriers than global ones too.
    bool wants_stall(bool any) const {
        return by_media(Kind::Global) || (any && (by_media(Kind::Local) || by_media(Kind::Linked)));
    }

  private:
    using Kinds = std::array<bool, 4>;
    bool used(Kind kind) const { return used_[static_cast<unsigned>(kind)]; }
    bool by_media(Kind kind) const { return by_media_[static_cast<unsigned>(kind)]; }
    Kinds used_{}, by_media_{};
    Descriptors descriptors_{};
};

}  // namespace gen9::cs
