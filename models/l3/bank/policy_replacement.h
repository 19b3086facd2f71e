// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace gen9::l3 {

/// Chooses the way of a set that takes the next line (L3-09). One object keeps the sets of one
/// pool.
class Replacement {
  public:
    virtual ~Replacement() = default;
    /// The way to fill next; the choice counts as made.
    virtual unsigned fill(unsigned set) = 0;
    /// A line was used.
    virtual void hit(unsigned set, unsigned way) = 0;
    /// Does that change anything?
    virtual bool hits_count() const = 0;
};

/// Binary tree of N-1 bits: a fill turns the nodes on its path away from the filled way; hits do
/// not count (L3-41, 003:18559-18561). Way counts that are no power of two make hot ways (L3-43).
class PseudoLru : public Replacement {
  public:
    PseudoLru(unsigned sets, unsigned ways);
    unsigned fill(unsigned set) override;
    void hit(unsigned, unsigned) override {}
    bool hits_count() const override { return false; }

  private:
    unsigned ways_;
    std::vector<std::uint8_t>
        right_;  ///< a node's next direction; node of a split at way m is m - 1
};

/// N bits: a fill takes the first 0 and sets it; when all are 1 they are cleared and way 0 is taken
/// (L3-42, 003:18563-18565). Whether read hits set the bit is open: an option.
class OneBitLru : public Replacement {
  public:
    OneBitLru(unsigned sets, unsigned ways, bool hits_count);
    unsigned fill(unsigned set) override;
    void hit(unsigned set, unsigned way) override;
    bool hits_count() const override { return hits_count_; }

  private:
    unsigned ways_;
    bool hits_count_;
    std::vector<std::uint8_t> used_;
};

/// The policies by the name of their parameter value; null for an unknown one.
std::unique_ptr<Replacement> make_replacement(const char* name, unsigned sets, unsigned ways);

}  // namespace gen9::l3
