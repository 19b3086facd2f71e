// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/byte_source.h"

#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/bits.h"
#include "common/check.h"

namespace gen9::platform {
namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

File open_file(const std::string& path, const char* mode) {
    File file(std::fopen(path.c_str(), mode));
    if (!file) throw UserError("cannot open '" + path + "': " + std::strerror(errno));
    return file;
}

std::size_t read_file(std::FILE* file, const std::string& path, std::span<std::uint8_t> room) {
    const std::size_t count = std::fread(room.data(), 1, room.size(), file);
    if (count < room.size() && std::ferror(file)) throw UserError("cannot read '" + path + "'");
    return count;
}

class PlainFile final : public ByteSource {
  public:
    PlainFile(File file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
    std::size_t read(std::span<std::uint8_t> room) override {
        return read_file(file_.get(), path_, room);
    }

  private:
    File file_;
    std::string path_;
};

class ZstdFile final : public ByteSource {
  public:
    ZstdFile(File file, std::string path)
        : file_(std::move(file)),
          path_(std::move(path)),
          stream_(ZSTD_createDStream(), ZSTD_freeDStream),
          packed_(ZSTD_DStreamInSize()) {}

    std::size_t read(std::span<std::uint8_t> room) override {
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        while (out.pos < out.size) {
            if (in_.pos == in_.size && !refill()) break;
            state_ = ZSTD_decompressStream(stream_.get(), &out, &in_);
            if (ZSTD_isError(state_))
                throw UserError("'" + path_ +
                                "' is a damaged zstd file: " + ZSTD_getErrorName(state_));
        }
        return out.pos;
    }

  private:
    bool refill() {
        in_ = {packed_.data(), read_file(file_.get(), path_, packed_), 0};
        // State 0 is the end of a frame; an end anywhere else is a cut file.
        if (in_.size == 0 && state_ != 0)
            throw UserError("'" + path_ + "' is a damaged zstd file: it is cut off");
        return in_.size != 0;
    }

    File file_;
    std::string path_;
    std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
    std::vector<std::uint8_t> packed_;
    ZSTD_inBuffer in_{nullptr, 0, 0};
    std::size_t state_ = 1;
};

class Bytes final : public ByteSource {
  public:
    explicit Bytes(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
    std::size_t read(std::span<std::uint8_t> room) override {
        const std::size_t count = std::min(room.size(), bytes_.size() - at_);
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), count, room.begin());
        at_ += count;
        return count;
    }

  private:
    std::vector<std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
    auto file = open_file(path, "rb");
    std::uint8_t first[4]{};
    const bool packed = read_file(file.get(), path, first) == sizeof first &&
                        load<std::uint32_t>(first) == ZSTD_MAGICNUMBER;
    std::rewind(file.get());
    if (packed) return std::make_unique<ZstdFile>(std::move(file), path);
    return std::make_unique<PlainFile>(std::move(file), path);
}

std::unique_ptr<ByteSource> bytes_of(std::vector<std::uint8_t> bytes) {
    return std::make_unique<Bytes>(std::move(bytes));
}

std::vector<std::uint8_t> read_all(const std::string& path, std::size_t limit) {
    const auto source = open_bytes(path);
    constexpr std::size_t kStep = 1 << 20;
    std::vector<std::uint8_t> bytes;
    for (;;) {
        const std::size_t size = bytes.size();
        if (size > limit)
            throw UserError("'" + path + "' is longer than " + std::to_string(limit) + " bytes");
        bytes.resize(size + kStep);
        const std::size_t count = source->read(std::span(bytes).subspan(size));
        bytes.resize(size + count);
        if (count < kStep) return bytes;
    }
}

}  // namespace gen9::platform
