# SPDX-License-Identifier: Apache-2.0
"""video_programs.py GEN9SIM WHAT [PROGRAM]: programs of VA-API on Debian's drivers i965 and iHD, by the kernel interface. WHAT:
devices (vainfo), encoder (ffmpeg's MPEG-2 encoder, whose kernels use motion estimation), video (what video engines would compute),
images (PROGRAM, va_images).
Status 77 when a driver or a program is not installed."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

gen9sim, what, *program = sys.argv[1:]
DRIVERS = {"i965": ("i965_drv_video.so", "Intel i965 driver for Intel(R) Skylake"), "iHD": ("iHD_drv_video.so", "Intel iHD driver")}
PICTURES = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=3:duration=1"]
FFMPEG = ["ffmpeg", "-y", "-v", "error", "-nostdin"]
WIDTH, HEIGHT, FRAMES = 64, 48, 3


def on_model(driver, folder, *words, mode="functional"):
    """The program's status and output, and the launches that the model counted."""
    statistics = folder / "run.json"
    statistics.unlink(missing_ok=True)
    done = subprocess.run([gen9sim, "run", "--door", "drm", "--timing", mode, "--stats", statistics, "--", *map(str, words)],
                          env=dict(os.environ, LIBVA_DRIVER_NAME=driver), cwd=folder, capture_output=True, text=True, timeout=120)
    return done, json.loads(statistics.read_text())["kernels"] if statistics.exists() else []


def lines(done, word):
    return [line for line in done.stderr.splitlines() if word in line]


def devices(folder):
    for driver, (_, name) in DRIVERS.items():
        done, _ = on_model(driver, folder, "vainfo", "--display", "drm", "--device", "/dev/dri/renderD128")
        expect(done.returncode == 0 and name in done.stdout, f"{driver}: status {done.returncode}: {done.stdout}{done.stderr}")
        for wanted in (("MPEG2Main", "VLD"), ("H264High", "VLD"), ("JPEGBaseline", "EncPicture")):
            expect(any(all(w in line for w in wanted) for line in done.stdout.splitlines()), f"{driver}: no {wanted}")


def encoder(folder):
    """Every macroblock is an object of a wavefront, whose kernel searches, refines and checks; the video engine that would code it is not there."""
    for mode in ("functional", "timed"):
        done, launches = on_model("i965", folder, *FFMPEG, "-vaapi_device", "/dev/dri/renderD128", *PICTURES, "-vf", "format=nv12,hwupload",
                                  "-c:v", "mpeg2_vaapi", "-g", FRAMES, "-bf", 0, "-f", "mpeg2video", "out.m2v", mode=mode)
        expect(done.returncode == 3, f"{mode}: status {done.returncode}: {done.stderr}")
        expect(not lines(done, "motion estimation"), f"{mode}: {done.stderr}")
        expect(len(lines(done, "not modelled")) == 1 and "passed over" in lines(done, "not modelled")[0], f"{mode}: {done.stderr}")
        expect(not lines(done, "error") and not lines(done, "hang") and not lines(done, "Warning"), f"{mode}: {done.stderr}")
        threads = sum(kernel["threads"] for kernel in launches)
        expect(threads == FRAMES * (WIDTH // 16) * (HEIGHT // 16), f"{mode}: {threads} threads")


def video(folder):
    """A decoder and two coders come to their ends; one line says that what they wanted was not computed."""
    coded = folder / "in.m2v"
    subprocess.run([*FFMPEG, *PICTURES, "-c:v", "mpeg2video", "-g", str(FRAMES), coded], check=True, timeout=60)
    device, source = ["-vaapi_device", "/dev/dri/renderD128"], ["-vf", "format=nv12,hwupload"]
    programs = {
        "decoder": ["-hwaccel", "vaapi", "-hwaccel_device", "/dev/dri/renderD128", "-hwaccel_output_format", "vaapi", "-i", coded,
                    "-vf", "hwdownload,format=nv12", "-f", "rawvideo"],
        "JPEG": [*device, *PICTURES, *source, "-c:v", "mjpeg_vaapi", "-f", "mjpeg"],
        "H.264": [*device, *PICTURES, *source, "-c:v", "h264_vaapi", "-low_power", 1, "-f", "h264"]}
    for name, words in programs.items():
        out = folder / "out"
        out.unlink(missing_ok=True)
        done, launches = on_model("iHD", folder, *FFMPEG, *words, out)
        expect(done.returncode == 3, f"{name}: status {done.returncode}: {done.stderr}")
        expect(len(lines(done, "not modelled")) == 1 and "video engines" in lines(done, "not modelled")[0], f"{name}: {done.stderr}")
        expect(not launches, f"{name}: {launches}")
        if name == "decoder":
            expect(out.exists() and out.stat().st_size == FRAMES * WIDTH * HEIGHT * 3 // 2, f"{name}: not all pictures came out")


def images(folder):
    """iHD writes and reads surfaces with the processor; Debian's drivers are built without the kernels that would do it on the device."""
    done, launches = on_model("iHD", folder, *program)
    expect(done.returncode == 0 and DRIVERS["iHD"][1] in done.stdout, f"status {done.returncode}: {done.stdout}{done.stderr}")
    expect(done.stdout.count(": right") == 5, done.stdout)
    expect(not lines(done, "not modelled") and not launches, f"{done.stderr}{launches}")
    # Neither driver offers video processing, which would use the video enhancement engine.
    for driver in DRIVERS:
        done, _ = on_model(driver, folder, "vainfo", "--display", "drm", "--device", "/dev/dri/renderD128")
        expect(done.returncode == 0 and "VideoProc" not in done.stdout, f"{driver}: {done.stdout}")


installed = all(pathlib.Path("/usr/lib/x86_64-linux-gnu/dri", file).exists() for file, _ in DRIVERS.values())
if not installed or not shutil.which("vainfo") or not shutil.which("ffmpeg"):
    sys.exit(77)
with tempfile.TemporaryDirectory() as temporary:
    {"devices": devices, "encoder": encoder, "video": video, "images": images}[what](pathlib.Path(temporary))
finish()
