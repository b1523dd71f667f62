/* Kernel texts: embedded files, --kernel-dir, include flattening. */
#ifndef SHOAL_COMPUTE_SOURCE_H
#define SHOAL_COMPUTE_SOURCE_H

#include <shoal/program.h>

/* Text of an embedded file, or NULL. Names are relative to cl/ ("lib/philox.clh") or begin with "cuda/"
 * ("cuda/prelude.cuh", "cuda/pso.cu") for the files of src/compute/cuda and its kernels folder. */
const char *source_embedded(const char *name);

/* Flattens `file`, or `override` under the name `override_name`. Each file is included once. `*text` is
 * malloc'ed. */
enum shoal_status source_flatten(const struct shoal *shoal, const char *file, const char *override,
                                 const char *override_name, char **text, struct shoal_error *error);

#endif
