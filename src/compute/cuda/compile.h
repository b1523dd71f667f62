/* Compiles kernel texts to machine code with NVRTC. Needs no driver and no device. */
#ifndef SHOAL_COMPUTE_CUDA_COMPILE_H
#define SHOAL_COMPUTE_CUDA_COMPILE_H

#include "compute/backend.h"
#include "compute/cuda/api.h"

/* The architecture for which NVRTC compiles. */
struct cuda_target {
    int architecture; /* compute capability x 10 */
    /* makes PTX, portable assembly that the driver compiles when it loads the program, instead of machine
     * code (a cubin) */
    bool ptx;
};

struct cuda_image {
    char *data; /* malloc'ed, with a NUL after its last byte */
    size_t bytes;
};

/* Chooses a cubin if NVRTC knows the architecture of the device, otherwise PTX for the newest architecture
 * before it that NVRTC knows. False: NVRTC knows only newer architectures. */
bool cuda_target_choose(const struct nvrtc *nvrtc, int device_architecture, struct cuda_target *target);

/* Compiles `input`: a .cl file with the prelude before it, or a .cu file as it is. *log: receives the
 * messages of the compiler, malloc'ed, or NULL; with SHOAL_BUILD_FAILED they are in the error, too. */
enum shoal_status cuda_compile(const struct nvrtc *nvrtc, struct cuda_target target,
                               const struct build_input *input, struct cuda_image *image, char **log,
                               struct shoal_error *error);

#endif
