// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/units.h"

namespace gen9 {

/// A signal has another value from a cycle on; see Signal.
struct SignalChange {
    enum class Kind : std::uint8_t { Set, Add, Mark };
    std::uint64_t at;
    std::uint64_t value;
    std::uint64_t order;  ///< in which the changes were told, from 1 on
    std::uint32_t signal;
    Kind kind;
};

/// Takes the changes of the signals that are watched. It knows nothing of waveform files.
class SignalRecorder {
  public:
    virtual ~SignalRecorder() = default;
    void tell(std::uint32_t signal, std::uint64_t at, std::uint64_t value,
              SignalChange::Kind kind) {
        changes_.push_back({at, value, ++told_, signal, kind});
        if (changes_.size() >= enough_) [[unlikely]] {
            take();
            enough_ = 2 * changes_.size() + kBatch;
        }
    }

  protected:
    /// Works on `changes_`, and removes those it has done with.
    virtual void take() = 0;
    std::vector<SignalChange> changes_;  ///< in the order told

  private:
    static constexpr std::size_t kBatch = 1 << 14;
    std::size_t enough_ = kBatch;
    std::uint64_t told_ = 0;
};

class SignalSet;

/// How the value of a signal is to be shown.
enum class SignalForm : std::uint8_t { Bit, Decimal, Hex, Words };

/// A value of the machine that can be watched in a waveform. It is told of changes only, each with
/// the cycle from which it holds:
/// - `set(value, at)`: the signal has the value from cycle `at` on. This replaces whatever was said
///   before of the cycles from `at` on, so a block may tell what will be unless something happens.
/// - `add(n, at)`: the value is `n` more from cycle `at` on; for queues, credits and what is in
///   flight.
/// - `mark(value, at)`: the signal has the value from cycle `at` on, until what is marked for a
///   later cycle, whether that was told before or will be; for what passes, such as an address.
/// A signal uses one of the three.
/// `at` is the present cycle of the clock or a later one. A value that does not fit the width is an
/// error of the model. A signal that nobody watches costs one branch.
class Signal {
  public:
    /// A number.
    Signal(SignalSet& set, std::string name, unsigned width_bits, SignalForm form,
           const char* meaning);
    /// A bit.
    Signal(SignalSet& set, std::string name, const char* meaning)
        : Signal(set, std::move(name), 1, SignalForm::Bit, meaning) {}
    /// A word of a list, by its number. The list outlives the signal.
    Signal(SignalSet& set, std::string name, std::span<const char* const> words,
           const char* meaning)
        : Signal(set, std::move(name),
                 static_cast<unsigned>(std::bit_width((words.size() - 1) | 1)), SignalForm::Words,
                 meaning) {
        words_ = words;
    }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;

    template <class Value>
    void set(Value value, Cycles at) {
        if (recorder_ == nullptr) [[likely]]
            return;
        const auto number = static_cast<std::uint64_t>(value);
        if (number != value_ || at < at_) change(number, at);
    }
    void add(std::int64_t n, Cycles at) {
        if (recorder_) [[unlikely]]
            recorder_->tell(number_, at.value, static_cast<std::uint64_t>(n),
                            SignalChange::Kind::Add);
    }
    template <class Value>
    void mark(Value value, Cycles at) {
        if (recorder_) [[unlikely]]
            recorder_->tell(number_, at.value, static_cast<std::uint64_t>(value),
                            SignalChange::Kind::Mark);
    }
    /// One more in the cycles from `from` to before `to`.
    void pulse(Cycles from, Cycles to) {
        if (recorder_ == nullptr || to <= from) [[likely]]
            return;
        add(1, from);
        add(-1, to);
    }
    bool watched() const { return recorder_ != nullptr; }
    /// Its value at cycle 0, if not 0. Call before it is watched.
    template <class Value>
    void start_with(Value value) {
        value_ = initial_ = static_cast<std::uint64_t>(value);
    }
    std::uint64_t initial() const { return initial_; }

    const std::string& name() const { return name_; }
    unsigned width_bits() const { return width_bits_; }
    SignalForm form() const { return form_; }
    std::span<const char* const> words() const { return words_; }
    const char* meaning() const { return meaning_; }
    bool fits(std::uint64_t value) const { return width_bits_ == 64 || value >> width_bits_ == 0; }

  private:
    friend class SignalSet;
    void change(std::uint64_t value, Cycles at);

    SignalRecorder* recorder_ = nullptr;
    std::uint64_t initial_ = 0;
    std::uint64_t value_ = 0;  ///< told last, from `at_` on
    Cycles at_;
    std::uint32_t number_ = 0;
    std::uint8_t width_bits_;
    SignalForm form_;
    SignalSet* set_;
    std::string name_;
    const char* meaning_;
    std::span<const char* const> words_;
};

/// The signals of one module, which are the members of a struct that derives from this; the scopes
/// of the waveform are the module names.
class SignalSet {
  public:
    /// `outer`: a set that counts as watched when this one is.
    explicit SignalSet(std::string path, SignalSet* outer = nullptr)
        : path_(std::move(path)), outer_(outer) {}
    SignalSet(const SignalSet&) = delete;
    SignalSet& operator=(const SignalSet&) = delete;
    const std::string& path() const { return path_; }
    const std::vector<Signal*>& signals() const { return signals_; }
    /// Is any of them watched? Asked before work that is done for signals only.
    bool watched() const { return watched_; }
    /// From now on the recorder is told of a signal's changes, by the number given.
    void watch(Signal& signal, SignalRecorder& recorder, std::uint32_t number);

  private:
    friend class Signal;
    std::string path_;
    SignalSet* outer_;
    std::vector<Signal*> signals_;
    bool watched_ = false;
};

}  // namespace gen9
