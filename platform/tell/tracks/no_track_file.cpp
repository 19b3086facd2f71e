// SPDX-License-Identifier: Apache-2.0
// Stands in for track_file.cpp in a build without protozero.
#include "common/check.h"
#include "platform/tell/tracks/track_file.h"

namespace gen9::platform {

TrackFile::TrackFile(std::string path) : path_(std::move(path)) {
    throw UserError(
        "this gen9sim was built without protozero (Debian package libprotozero-dev): it writes no "
        "timelines");
}

TrackFile::Track TrackFile::group(const std::string&) {
    return 0;
}
TrackFile::Track TrackFile::track(Track, const std::string&) {
    return 0;
}
TrackFile::Track TrackFile::counter(Track, const std::string&, const std::string&) {
    return 0;
}
TrackFile::Name TrackFile::name(const std::string&) {
    return 0;
}
void TrackFile::slice(Track, Name, std::uint64_t, std::uint64_t, Facts, std::uint64_t) {}
void TrackFile::instant(Track, Name, std::uint64_t, std::uint64_t, Flow, Facts) {}
void TrackFile::count(Track, std::uint64_t, double) {}
void TrackFile::close() {}

}  // namespace gen9::platform
