// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpfr.h>

/// An MPFR number that cleans up behind itself.
class Real {
  public:
    /// Enough that rounding twice (to this, then to float or double) rounds correctly.
    static constexpr mpfr_prec_t precision = 200;
    /// Holds every sum of products of doubles exactly.
    static constexpr mpfr_prec_t exact = 4400;

    explicit Real(double value = 0, mpfr_prec_t bits = precision) {
        mpfr_init2(number_, bits);
        mpfr_set_d(number_, value, MPFR_RNDN);
    }
    ~Real() { mpfr_clear(number_); }
    Real(const Real&) = delete;
    Real& operator=(const Real&) = delete;

    operator mpfr_ptr() { return number_; }
    operator mpfr_srcptr() const { return number_; }

  private:
    mpfr_t number_;
};
