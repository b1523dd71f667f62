#!/bin/sh
# Runs a test of a sanitizer build. PoCL 3.1 loses the options of a build where its variable is set. No kernel is
# instrumented, so none is optimised, except where all are, as they run for longer than they compile.
unset POCL_EXTRA_BUILD_FLAGS
[ "${SHOAL_TEST_OPTIMISED:-}" = 1/1 ] || export SHOAL_TEST_OPTIMISED=none POCL_UNOPTIMISED=yes
exec "$@"
