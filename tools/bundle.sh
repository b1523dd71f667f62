#!/usr/bin/env bash
# Makes a folder with the command, the tests and the libraries they need, for another x86-64 Linux.
set -euo pipefail

usage() {
    cat <<'END'
usage: tools/bundle.sh [--no-install] [DIR]

Builds shoal and puts it into DIR (default: bundle) with its test programs and every
library they need except glibc and device drivers. The folder runs on another x86-64
Linux whose glibc is not older than this one's; README.txt in it tells how.

  --no-install   use what is installed, never call apt-get
  -h, --help     this text
END
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/packages.sh
. "$root/tools/packages.sh"

build=$root/build-bundle
bundle=$root/bundle
install=yes
while [ $# -gt 0 ]; do
    case $1 in
    --no-install) install=no ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "unknown option $1; see tools/bundle.sh --help" >&2; exit 2 ;;
    *) bundle=$(realpath -m -- "$1") ;;
    esac
    shift
done
# Everything in the folder is replaced, so the folder must be a bundle or empty.
if [ -e "$bundle" ] && [ ! -e "$bundle/tests/list" ] && [ -n "$(ls -A "$bundle")" ]; then
    echo "$bundle exists and is not a bundle; name another folder" >&2
    exit 1
fi
[ $install = yes ] || needs_programs meson ninja pkg-config strip patchelf
mkdir -p "$build"

echo "[1/3] packages"
if [ $install = yes ]; then
    install_packages "$build/packages.log" "${build_packages[@]}" "${bundle_packages[@]}"
else
    echo "    left as they are"
fi

echo "[2/3] build in $build"
if [ ! -e "$build/build.ninja" ]; then
    quietly "$build/setup.log" meson setup "$build" "$root"
fi
quietly "$build/build.log" ninja --quiet -C "$build"

echo "[3/3] copy to $bundle"
# The bundle is made under another name and then renamed, so that a failure leaves no incomplete bundle.
new=$bundle.new
rm -rf "$new"
mkdir -p "$new/bin" "$new/lib" "$new/tests" "$new/bench" "$new/share/shoal"
trap 'rm -rf "$new"' EXIT
cp "$build/tools/shoal" "$new/bin/"
cp "$root/tools/bundle/run-tests.sh" "$root/tools/bundle/README.txt" "$root/LICENSE" "$new/"
cp "$root/bench/alternate.py" "$root/bench/results.py" "$new/bench/"
cp -r "$root/cl" "$new/share/shoal/cl"
find "$new/share" -name meson.build -delete
meson introspect --tests "$build" |
    python3 "$root/tools/bundle/copy_tests.py" "$root" "$build" "$new" unit kernels workloads cuda
# shoal verify tests each variant, as the other tests of the suite `workloads` do.
# shellcheck disable=SC2016 # for run-tests.sh
printf 'workloads\tverify\t1800\t%s\n' 'bin/shoal verify --device "$SHOAL_TEST_DEVICES" --variant "$SHOAL_TEST_VARIANT"' \
    >>"$new/tests/list"

mapfile -t programs < <(find "$new/bin" "$new/tests" -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' _ {} \; -print)
# glibc and the run-time libraries of the compiler are left out: drivers of the target machine need that machine's own.
LD_LIBRARY_PATH=$build ldd "${programs[@]}" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    { grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+|ld-linux[^/]*)\.so' || true; } |
    while read -r library; do
        cp -L "$library" "$new/lib/"
    done
for file in "${programs[@]}"; do
    up=$(realpath --relative-to="$(dirname "$file")" "$new/lib")
    strip "$file"
    patchelf --set-rpath "\$ORIGIN/$up" "$file"
done
for file in "$new"/lib/*; do
    strip "$file"
    # shellcheck disable=SC2016 # for the dynamic linker, not the shell
    patchelf --set-rpath '$ORIGIN' "$file"
done
rm -rf "$bundle"
mv "$new" "$bundle"
trap - EXIT

# The command must run without environment variables and in another folder, as on the target machine.
(cd / && env -i "$bundle/bin/shoal" --version >/dev/null)
echo "    $(du -sh "$bundle" | cut -f1) in $bundle, libraries: $(cd "$bundle/lib" && echo *)"
