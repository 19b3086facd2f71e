# SPDX-License-Identifier: Apache-2.0
"""video_programs.py GEN9SIM WHAT [PROGRAM]: programs of VA-API on Debian's drivers i965 and iHD, by the kernel interface. WHAT:
devices (vainfo), encoder (ffmpeg's MPEG-2 encoder, whose kernels use motion estimation), video (what video engines would compute),
images (PROGRAM, va_images). PROGRAM of the encoder is video_coder, which is loaded before it.
Status 77 when a driver or a program is not installed."""
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

gen9sim, what, *program = sys.argv[1:]
DRIVERS = {"i965": ("i965_drv_video.so", "Intel i965 driver for Intel(R) Skylake"), "iHD": ("iHD_drv_video.so", "Intel iHD driver")}
PICTURES = ["-f", "lavfi", "-i", "testsrc2=size=80x64:rate=3:duration=1"]
FFMPEG = ["ffmpeg", "-y", "-v", "error", "-nostdin"]
WIDTH, HEIGHT, FRAMES = 80, 64, 3


def on_model(driver, folder, *words, mode="functional", options=()):
    """The program's status and output, and the launches that the model counted."""
    statistics = folder / "run.json"
    statistics.unlink(missing_ok=True)
    done = subprocess.run([gen9sim, "run", "--door", "drm", "--timing", mode, "--stats", statistics, *options, "--", *map(str, words)],
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


def moved_pictures():
    """Three pictures of noise. Each shows what the one before does, moved by whole pixels; a part of the last one is black, as is the
    picture to be coded, from which the kernels predict. Returns their NV12, the moves, and the macroblocks that are black."""
    moves, black = ((5, -3), (-7, 4)), [(x, y) for y in range(3) for x in range(1, 4)]
    noise, content, at = random.Random(4), b"", (32, 32)
    texture = [noise.randbytes(WIDTH + 64) for _ in range(HEIGHT + 64)]
    for n in range(FRAMES):
        if n:
            at = at[0] - moves[n - 1][0], at[1] - moves[n - 1][1]
        rows = [bytearray(texture[at[1] + y][at[0]:at[0] + WIDTH]) for y in range(HEIGHT)]
        for x, y in black if n == FRAMES - 1 else ():
            for row in rows[16 * y:16 * y + 16]:
                row[16 * x:16 * x + 16] = bytes(16)
        content += b"".join(rows) + bytes([128] * (WIDTH * HEIGHT // 2))
    return content, moves, black


def coded_macroblocks(path):
    """What the driver wants coded, picture by picture: by place whether it is intra, and the vector in half pixels."""
    pictures = []
    for text in path.read_text().split("\n\n"):
        if not text.strip():
            continue
        pictures.append({})
        for line in text.splitlines():
            words = struct.unpack("<9I", struct.pack("<9I", *(int(w, 16) for w in line.split())))
            vector = struct.unpack("<hh", struct.pack("<I", words[5]))
            pictures[-1][words[2] & 0xFFFF, words[2] >> 16] = bool(words[1] >> 13 & 1), vector
    # Buffers that the driver uses again may hold the end of an older picture.
    return [picture for picture in pictures if (0, 0) in picture]


def check_vectors(mode, pictures, moves, black):
    across, down = WIDTH // 16, HEIGHT // 16
    expect([len(p) for p in pictures] == [across * down] * FRAMES, f"{mode}: {[len(p) for p in pictures]} macroblocks")
    expect(all(intra for intra, _ in pictures[0].values()), f"{mode}: the first picture is not intra")
    for n, (x_move, y_move) in enumerate(moves, 1):
        bare = black if n == FRAMES - 1 else []
        for (x, y), (intra, vector) in pictures[n].items():
            # The driver leaves out vectors to places outside.
            if (x, y) in bare or not 0 <= 16 * x - x_move <= WIDTH - 16 or not 0 <= 16 * y - y_move <= HEIGHT - 16:
                continue
            expect(not intra and vector == (-2 * x_move, -2 * y_move), f"{mode}: picture {n}, macroblock {x}, {y}: intra {intra}, {vector}")
    expect(all(pictures[-1][place][0] for place in black), f"{mode}: black macroblocks are not intra")


def check_order(mode, trace):
    """Threads of a picture that refers to another one begin when those that they depend on have ended: left, above, above right."""
    threads, running = [], {}
    for number, line in enumerate(trace.read_text().splitlines()):
        if line.startswith("#"):
            continue
        _, slot, _, _, text = line.split(None, 4)
        thread = running.setdefault(slot, {"begin": number, "place": None})
        thread["end"] = number
        # The first thing that a kernel does with its inline data is to multiply column and row by 16.
        if thread["place"] is None and "r5.0<2;2,1>:ub 0x4:uw" in text:
            values = int(text.split()[-1].replace("_", ""), 16)
            words = re.search(r"r\d+\.(\d)<1>:(d|uw) ", text)
            bits = 32 if words[2] == "d" else 16
            values >>= bits * int(words[1])
            thread["place"] = (values & 0xFFFF) // 16, (values >> bits & 0xFFFF) // 16
        if "EOT" in text:
            threads.append(running.pop(slot))
    count = WIDTH // 16 * (HEIGHT // 16)
    expect(len(threads) == FRAMES * count and not running, f"{mode}: {len(threads)} threads in the trace")
    expect(all(t["place"] for t in threads), f"{mode}: threads without a place")
    for n in range(1, FRAMES):
        picture = {t["place"]: t for t in threads[n * count:(n + 1) * count]}
        expect(len(picture) == count, f"{mode}: {len(picture)} places in picture {n}")
        for (x, y), thread in picture.items():
            for other in ((x - 1, y), (x, y - 1), (x + 1, y - 1)):
                if other in picture:
                    expect(picture[other]["end"] < thread["begin"], f"{mode}: picture {n}: {x}, {y} begins before {other} has ended")


def encoder(folder):
    """Every macroblock is an object of a wavefront, whose kernel searches, refines and checks; the driver takes its vector and its
    mode into what the video engine is to code. That engine is not there: PROGRAM makes the pictures that later ones refer to."""
    content, moves, black = moved_pictures()
    (folder / "in.nv12").write_bytes(content)
    source = ["-f", "rawvideo", "-pix_fmt", "nv12", "-s", f"{WIDTH}x{HEIGHT}", "-r", FRAMES, "-i", "in.nv12"]
    for mode in ("functional", "timed"):
        out, trace = folder / f"{mode}.macroblocks", folder / f"{mode}.trace"
        done, launches = on_model("i965", folder, "sh", "-c", f'LD_PRELOAD="{program[0]} $LD_PRELOAD" VIDEO_CODER={out} exec "$@"', "sh",
                                  *FFMPEG, "-vaapi_device", "/dev/dri/renderD128", *source, "-vf", "format=nv12,hwupload",
                                  "-c:v", "mpeg2_vaapi", "-g", FRAMES, "-bf", 0, "-f", "mpeg2video", "out.m2v", mode=mode,
                                  options=["--trace-isa", trace])
        expect(done.returncode == 3, f"{mode}: status {done.returncode}: {done.stderr}")
        expect(not lines(done, "motion estimation"), f"{mode}: {done.stderr}")
        expect(len(lines(done, "not modelled")) == 1 and "passed over" in lines(done, "not modelled")[0], f"{mode}: {done.stderr}")
        expect(not lines(done, "error") and not lines(done, "hang") and not lines(done, "Warning"), f"{mode}: {done.stderr}")
        threads = sum(kernel["threads"] for kernel in launches)
        expect(threads == FRAMES * (WIDTH // 16) * (HEIGHT // 16), f"{mode}: {threads} threads")
        check_vectors(mode, coded_macroblocks(out), moves, black)
        check_order(mode, trace)


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
