// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/byte_sink.h"

#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "common/check.h"
#include "platform/host/aub/byte_source.h"

namespace gen9::platform {
namespace {

// Captures are kept: those that are packed at leisure are packed well, for pages repeat a lot.
constexpr int kQuickLevel = 3, kSmallLevel = 19;

class PlainSink final : public ByteSink {
  public:
    explicit PlainSink(const std::string& path)
        : path_(path), file_(std::fopen(path.c_str(), "wb"), std::fclose) {
        if (!file_) fail();
    }
    void write(std::span<const std::uint8_t> bytes) override {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
    }
    void close() override {
        if (std::fclose(file_.release()) != 0) fail();
    }

  private:
    [[noreturn]] void fail() const {
        throw UserError("cannot write '" + path_ + "': " + std::strerror(errno));
    }
    std::string path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

class ZstdSink final : public ByteSink {
  public:
    ZstdSink(const std::string& path, int level)
        : file_(path), context_(ZSTD_createCCtx(), ZSTD_freeCCtx), packed_(ZSTD_CStreamOutSize()) {
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    }
    void write(std::span<const std::uint8_t> bytes) override { pack(bytes, ZSTD_e_continue); }
    void close() override {
        pack({}, ZSTD_e_end);
        file_.close();
    }

  private:
    void pack(std::span<const std::uint8_t> bytes, ZSTD_EndDirective last) {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        for (bool done = false; !done;) {
            ZSTD_outBuffer out{packed_.data(), packed_.size(), 0};
            const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, last);
            GEN9_CHECK(!ZSTD_isError(left), ZSTD_getErrorName(left));
            file_.write(std::span(packed_).first(out.pos));
            done = last == ZSTD_e_end ? left == 0 : in.pos == in.size;
        }
    }

    PlainSink file_;
    std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
    std::vector<std::uint8_t> packed_;
};

}  // namespace

std::unique_ptr<ByteSink> create_bytes(const std::string& path) {
    if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(path, kQuickLevel);
    return std::make_unique<PlainSink>(path);
}

void pack_file(const std::string& from, const std::string& to) {
    const auto source = open_bytes(from);
    ZstdSink sink(to, kSmallLevel);
    std::vector<std::uint8_t> bytes(ZSTD_CStreamInSize());
    for (std::size_t count = bytes.size(); count == bytes.size();) {
        count = source->read(bytes);
        sink.write(std::span(bytes).first(count));
    }
    sink.close();
}

}  // namespace gen9::platform
