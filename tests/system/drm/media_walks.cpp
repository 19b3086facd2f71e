// SPDX-License-Identifier: Apache-2.0
/// Walks of media objects by Intel's media runtime (CM, Debian packages libigfxcmrt7 and
/// intel-media-va-driver), with a kernel that comes ready made in a container.
///
///   media_walks CONTAINER WIDTH HEIGHT <JOBS
///
/// Each line of JOBS is WALK DEPENDENCY THREADS INPUT OUTPUT and eight offsets: the runtime's
/// numbers of the walk and of the dependency (-1: not chosen), how many threads may run at a time
/// (0: as many as there can be), the file that a buffer holds before, the file that it is written
/// to afterwards, and an argument of the kernel. WALK "group" stands for HEIGHT groups of WIDTH
/// threads.
#include <fcntl.h>
#include <igfxcmrt/cm_rt.h>
#include <unistd.h>
#include <va/va_drm.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

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

struct Job {
    std::string walk, input, output;
    int dependency = 0;
    unsigned threads = 0;
    std::int32_t offsets[8]{};
};

void enqueue_groups(CmDevice* device, CmQueue* queue, CmTask* task, UINT width, UINT height,
                    CmEvent*& event) {
    CmThreadGroupSpace* space = nullptr;
    check(device->CreateThreadGroupSpace(width, 1, height, 1, space), "a space of groups");
    check(queue->EnqueueWithGroup(task, event, space), "EnqueueWithGroup");
    check(event->WaitForTaskFinished(60'000), "waiting for the groups");
    check(device->DestroyThreadGroupSpace(space), "the end of a space");
}

void enqueue_walk(CmDevice* device, CmQueue* queue, CmTask* task, UINT width, UINT height,
                  const Job& job, CmEvent*& event) {
    CmThreadSpace* space = nullptr;
    check(device->CreateThreadSpace(width, height, space), "a space of threads");
    if (job.dependency >= 0)
        check(space->SelectThreadDependencyPattern(
                  static_cast<CM_DEPENDENCY_PATTERN>(job.dependency)),
              "a pattern of dependencies");
    if (const int walk = std::stoi(job.walk); walk >= 0)
        check(space->SelectMediaWalkingPattern(static_cast<CM_WALKING_PATTERN>(walk)),
              "a pattern of walking");
    check(queue->Enqueue(task, event, space), "Enqueue");
    check(event->WaitForTaskFinished(60'000), "waiting for the walk");
    check(device->DestroyThreadSpace(space), "the end of a space");
}

void run(CmDevice* device, CmQueue* queue, CmProgram* program, UINT width, UINT height, Job& job) {
    Bytes bytes = contents(job.input);
    CmBuffer* buffer = nullptr;
    SurfaceIndex* index = nullptr;
    check(device->CreateBuffer(static_cast<UINT>(bytes.size()), buffer), "a buffer");
    check(buffer->WriteSurface(bytes.data(), nullptr), "a write");
    check(buffer->GetIndex(index), "an index");
    CmKernel* kernel = nullptr;
    check(device->CreateKernel(program, "walk", kernel), "a kernel");
    check(kernel->SetThreadCount(width * height), "a number of threads");
    check(kernel->SetKernelArg(0, sizeof *index, index), "the buffer as argument");
    check(kernel->SetKernelArg(1, sizeof job.offsets, job.offsets), "offsets as argument");
    // The runtime forgets the limit with each task.
    if (job.threads != 0)
        check(device->SetCaps(CAP_HW_THREAD_COUNT, sizeof job.threads, &job.threads), "a limit");
    CmTask* task = nullptr;
    CmEvent* event = nullptr;
    check(device->CreateTask(task), "a task");
    check(task->AddKernel(kernel), "a kernel of a task");
    if (job.walk == "group")
        enqueue_groups(device, queue, task, width, height, event);
    else
        enqueue_walk(device, queue, task, width, height, job, event);
    check(buffer->ReadSurface(bytes.data(), event), "a read");
    std::ofstream(job.output, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    check(queue->DestroyEvent(event), "the end of an event");
    check(device->DestroyTask(task), "the end of a task");
    check(device->DestroyKernel(kernel), "the end of a kernel");
    check(device->DestroySurface(buffer), "the end of a buffer");
}

}  // namespace

int main(int count, char** words) {
    if (count != 4) return 2;
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
    Bytes container = contents(words[1]);
    CmProgram* program = nullptr;
    check(device->LoadProgram(container.data(), static_cast<UINT>(container.size()), program,
                              "nojitter"),
          "LoadProgram");
    const UINT width = static_cast<UINT>(std::stoul(words[2])),
               height = static_cast<UINT>(std::stoul(words[3]));
    Job job;
    while (std::cin >> job.walk >> job.dependency >> job.threads >> job.input >> job.output) {
        for (auto& offset : job.offsets)
            std::cin >> offset;
        run(device, queue, program, width, height, job);
    }
    check(device->DestroyProgram(program), "the end of a program");
    check(DestroyCmDevice(device), "the end of the device");
    vaTerminate(display);
    close(file);
}
