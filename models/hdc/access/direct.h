// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hdc/access/direct_typed.h"
#include "hdc/access/functional.h"
#include "hdc/core.h"
#include "interconnect/payload/direct_message.h"
#include "interconnect/payload/stays_inside.h"

namespace gen9::hdc {

/// The messages of one client of a data port as calls (functional mode). A site knows what the descriptor and the
/// surface say; a message is then the addresses, the places behind them and the move. What is not
/// plain, out of bounds or not at a host pointer is left to Core::find, which reports what is to be
/// reported.
class DirectPort final : public DirectFunction, public StaysInside {
  public:
    /// `typed`: what the sites of all clients know of surfaces.
    DirectPort(Core& core, FunctionalDriver& driver, TypedTargets& typed)
        : core_(core), driver_(driver), typed_(typed) {}
    std::unique_ptr<DirectSite> site(const SendForm& form) override;
    bool counts_later() const override { return true; }
    void stay_inside(bool on) override { driver_.stay_inside(on); }
    void settle(TraceId cause) override {
        for (Uncounted* const site : uncounted_)
            site->count(cause);
        uncounted_.clear();
    }

    /// A site with calls that are not counted yet.
    class Uncounted {
      public:
        virtual void count(TraceId cause) = 0;

      protected:
        ~Uncounted() = default;
    };
    void add(Uncounted& site) { uncounted_.push_back(&site); }

  private:
    Core& core_;
    FunctionalDriver& driver_;
    TypedTargets& typed_;
    std::vector<Uncounted*> uncounted_;
};

}  // namespace gen9::hdc
