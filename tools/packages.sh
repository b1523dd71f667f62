# shellcheck shell=bash disable=SC2034
# Debian and Ubuntu packages that shoal needs, and their installation. Sourced by the other scripts.

# To build the library, the command and the Python package.
build_packages=(gcc libc6-dev meson ninja-build pkg-config python3
    ocl-icd-opencl-dev zlib1g-dev libxxhash-dev libcjson-dev libinih-dev libpng-dev python3-cffi python3-numpy)
# An OpenCL device on every machine: PoCL runs kernels on the CPU. GPU drivers bring their own.
run_packages=(pocl-opencl-icd)
# To run every test: second compiler, sanitizers (llvm puts names into their reports and suppressions), formatter,
# simulator, C++ (the headers are tested as C++, too), virtual environments for tests of the wheel, Open MPI for runs over
# several processes, SDL2 and Xvfb for the window of a live view. Chromium is left out, since it is large: the test of a
# page that needs Chromium is skipped.
check_packages=(git binutils g++ clang llvm libclang-rt-dev libomp-dev clang-format shellcheck libcmocka-dev oclgrind
    python3-venv libopenmpi-dev openmpi-bin libsdl2-2.0-0 xvfb libxtst6)
# Data sets that tests and examples of training read, and FANN, with which tests exchange files. Tests without these
# packages are skipped.
data_packages=(dataset-fashion-mnist libfann-doc libfann-dev)
# To make a bundle.
bundle_packages=(binutils patchelf libcmocka-dev)
# To make a wheel.
wheel_packages=(python3-venv)

# missing_packages PACKAGE...: prints the packages that are not installed, one on a line.
missing_packages() {
    local package
    for package; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# install_packages LOG PACKAGE...: installs the missing packages. Returns 1 after a message if that is not possible.
install_packages() {
    local log=$1 missing=() as_root=()
    shift
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This is no Debian or Ubuntu system. Install the equivalents of these packages, then run again" >&2
        echo "with --no-install: $*" >&2
        return 1
    fi
    read -ra missing <<<"$(missing_packages "$@" | paste -sd' ')"
    if [ ${#missing[@]} -eq 0 ]; then
        echo "    all $# packages are installed"
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        # sudo may ask for a password only where somebody can answer.
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            echo "These packages are missing and only root can install them. Run this, then try again:" >&2
            echo "    apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
    fi
    echo "    installing ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300)
    # Package lists may be absent or older than the archive; only then is an update worth its time. The exit code of
    # the update is ignored, since it also depends on sources that have none of these packages.
    if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >"$log" 2>&1 </dev/null; then
        echo "    updating the package lists"
        "${apt[@]}" update >>"$log" 2>&1 </dev/null || true
        if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null; then
            tail -n 15 "$log" >&2
            echo "apt-get could not install the packages; the whole log is $log" >&2
            return 1
        fi
    fi
}

# needs_programs PROGRAM...: returns 1 after a line that names the programs that are not installed. Runs with
# --no-install call this before a build, which takes minutes.
needs_programs() {
    local program missing=()
    for program; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    echo "not installed: ${missing[*]}; install what is missing, or run this without --no-install" >&2
    return 1
}

# quietly LOG COMMAND...: runs the command with its output in the log; prints the end of the log on failure.
quietly() {
    local log=$1
    shift
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 40 "$log" >&2
        echo "failed: ${*:1:4} ... (whole log: $log)" >&2
        return 1
    fi
}
