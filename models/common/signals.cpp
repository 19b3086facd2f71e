// SPDX-License-Identifier: Apache-2.0
#include "common/signals.h"

namespace gen9 {

Signal::Signal(SignalSet& set, std::string name, unsigned width_bits, SignalForm form,
               const char* meaning)
    : width_bits_(static_cast<std::uint8_t>(width_bits)),
      form_(form),
      set_(&set),
      name_(std::move(name)),
      meaning_(meaning) {
    GEN9_CHECK(width_bits >= 1 && width_bits <= 64, set.path() + "." + name_ + ": width");
    set.signals_.push_back(this);
}

void Signal::change(std::uint64_t value, Cycles at) {
    GEN9_CHECK(fits(value), set_->path() + "." + name_ + ": the value " + std::to_string(value) +
                                " does not fit " + std::to_string(width_bits_) + " bits");
    value_ = value;
    at_ = at;
    recorder_->tell(number_, at.value, value, SignalChange::Kind::Set);
}

void SignalSet::watch(Signal& signal, SignalRecorder& recorder, std::uint32_t number) {
    signal.recorder_ = &recorder;
    signal.number_ = number;
    for (SignalSet* set = this; set != nullptr; set = set->outer_)
        set->watched_ = true;
}

}  // namespace gen9
