// SPDX-License-Identifier: Apache-2.0
/// Messages of the media sampler and of motion estimation by Intel's media runtime (CM, Debian
/// packages libigfxcmrt7 and intel-media-va-driver): states of surfaces and of samplers are the
/// driver's, kernels come ready made in containers.
///
///   media_messages <JOBS
///
/// A line of JOBS is one of
///   scale CONTAINER PICTURE BUFFER OUTPUT THREADS FORMAT WIDTH HEIGHT TURN SITING TABLES TAPS
///     SHUFFLE
///   direct CONTAINER PICTURE BUFFER OUTPUT THREADS FORMAT WIDTH HEIGHT TURN SITING TABLES TAPS
///     SHUFFLE ACROSS DOWN
///   grid CONTAINER PICTURE BUFFER OUTPUT THREADS FORMAT WIDTH HEIGHT LINEAR
///   search CONTAINER PICTURE BUFFER OUTPUT THREADS FORMAT WIDTH HEIGHT FORWARD BACKWARD
/// THREADS is two numbers, across and down. PICTURE is a file with the picture's bytes; of a search,
/// with those of the source, of the FORWARD references and of the BACKWARD ones. BUFFER holds what
/// the buffer has before, OUTPUT gets what it has afterwards. TABLES is a file of coefficients, four
/// tables (0 across, 0 down, 1 across, 1 down) of 32 phases of 8 signed bytes in 64ths. TAPS is 4, or 8
/// for eight taps of luma and green. TURN and SITING are the runtime's numbers of a turn and of where
/// chroma lies. LINEAR is 0 for the nearest texels. ACROSS and DOWN are the bytes of a surface that
/// the sampler writes, which OUTPUT gets instead.
/// The kernel's arguments: scale and grid: picture, sampler, buffer; direct: picture, sampler,
/// surface, buffer; search: pictures, buffer.
#include <fcntl.h>
#include <igfxcmrt/cm_rt.h>
#include <unistd.h>
#include <va/va_drm.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

/// Declared by the runtime's header, but not in its library.
CM_FLAG::CM_FLAG() : rotationFlag(CM_ROTATION_IDENTITY), chromaSiting(0) {}

namespace {

using Bytes = std::vector<unsigned char>;

void check(int result, const char* what) {
    if (result == CM_SUCCESS) return;
    std::fprintf(stderr, "%s failed (%d)\n", what, result);
    std::exit(1);
}

Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) check(-1, path.c_str());
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

CM_SURFACE_FORMAT format_of(const std::string& name) {
    if (name == "nv12") return CM_SURFACE_FORMAT_NV12;
    if (name == "argb") return CM_SURFACE_FORMAT_A8R8G8B8;
    if (name == "yuy2") return CM_SURFACE_FORMAT_YUY2;
    if (name == "uyvy") return CM_SURFACE_FORMAT_UYVY;
    check(-1, name.c_str());
    return CM_SURFACE_FORMAT_NV12;
}

struct Job {
    std::string kind, container, picture, buffer, output, format;
    unsigned across = 0, down = 0, width = 0, height = 0;
};

/// The parts of a job that all kinds have.
class Run {
  public:
    Run(CmDevice* device, CmQueue* queue, const Job& job)
        : device_(device), queue_(queue), job_(job) {
        Bytes container = contents(job.container);
        check(device->LoadProgram(container.data(), static_cast<UINT>(container.size()), program_,
                                  "nojitter"),
              "LoadProgram");
        check(device->CreateKernel(program_, "media", kernel_), "a kernel");
        check(kernel_->SetThreadCount(job.across * job.down), "a number of threads");
        bytes_ = contents(job.buffer);
        check(device->CreateBuffer(static_cast<UINT>(bytes_.size()), buffer_), "a buffer");
        check(buffer_->WriteSurface(bytes_.data(), nullptr), "a write");
        pictures_ = contents(job.picture);
    }

    /// The n-th picture of `count` in the file.
    CmSurface2D* picture(unsigned n, unsigned count) {
        CmSurface2D* surface = nullptr;
        check(device_->CreateSurface2D(job_.width, job_.height, format_of(job_.format), surface),
              "a picture");
        check(surface->WriteSurface(pictures_.data() + n * (pictures_.size() / count), nullptr),
              "a picture's write");
        surfaces_.push_back(surface);
        return surface;
    }
    template <class Index>
    void argument(const Index* index) {
        check(kernel_->SetKernelArg(next_++, sizeof *index, index), "an argument");
    }
    void go() {
        SurfaceIndex* index = nullptr;
        check(buffer_->GetIndex(index), "an index");
        argument(index);
        CmTask* task = nullptr;
        CmEvent* event = nullptr;
        CmThreadSpace* space = nullptr;
        check(device_->CreateThreadSpace(job_.across, job_.down, space), "a space of threads");
        check(device_->CreateTask(task), "a task");
        check(task->AddKernel(kernel_), "a kernel of a task");
        check(queue_->Enqueue(task, event, space), "Enqueue");
        check(event->WaitForTaskFinished(60'000), "waiting for the threads");
        check(buffer_->ReadSurface(bytes_.data(), event), "a read");
        write_file(job_.output, bytes_);
        check(queue_->DestroyEvent(event), "the end of an event");
        check(device_->DestroyTask(task), "the end of a task");
        check(device_->DestroyThreadSpace(space), "the end of a space");
        check(device_->DestroyKernel(kernel_), "the end of a kernel");
        check(device_->DestroyProgram(program_), "the end of a program");
        check(device_->DestroySurface(buffer_), "the end of a buffer");
    }
    void forget_pictures() {
        for (CmSurface2D*& surface : surfaces_)
            check(device_->DestroySurface(surface), "the end of a picture");
    }

  private:
    CmDevice* device_;
    CmQueue* queue_;
    const Job& job_;
    CmProgram* program_ = nullptr;
    CmKernel* kernel_ = nullptr;
    CmBuffer* buffer_ = nullptr;
    Bytes bytes_, pictures_;
    std::vector<CmSurface2D*> surfaces_;
    UINT next_ = 0;
};

void fill(CM_AVS_COEFF_TABLE (&rows)[CM_NUM_COEFF_ROWS_SKL], const Bytes& tables, unsigned table) {
    for (unsigned phase = 0; phase < CM_NUM_COEFF_ROWS_SKL; ++phase) {
        const auto* at = reinterpret_cast<const signed char*>(
            tables.data() + 8 * (CM_NUM_COEFF_ROWS_SKL * table + phase));
        constexpr float kOne = 64;
        rows[phase] = {at[0] / kOne, at[1] / kOne, at[2] / kOne, at[3] / kOne,
                       at[4] / kOne, at[5] / kOne, at[6] / kOne, at[7] / kOne};
    }
}

void scale(CmDevice* device, CmQueue* queue, const Job& job) {
    unsigned turn = 0, siting = 0, taps = 0, shuffle = 0;
    std::string file;
    std::cin >> turn >> siting >> file >> taps >> shuffle;
    const Bytes tables = contents(file);
    if (tables.size() != std::size_t{4} * CM_NUM_COEFF_ROWS_SKL * 8) check(-1, "tables' size");
    Run run(device, queue, job);
    SurfaceIndex* picture = nullptr;
    CM_FLAG flag;
    flag.rotationFlag = static_cast<CM_ROTATION>(turn);
    flag.chromaSiting = static_cast<INT>(siting);
    check(device->CreateSampler8x8SurfaceEx(run.picture(0, 1), picture, CM_AVS_SURFACE,
                                            CM_SURFACE_CLAMP, &flag),
          "a surface of the scaler");
    CM_AVS_NONPIPLINED_STATE state{};
    state.BypassXAF = state.BypassYAF = true;
    state.DefaultSharpLvl = 255;
    fill(state.Tbl0X, tables, 0);
    fill(state.Tbl0Y, tables, 1);
    fill(state.Tbl1X, tables, 2);
    fill(state.Tbl1Y, tables, 3);
    state.bAdaptiveFilterAllChannels = true;
    CM_AVS_STATE_MSG message{};
    message.EightTapAFEnable = taps == 8;
    message.ShuffleOutputWriteback = shuffle != 0;
    message.BypassIEF = true;
    message.AvsState = &state;
    CM_SAMPLER_8X8_DESCR description{};
    description.stateType = CM_SAMPLER8X8_AVS;
    description.avs = &message;
    CmSampler8x8* sampler = nullptr;
    SamplerIndex* index = nullptr;
    check(device->CreateSampler8x8(description, sampler), "a scaler");
    check(sampler->GetIndex(index), "a scaler's index");
    run.argument(picture);
    run.argument(index);
    CmSurface2D* target = nullptr;
    unsigned across = 0, down = 0;
    if (job.kind == "direct") {
        std::cin >> across >> down;
        check(device->CreateSurface2D(across, down, CM_SURFACE_FORMAT_A8, target), "a target");
        const Bytes nothing(std::size_t{across} * down);
        check(target->WriteSurface(nothing.data(), nullptr), "a target's write");
        SurfaceIndex* target_index = nullptr;
        check(target->GetIndex(target_index), "a target's index");
        run.argument(target_index);
    }
    run.go();
    if (target) {
        Bytes bytes(std::size_t{across} * down);
        check(target->ReadSurface(bytes.data(), nullptr), "a target's read");
        write_file(job.output, bytes);
        check(device->DestroySurface(target), "the end of a target");
    }
    check(device->DestroySampler8x8(sampler), "the end of a scaler");
    check(device->DestroySampler8x8Surface(picture), "the end of a scaler's surface");
    run.forget_pictures();
}

void grid(CmDevice* device, CmQueue* queue, const Job& job) {
    unsigned linear = 0;
    std::cin >> linear;
    Run run(device, queue, job);
    SurfaceIndex* picture = nullptr;
    check(device->CreateSamplerSurface2D(run.picture(0, 1), picture), "a surface of the sampler");
    const auto filter = linear ? CM_TEXTURE_FILTER_TYPE_LINEAR : CM_TEXTURE_FILTER_TYPE_POINT;
    const CM_SAMPLER_STATE state{filter, filter, CM_TEXTURE_ADDRESS_CLAMP, CM_TEXTURE_ADDRESS_CLAMP,
                                 CM_TEXTURE_ADDRESS_CLAMP};
    CmSampler* sampler = nullptr;
    SamplerIndex* index = nullptr;
    check(device->CreateSampler(state, sampler), "a sampler");
    check(sampler->GetIndex(index), "a sampler's index");
    run.argument(picture);
    run.argument(index);
    run.go();
    check(device->DestroySampler(sampler), "the end of a sampler");
    check(device->DestroySamplerSurface(picture), "the end of a sampler's surface");
    run.forget_pictures();
}

void search(CmDevice* device, CmQueue* queue, const Job& job) {
    unsigned forward = 0, backward = 0;
    std::cin >> forward >> backward;
    Run run(device, queue, job);
    const unsigned count = 1 + forward + backward;
    CmSurface2D* const source = run.picture(0, count);
    std::vector<CmSurface2D*> references[2];
    for (unsigned n = 1; n < count; ++n)
        references[n > forward].push_back(run.picture(n, count));
    SurfaceIndex* pictures = nullptr;
    check(device->CreateVmeSurfaceG7_5(source, references[0].data(), references[1].data(), forward,
                                       backward, pictures),
          "CreateVmeSurfaceG7_5");
    run.argument(pictures);
    run.go();
    check(device->DestroyVmeSurfaceG7_5(pictures), "the end of a search's pictures");
    run.forget_pictures();
}

}  // namespace

int main() {
    const int file = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    const VADisplay display = file < 0 ? nullptr : vaGetDisplayDRM(file);
    int major = 0, minor = 0;
    if (!display || vaInitialize(display, &major, &minor) != VA_STATUS_SUCCESS) {
        std::fprintf(stderr, "no device\n");
        return 1;
    }
    std::printf("%s\n", vaQueryVendorString(display));
    CmDevice* device = nullptr;
    UINT version = 0;
    check(CreateCmDevice(device, version, display), "CreateCmDevice");
    CmQueue* queue = nullptr;
    check(device->CreateQueue(queue), "a queue");
    Job job;
    while (std::cin >> job.kind >> job.container >> job.picture >> job.buffer >> job.output >>
           job.across >> job.down >> job.format >> job.width >> job.height)
        job.kind == "search" ? search(device, queue, job)
        : job.kind == "grid" ? grid(device, queue, job)
                             : scale(device, queue, job);
    check(DestroyCmDevice(device), "the end of the device");
    vaTerminate(display);
    close(file);
}
