/* A run through everything a CUDA device does, for the fake and for real devices alike. */
#ifndef SHOAL_TESTS_CUDA_SCENARIO_H
#define SHOAL_TESTS_CUDA_SCENARIO_H

#include <shoal/program.h>

/* mix8: 4 buffers and 4 scalars; add_pair: a struct. */
extern const struct shoal_program_desc scenario_desc;
extern const char scenario_text[];

struct scenario_pair {
    uint64_t big;
    uint32_t small, pad;
};

/* SHOAL_FAILED with "wrong result" in the message where a value is wrong; else the status of the first call
 * that failed. Leaves nothing behind. */
enum shoal_status scenario_run(struct shoal_device *device, struct shoal_error *error);

#endif
