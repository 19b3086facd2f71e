// SPDX-License-Identifier: Apache-2.0
#include "platform/host/deferred_engine.h"

#include <algorithm>
#include <cstring>

#include "platform/host/address_space.h"

namespace gen9::platform {
namespace {

/// Calls piece(page number, offset in the page, offset in the range, length) for each page touched.
template <class Piece>
void for_each_page(std::uint64_t address, std::size_t length, Piece&& piece) {
    for (std::size_t done = 0; done < length;) {
        const std::uint64_t at = address + done;
        const std::size_t offset = at % kPageBytes;
        const std::size_t count = std::min(kPageBytes - offset, length - done);
        piece(at / kPageBytes, offset, done, count);
        done += count;
    }
}

template <class Map>
auto sorted_keys(const Map& map) {
    std::vector<typename Map::key_type> keys;
    keys.reserve(map.size());
    for (const auto& entry : map)
        keys.push_back(entry.first);
    std::sort(keys.begin(), keys.end());
    return keys;
}

}  // namespace

Engine& DeferredEngine::need() {
    if (engine_) return *engine_;
    engine_ = build_();
    engine_->wanted = wanted;
    engine_->host_writes = host_writes;
    for (const auto page : sorted_keys(pages_))
        engine_->write_memory(PhysAddr(page * kPageBytes), *pages_[page]);
    for (const auto index : sorted_keys(gtt_))
        engine_->write_gtt(index, gtt_[index]);
    for (const auto& [offset, value] : registers_)
        engine_->write_register(offset, value);
    pages_.clear();
    gtt_.clear();
    registers_.clear();
    return *engine_;
}

void DeferredEngine::write_register(std::uint32_t offset, std::uint32_t value) {
    if (!engine_ && offset != kExeclistSubmitPort)
        return registers_.emplace_back(offset, value), void();
    need().write_register(offset, value);
}

std::uint32_t DeferredEngine::read_register(std::uint32_t offset) {
    return need().read_register(offset);
}

void DeferredEngine::write_gtt(std::uint32_t index, std::uint64_t entry) {
    if (engine_) return engine_->write_gtt(index, entry);
    gtt_[index] = entry;
}

std::uint64_t DeferredEngine::read_gtt(std::uint32_t index) {
    if (engine_) return engine_->read_gtt(index);
    const auto found = gtt_.find(index);
    return found == gtt_.end() ? 0 : found->second;
}

void DeferredEngine::write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) {
    if (engine_) return engine_->write_memory(address, bytes);
    for_each_page(address.value, bytes.size(),
                  [&](auto number, auto offset, auto done, auto count) {
                      auto& page = pages_[number];
                      if (!page) page = std::make_unique<Page>();
                      std::memcpy(page->data() + offset, bytes.data() + done, count);
                  });
}

void DeferredEngine::read_memory(PhysAddr address, std::span<std::uint8_t> bytes) {
    if (engine_) return engine_->read_memory(address, bytes);
    for_each_page(address.value, bytes.size(),
                  [&](auto number, auto offset, auto done, auto count) {
                      const auto found = pages_.find(number);
                      if (found == pages_.end())
                          std::memset(bytes.data() + done, 0, count);
                      else
                          std::memcpy(bytes.data() + done, found->second->data() + offset, count);
                  });
}

void DeferredEngine::run() {
    if (engine_) engine_->run();
}

}  // namespace gen9::platform
