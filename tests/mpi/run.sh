#!/bin/sh
# mpirun with the arguments, or exit code 77, which meson counts as skipped, where mpirun starts no processes.
if ! mpirun -n 2 true >/dev/null 2>&1; then
    echo "mpirun starts no processes here"
    exit 77
fi
exec mpirun "$@"
