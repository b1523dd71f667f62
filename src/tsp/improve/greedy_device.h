/* Private: greedy tours on a device, equal to those of tsp_greedy_tour. */
#ifndef SHOAL_TSP_GREEDY_DEVICE_H
#define SHOAL_TSP_GREEDY_DEVICE_H

#include "tsp/device/places.h"
#include "tsp/improve/fragments.h"

struct tsp_greedy_device {
    const struct tsp_problem *problem;
    const struct tsp_places *places;
    uint32_t neighbours, used; /* length of a candidate list, and number of its cities that are tried */
    struct tsp_fragments fragments;
    double least[3], scale; /* see tsp_curve_keys; `least` in the coordinates of the device */
    struct shoal_program *program;
    struct shoal_kernel *count, *edges, *curve, *near;
};

/* Creates the kernels, which `programs` owns. Returns SHOAL_UNSUPPORTED for a matrix and for a device without
 * double precision, which positions on the curve need. After SHOAL_OUT_OF_DEVICE_MEMORY the message gives the
 * number of bytes needed. After a failure the caller must call tsp_greedy_device_destroy. */
SHOAL_MUST_CHECK enum shoal_status tsp_greedy_device_create(const struct tsp_problem *problem,
                                                            const struct tsp_places *places,
                                                            uint32_t neighbours, struct programs *programs,
                                                            struct tsp_greedy_device *greedy,
                                                            struct shoal_error *error);
void tsp_greedy_device_destroy(struct tsp_greedy_device *greedy); /* accepts a struct of zeros */
/* Writes to `tour` the tour of tsp_greedy_tour without noise. lists: [form.n][neighbours] of uint32_t.
 * Returns SHOAL_STOPPED if `cut` ended the work. */
SHOAL_MUST_CHECK enum shoal_status tsp_greedy_device_run(struct tsp_greedy_device *greedy,
                                                         struct shoal_buffer *lists, struct long_step *cut,
                                                         uint32_t *tour, struct shoal_error *error);
/* Is the tour by lists of `neighbours` cities made sooner on the device of `places` (NULL: there is none),
 * and can it be made there, beside `held` bytes of the run? */
bool tsp_greedy_is_for_device(const struct tsp_problem *problem, const struct tsp_places *places,
                              uint32_t neighbours, double held);
/* Writes to `tour` the tour of tsp_greedy_tour without noise, by the device of `places`. lists: in memory of
 * the host. */
SHOAL_MUST_CHECK enum shoal_status tsp_greedy_by_device(const struct tsp_problem *problem,
                                                        const struct tsp_places *places,
                                                        struct programs *programs, const uint32_t *lists,
                                                        uint32_t neighbours, struct long_step *cut,
                                                        uint32_t *tour, struct shoal_error *error);

#endif
