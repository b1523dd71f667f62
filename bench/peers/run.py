#!/usr/bin/env python3
"""Builds and runs the peers that shoal is compared with and writes a result file like those of `shoal bench`.

usage: run.py [--out PATH] [--roofs FILE] [--programs DIR] [--build-only | --built] [--arch ARCH] [--device ID] PEER...

    pagmo   pso_gen of pagmo on the CPU        (libpagmo-dev, g++)
    deap, pygad, pygmo
            genetic algorithms of Python packages on the CPU (python3 with the package and NumPy)
    galib   GASimpleGA of GAlib on the CPU     (libga-dev, g++)
    cub     DeviceRadixSort of CUB             (nvcc)
    clblast products of matrices on a GPU of OpenCL, or its first device (libclblast-dev, gcc; with --device opencl:N)
    lammps  a gas of Lennard-Jones disks on the CPU (lammps, Open MPI)
    jax-gas the same in JAX, on the card where there is one, else on the CPU (python3 with jax)
    freud   samples of a gas on the CPU (python3 with freud-analysis)
    fmm2d   the field of charges by fmm2d on the CPU (python3 with fmm2dpy and NumPy < 2)
    fast-tsp, elkai, ortools, colonyx, and with -curves each
            tours on the CPU (python3 with the package and NumPy; SHOAL_TSPLIB names the folder of the problems)
    shoal-lk, shoal-faco, shoal-acs, shoal-mmas, and with -curves each
            the same by the command that SHOAL names, in the same runs
    torch, torch-ga
            a swarm and a genetic algorithm in PyTorch, eager and compiled; on CUDA where there is a card, else on the CPU
            (python3 with torch)
    fann-mlp  a net of FANN on one thread of the CPU (libfann-dev, gcc)
    jax-mlp   a net in JAX, on the card where there is one, else on the CPU (python3 with jax)
    torch-mlp the same in PyTorch (python3 with torch)
    torch-gemm products of matrices in PyTorch, cuBLAS's on a card (python3 with torch)
    onnxruntime  predictions of a net on the CPU (python3 with onnxruntime and onnx)
    openblas  a product of matrices on the CPU (python3 with NumPy of PyPI)

--out     file to write; a folder, default bench/results, gets HOST-peers-DATE.json in it
--roofs   a result file of `shoal bench` on the same machine: its roofs are taken over, and rows get their share
--programs  folder for the programs; default: a temporary one
--build-only, --built   only build into that folder; run what was built there, on a machine without compilers
--arch    GPU architecture that nvcc builds for, default native: the card of this machine
--device  id that a peer's GPU has in result files, default cuda:0

PEER may have options of its script behind the name: 'elkai --runs 2'.
A peer prints one JSON object a line: a row of the result file without its statistics, and the samples they are made of.
`roof_work` with `bound` says what the roof counts for one unit of the value. A run in which a peer fails writes nothing.
"""
import argparse
import datetime
import json
import math
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CXX = os.environ.get("CXX", "g++")
CC = os.environ.get("CC", "gcc")
TEXTS = ("case", "device", "variant", "precision", "unit", "better", "check")


class Problem(Exception):
    pass


class Peer:
    """The command that builds a peer (None: nothing to build) and the command that runs it;
    {program}, {source} and {arch} are replaced."""

    def __init__(self, source, build, run, tools, version):
        self.source, self.build, self.run, self.tools, self.version = source, build, run, tools, version


PEERS = {
    "pagmo": Peer("pagmo_pso.cpp", [CXX, "-std=c++17", "-O3", "-march=native", "-fopenmp", "{source}", "-o", "{program}",
                                    "-lpagmo", "-lboost_serialization", "-ltbb", "-pthread"],
                  ["{program}"], [CXX], [CXX, "-dumpfullversion"]),
    "galib": Peer("galib_ga.cpp", [CXX, "-std=c++14", "-O3", "-march=native", "{source}", "-o", "{program}", "-lga"],
                  ["{program}"], [CXX], [CXX, "-dumpfullversion"]),
    **{name: Peer("ga_python.py", None, [sys.executable, "{source}", name], [], [sys.executable, "--version"])
       for name in ("deap", "pygad", "pygmo")},
    **{name + ending: Peer("tsp_python.py", None, [sys.executable, "{source}", name, *more], [],
                           [sys.executable, os.path.join(HERE, "tsp_python.py"), name, "--version"])
       for name in ("fast-tsp", "elkai", "ortools", "colonyx", "shoal-lk", "shoal-faco", "shoal-acs", "shoal-mmas")
       for ending, more in (("", []), ("-curves", ["--curves"]))},
    "cub": Peer("lib/cub_sort.cu", ["nvcc", "-O3", "-arch={arch}", "{source}", "-o", "{program}"], ["{program}"], ["nvcc"],
                ["nvcc", "--version"]),
    "clblast": Peer("lib/clblast_gemm.c", [CC, "-std=gnu11", "-O2", "{source}", "-o", "{program}", "-lclblast", "-lOpenCL", "-lm"],
                    ["{program}"], [CC], [CC, "-dumpfullversion"]),
    "lammps": Peer("gas/lammps_gas.py", None, [sys.executable, "{source}"], ["lmp", "mpirun"],
                   [os.path.join(HERE, "gas/lammps_gas.py"), "--version"]),
    **{name: Peer(source, None, [sys.executable, "{source}"], [], [sys.executable, os.path.join(HERE, source), "--version"])
       for name, source in (("fmm2d", "gas/fmm2d_field.py"), ("freud", "gas/freud_observe.py"), ("jax-gas", "gas/jax_gas.py"),
                            ("onnxruntime", "onnx_mlp.py"))},
    **{name: Peer(source, None, [sys.executable, "{source}"], [], [sys.executable, "--version"])
       for name, source in (("torch", "torch_pso.py"), ("torch-ga", "torch_ga.py"), ("jax-mlp", "jax_mlp.py"),
                           ("torch-mlp", "torch_mlp.py"), ("torch-gemm", "lib/torch_gemm.py"),
                           ("openblas", "lib/openblas_gemm.py"))},
    "fann-mlp": Peer("fann_mlp.c", [CC, "-std=gnu11", "-O3", "-march=native", "{source}", "-o", "{program}", "-lfann", "-lm"],
                     ["{program}"], [CC], [CC, "-dumpfullversion"]),
}


def output_of(command, shows_errors=False):
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except OSError as error:
        raise Problem(f"{command[0]}: {error.strerror}") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").split("\n")[-1]
        raise Problem(f"{shlex.join(command)}: exit code {done.returncode}: {last}")
    if shows_errors:
        sys.stderr.write(done.stderr)
    return done.stdout


def quantile(ordered, q):
    """A quantile, linear between neighbours as in tools/cli/output/stats.c."""
    place = q * (len(ordered) - 1)
    below = math.floor(place)
    if below + 1 >= len(ordered):
        return ordered[-1]
    return ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])


def finished(raw, compiler, devices):
    """Makes a row of the result file from the object that a peer printed."""
    samples = raw.get("samples")
    passed = raw["check"] != "fail"
    if passed and (not isinstance(samples, list) or not samples
                   or not all(isinstance(s, (int, float)) and math.isfinite(s) and s > 0 for s in samples)):
        raise Problem(f"{raw['case']}: samples are not positive numbers")
    ordered = sorted(samples) if passed else []
    median = quantile(ordered, 0.5) if ordered else None
    row = {key: raw[key] for key in TEXTS[:4]}
    row |= {"value": median, "unit": raw["unit"], "better": raw["better"], "samples": len(ordered),
            "min": ordered[0] if ordered else None, "max": ordered[-1] if ordered else None,
            "spread": (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / 2 / median if ordered else None,
            "bound": raw.get("bound"), "roof": None, "share": None, "check": raw["check"],
            "error": raw.get("error", 0), "device_s": raw.get("device_s"), "wall_s": raw.get("wall_s"),
            "build_s": raw.get("build_s"), "first_launch_s": raw.get("first_launch_s"), "compiler": compiler}
    if "figures" in raw:
        row["figures"] = raw["figures"]
    roofs = devices[row["device"]]["roofs"] if row["device"] in devices else None
    if median and roofs and row["bound"] and raw.get("roof_work"):
        roof = roofs[row["bound"]] / raw["roof_work"]
        row["roof"] = roof if row["better"] == "higher" else 1 / roof
        row["share"] = median / row["roof"] if row["better"] == "higher" else row["roof"] / median
    return row


def compiler_of(peer, command):
    version = output_of(peer.version).strip().split("\n")
    if peer.version[-1] == "--version" and peer.version[0] == sys.executable and len(peer.version) > 2:
        return version[0]  # a script says the name and version of its package
    numbers = re.findall(r"\d+(?:\.\d+)+", " ".join(version))
    flags = [word for word in command or [] if word.startswith("-") and word != "-o"]
    name = os.path.basename(peer.version[0])
    return " ".join([name, numbers[0] if numbers else version[-1]]) + (", " + " ".join(flags) if flags else "")


def places_of(name, options):
    return {"source": os.path.join(HERE, PEERS[name].source), "program": os.path.join(options.programs, f"peer-{name}"),
            "arch": options.arch}


def build_peer(name, options):
    """Builds a peer; writes the program, and beside it what built it."""
    peer, places = PEERS[name], places_of(name, options)
    for tool in peer.tools:
        if not shutil.which(tool):
            raise Problem(f"{name}: {tool} is not installed")
    command = peer.build and [word.format(**places) for word in peer.build]
    if command:
        output_of(command)
    with open(places["program"] + ".compiler", "w", encoding="utf-8") as file:
        file.write(compiler_of(peer, command))


def run_peer(name, more, options):
    """Runs a peer with further words; returns its rows and what built it."""
    places = places_of(name, options)
    try:
        with open(places["program"] + ".compiler", encoding="utf-8") as file:
            compiler = file.read()
    except OSError as error:
        raise Problem(f"{name}: it was not built in {options.programs}") from error
    lines = output_of([word.format(**places) for word in PEERS[name].run] + more, shows_errors=True).splitlines()
    try:
        rows = [json.loads(line) for line in lines]
    except ValueError as error:
        raise Problem(f"{name}: its output is not a JSON object for each line: {error}") from error
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise Problem(f"{name}: it printed no rows")
    for row in rows:
        for key in TEXTS:
            if not isinstance(row.get(key), str):
                raise Problem(f'{name}: a row without "{key}": {json.dumps(row)[:200]}')
    return rows, compiler


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "CPU"


def gpu_device(device):
    """The first card, as NVIDIA's driver names it."""
    text = output_of(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    name, driver = (word.strip() for word in text.splitlines()[0].rsplit(",", 1))
    return {"id": device, "name": name, "driver": f"driver {driver}", "roofs": None}


def measured_devices(path):
    """Returns the devices of a result file by id."""
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        return {device["id"]: device for device in run["devices"]}
    except OSError as error:
        raise Problem(f"--roofs: {path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(f"--roofs: {path}: not a result file") from error


def described(rows, roofs):
    """The devices of the rows by id. A row of OpenCL names its own."""
    devices = {}
    for one, row in {row["device"]: row for row in rows}.items():
        device = {"id": one, "name": cpu_name(), "driver": platform.platform(), "roofs": None}
        if "device_name" in row:
            device |= {"name": row["device_name"], "driver": row["device_driver"]}
        elif one != "host":
            device = gpu_device(one)
        known = roofs.get(one)
        if known and known["name"] != device["name"]:
            raise Problem(f"--roofs: {one} is {known['name']} there and {device['name']} here")
        devices[one] = dict(device, driver=known["driver"], roofs=known["roofs"]) if known else device
    return devices


def commit():
    try:
        return output_of(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]).strip()
    except Problem:
        return "unknown"


def write(path, run):
    if os.path.isdir(path):
        stamp = run["date"].replace(":", "")
        path = os.path.join(path, f"{platform.node().split('.')[0] or 'unknown'}-peers-{stamp}.json")
    text = json.dumps(run, indent="\t") + "\n"
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".peers-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    return path


def measure(options):
    """Runs the peers and writes the file. Returns the rows and the path."""
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    roofs = measured_devices(options.roofs) if options.roofs else {}
    raw = []
    for name, *more in options.peers:
        print(f"{name} ...", file=sys.stderr)
        rows, compiler = run_peer(name, more, options)
        for row in rows:
            if row["device"] != "host" and ":" not in row["device"]:  # shoal gives the id of its device
                row["device"] = options.device
            raw.append((row, compiler))
    devices = described([row for row, _ in raw], roofs)
    rows = [finished(row, compiler, devices) for row, compiler in raw]
    path = write(options.out, {"schema": 1, "commit": commit(), "date": date,
                               "command": shlex.join(["bench/peers/run.py", *sys.argv[1:]]),
                               "devices": list(devices.values()), "rows": rows})
    return rows, path


def peer_words(text):
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from error
    if not words or words[0] not in PEERS:
        raise argparse.ArgumentTypeError(f"no peer {text!r}: it is one of {', '.join(sorted(PEERS))}")
    return words


def main():
    title, usage, rest = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: "):], description=f"{title}\n\n{rest}", add_help=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    hidden = argparse.SUPPRESS  # the description explains these options
    parser.add_argument("-h", "--help", action="help", help=hidden)
    parser.add_argument("--out", default=os.path.join(ROOT, "bench", "results"), help=hidden)
    parser.add_argument("--roofs", help=hidden)
    parser.add_argument("--programs", help=hidden)
    parser.add_argument("--build-only", action="store_true", help=hidden)
    parser.add_argument("--built", action="store_true", help=hidden)
    parser.add_argument("--arch", default="native", help=hidden)
    parser.add_argument("--device", default="cuda:0", help=hidden)
    parser.add_argument("peers", nargs="+", type=peer_words, metavar="PEER", help=hidden)
    options = parser.parse_args()
    if (options.build_only or options.built) and not options.programs:
        parser.error("--build-only and --built need --programs")
    try:
        with tempfile.TemporaryDirectory() as temporary:
            options.programs = os.path.abspath(options.programs or temporary)
            os.makedirs(options.programs, exist_ok=True)
            for name in [] if options.built else {name for name, *_ in options.peers}:
                build_peer(name, options)
            if options.build_only:
                return
            rows, path = measure(options)
    except (Problem, OSError) as error:
        sys.exit(f"run.py: {error}")
    for row in rows:
        value = "check failed" if row["value"] is None else f"{row['value']:.4g} {row['unit']}"
        print(f"{row['case']}  {row['device']} {row['variant']}  {value}")
    print(f"wrote {path}", file=sys.stderr)
    if any(row["check"] == "fail" for row in rows):
        sys.exit("run.py: a result check failed")


if __name__ == "__main__":
    main()
