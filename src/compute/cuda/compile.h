/* Kernel text to machine code with NVRTC. Needs no driver and no device. */
#ifndef SHOAL_COMPUTE_CUDA_COMPILE_H
#define SHOAL_COMPUTE_CUDA_COMPILE_H

#include "compute/backend.h"
#include "compute/cuda/api.h"

/* The target that NVRTC compiles for. */
struct cuda_target {
    int architecture; /* compute capability x 10 */
    bool ptx;         /* portable assembly that the driver compiles at load, instead of a cubin */
};

struct cuda_image {
    char *data; /* malloc'ed, with a NUL at its end */
    size_t bytes;
};

/* Chooses a cubin if NVRTC knows the device's architecture, otherwise PTX for the newest architecture below
 * it that NVRTC knows. False: NVRTC knows only newer architectures. */
bool cuda_target_choose(const struct nvrtc *nvrtc, int device_architecture, struct cuda_target *target);

/* Compiles `input`, a .cl text with the prelude before it, or a .cu text as it is. *log receives the
 * compiler's messages, malloc'ed, or NULL; with SHOAL_BUILD_FAILED the error has them, too. */
enum shoal_status cuda_compile(const struct nvrtc *nvrtc, struct cuda_target target,
                               const struct build_input *input, struct cuda_image *image, char **log,
                               struct shoal_error *error);

#endif
