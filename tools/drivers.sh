#!/usr/bin/env bash
# Runs device tests on OpenCL drivers of several makers and versions.
set -uo pipefail

usage() {
    cat <<'END'
usage: tools/drivers.sh [--tests PATTERN]... BUNDLE FOLDER [DRIVER...]

Fetches OpenCL drivers to FOLDER, and runs tests of a bundle (tools/bundle.sh) on each: by default
all kernel tests and `shoal verify`. What is in FOLDER already is not fetched again. A driver that
cannot be fetched is left out with the reason. Drivers (default: all):

  installed    what this machine has
  intel        Intel's CPU runtime, from PyPI: intel-opencl-rt, intel-cmplr-lib-rt
  bookworm     PoCL and rusticl of Debian 12, in a folder made by debootstrap, as are the next two
  trixie       PoCL and rusticl of Debian 13
  sid          PoCL and rusticl of Debian unstable
  SUITE-pocl, SUITE-rusticl   one of the two, for example trixie-pocl

Folders of Debian need debootstrap and root, and about 2 GB each; $DEBIAN_MIRROR sets their
mirror. Prints a row for each driver: its name, platform and version, the date, and how many tests
of its device passed. The logs in FOLDER/logs say what failed, for the table of docs/devices.md.
The exit code is 0 when no test of a driver failed.

  --tests PATTERN   tests as SUITE/NAME, for run-tests.sh of the bundle: 'workloads/verify'
END
}

patterns=()
words=()
while [ $# -gt 0 ]; do
    case $1 in
    --tests)
        [ $# -gt 1 ] || { echo "--tests needs a pattern; see tools/drivers.sh --help" >&2; exit 2; }
        patterns+=("$2")
        shift
        ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "unknown option $1; see tools/drivers.sh --help" >&2; exit 2 ;;
    *) words+=("$1") ;;
    esac
    shift
done
[ ${#words[@]} -ge 2 ] || { usage >&2; exit 2; }
bundle=$(realpath "${words[0]}") folder=$(realpath -m "${words[1]}")
chosen=("${words[@]:2}")
[ ${#chosen[@]} -gt 0 ] || chosen=(installed intel bookworm trixie sid)
[ ${#patterns[@]} -gt 0 ] || patterns=('kernels/*' 'workloads/verify')
[ -x "$bundle/run-tests.sh" ] || { echo "$bundle has no run-tests.sh: make a bundle with tools/bundle.sh" >&2; exit 2; }
mkdir -p "$folder/logs" || exit 1
failed=0

# left_out DRIVER REASON: prints the row of a driver that could not be tested.
left_out() {
    printf '| %s | - | %s | left out: %s |\n' "$1" "$(date -u +%F)" "$2"
}

# test_driver NAME COMMAND...: names the first device of a driver and runs the tests on it. COMMAND runs a shell command, its last
# argument, where the bundle is the current folder and no other driver is seen.
test_driver() {
    local name=$1 device line code
    shift
    local log=$folder/logs/$name.log
    device=$("$@" "bin/shoal devices --json" 2>"$log" | python3 -c '
import json, sys
for device in json.load(sys.stdin)["devices"]:
    if device["id"] == "opencl:0":
        print(device["platform"], device["driver"])' 2>>"$log")
    if [ -z "$device" ]; then
        left_out "$name" "no device: $(tail -n 1 "$log")"
        return
    fi
    "$@" "SHOAL_TEST_DEVICES=opencl:0 ./run-tests.sh $(printf "'%s' " "${patterns[@]}")" >>"$log" 2>&1 </dev/null
    code=$?
    line=$(grep -E '^[0-9]+ passed' "$log" | tail -n 1)
    printf '| %s | %s | %s | %s |\n' "$name" "$device" "$(date -u +%F)" "${line:-the tests ended with exit code $code}"
    [ $code -eq 0 ] || failed=1
}

# shellcheck disable=SC2317 # called through test_driver
# here VENDORS COMMAND: runs a command in the bundle, with the drivers of the folder VENDORS; "": with all.
here() {
    (cd "$bundle" && { [ -z "$1" ] || export OCL_ICD_VENDORS=$1; } && bash -c "$2")
}

# shellcheck disable=SC2317 # called through test_driver
# inside ROOT ICD COMMAND: runs a command in the bundle within the system at ROOT, with the driver that ICD names.
inside() {
    # shellcheck disable=SC2016 # for the inner shells
    unshare --mount --fork bash -c 'mount --bind "$1" "$0/mnt" && mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" &&
        exec chroot "$0" env -i PATH=/usr/bin:/bin HOME=/root OCL_ICD_VENDORS="/etc/OpenCL/vendors/$2" RUSTICL_ENABLE=llvmpipe \
            bash -c "cd /mnt && $3"' "$1" "$bundle" "$2" "$3"
}

fetch_intel() {
    local target=$folder/intel
    [ -e "$target/lib/libintelocl.so" ] && return
    python3 -m venv "$target" && "$target/bin/pip" install -q intel-opencl-rt intel-cmplr-lib-rt &&
        [ -e "$target/lib/libintelocl.so" ]
}

fetch_debian() {
    local packages=pocl-opencl-icd,mesa-opencl-icd,ocl-icd-libopencl1,libgomp1
    local complete=$folder/$1/complete # written last: an interrupted fetch is begun again
    [ -e "$complete" ] && return
    rm -rf "${folder:?}/$1"
    debootstrap --variant=minbase --include=$packages "$1" "$folder/$1" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} && touch "$complete"
}

for driver in "${chosen[@]}"; do
    suite=${driver%%-*}
    case $driver in
    installed) test_driver installed here "" ;;
    intel)
        if fetch_intel >"$folder/logs/intel-fetch.log" 2>&1; then
            mkdir -p "$folder/vendors-intel" && echo "$folder/intel/lib/libintelocl.so" >"$folder/vendors-intel/intel.icd"
            LD_LIBRARY_PATH=$folder/intel/lib test_driver intel here "$folder/vendors-intel"
        else
            left_out intel "$(tail -n 1 "$folder/logs/intel-fetch.log")"
        fi
        ;;
    bookworm | trixie | sid | bookworm-pocl | trixie-pocl | sid-pocl | bookworm-rusticl | trixie-rusticl | sid-rusticl)
        if ! fetch_debian "$suite" >"$folder/logs/$suite-fetch.log" 2>&1; then
            left_out "$driver" "$(tail -n 1 "$folder/logs/$suite-fetch.log")"
            continue
        fi
        for icd in pocl rusticl; do
            [[ $driver == "$suite" || $driver == "$suite-$icd" ]] && test_driver "$suite-$icd" inside "$folder/$suite" $icd.icd
        done
        ;;
    *) echo "unknown driver $driver; see tools/drivers.sh --help" >&2; exit 2 ;;
    esac
done
exit $failed
