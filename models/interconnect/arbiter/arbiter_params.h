// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"
#include "interconnect/arbiter/arbiter.h"

namespace gen9 {

/// The parameters of one arbiter, a member of its module's parameters (docs/arbitration.md).
struct ArbiterParams {
    /// `sentence`: who is arbitrated.
    ArbiterParams(ParamSet& set, const char* sentence, const char* policy, const char* source)
        : arbitration(set, {"arbitration", "", sentence, source}, policy,
                      ArbitrationPolicy::names()),
          arbitration_weights(set,
                              {"arbitration_weights", "",
                               "Weights of the clients for age_weighted, by index; the last one "
                               "stands for all after it.",
                               "Assumed: equal"},
                              {1}, 1, 1'000'000) {}

    Arbiter arbiter(unsigned clients) const {
        return Arbiter(ArbitrationPolicy::named(arbitration.get()), clients,
                       arbitration_weights.get());
    }

    ChoiceParam arbitration;
    ListParam arbitration_weights;
};

}  // namespace gen9
