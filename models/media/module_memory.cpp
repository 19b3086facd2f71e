// SPDX-License-Identifier: Apache-2.0
// What the front end reads and writes.
#include <algorithm>

#include "media/module.h"

namespace gen9::media {

bool Media::PortReader::read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) {
    if (data.empty()) return true;
    attributes_.requester = Requester::StateCache;
    attributes_.mocs = mocs;
    delay = transport(tlm::TLM_READ_COMMAND, address.value, data);
    media_.stats_.memory_bytes += data.size();
    if (payload_.is_response_ok()) return true;
    std::fill(data.begin(), data.end(), std::uint8_t{0});
    return false;
}

bool Media::PortReader::look(GpuAddr address, std::span<std::uint8_t> data) {
    attributes_.requester = Requester::StateCache;
    attributes_.mocs = 0;
    set_up(tlm::TLM_READ_COMMAND, address.value, data);
    return media_.mem_out->transport_dbg(payload_) == data.size();
}

bool Media::PortReader::move_saved(tlm::tlm_command command, GpuAddr address,
                                   std::span<std::uint8_t> data) {
    attributes_.requester = Requester::DataPort;
    attributes_.mocs = 0;
    delay = transport(command, address.value, data);
    return payload_.is_response_ok();
}

Media::PortReader& Media::reader_for_threads() {
    thread_reader_.delay = reader_.delay;
    thread_reader_.serve(reader_.cause());
    return thread_reader_;
}

// The front end's own writes go by beside its reads and take no time of their own (Assumed).
void Media::PortReader::put_in_urb(std::uint32_t address, std::span<std::uint8_t> data) {
    attributes_.space = AddressSpace::Urb;
    attributes_.requester = Requester::Urb;
    transport(tlm::TLM_WRITE_COMMAND, address, data);
    attributes_.space = AddressSpace::Ppgtt;
    media_.stats_.urb_bytes += data.size();
}

void Media::PortReader::get_from_urb(std::uint32_t address, std::span<std::uint8_t> data,
                                     TraceId cause) {
    attributes_.space = AddressSpace::Urb;
    attributes_.requester = Requester::Urb;
    const TraceId command = attributes_.trace_id;
    attributes_.trace_id = cause;
    transport(tlm::TLM_READ_COMMAND, address, data);
    if (!payload_.is_response_ok()) std::fill(data.begin(), data.end(), std::uint8_t{0});
    attributes_.trace_id = command;
    attributes_.space = AddressSpace::Ppgtt;
}

void Media::PortReader::set_up(tlm::tlm_command command, std::uint64_t address,
                               std::span<std::uint8_t> data) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(data.data());
    payload_.set_data_length(static_cast<unsigned>(data.size()));
    payload_.set_streaming_width(static_cast<unsigned>(data.size()));
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

sc_core::sc_time Media::PortReader::transport(tlm::tlm_command command, std::uint64_t address,
                                              std::span<std::uint8_t> data) {
    set_up(command, address, data);
    sc_core::sc_time taken = delay;
    media_.mem_out->b_transport(payload_, taken);
    return taken;
}

}  // namespace gen9::media
