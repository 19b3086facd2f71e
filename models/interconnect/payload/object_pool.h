// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace gen9 {

/// Objects that are used again and again. The pool owns all of them, those in use as well.
template <class Object>
class ObjectPool {
  public:
    /// One as its last user left it; a new one is value-initialised.
    Object& get() {
        if (free_.empty()) {
            all_.push_back(std::make_unique<Object>());
            free_.push_back(all_.back().get());
        }
        Object& object = *free_.back();
        free_.pop_back();
        return object;
    }
    void put(Object& object) { free_.push_back(&object); }
    /// The first for which it holds, in use or not; null: none.
    template <class Holds>
    Object* find(Holds holds) const {
        for (const auto& each : all_)
            if (holds(*each)) return each.get();
        return nullptr;
    }
    /// So many are in use.
    std::size_t out() const { return all_.size() - free_.size(); }

  private:
    std::vector<std::unique_ptr<Object>> all_;
    std::vector<Object*> free_;
};

}  // namespace gen9
