/* Private: numbers of a form's cities on a device, from which distances are computed: the first arguments of
 * every kernel that computes distances. */
#ifndef SHOAL_TSP_PLACES_H
#define SHOAL_TSP_PLACES_H

#include "tsp/model/form.h"
#include "workload/arrays.h"
#include "workload/programs.h"

struct tsp_places {
    struct shoal_buffer *numbers; /* in the format of cl/tsp/model/distance.clh, or the matrix */
    struct shoal_buffer *fixed;   /* partners of fixed edges; a small buffer if there are no fixed edges */
    uint32_t cities;              /* number of the form's cities */
    struct arrays arrays;
};

/* Uploads the numbers. SHOAL_UNSUPPORTED: the distances need fp64, which the device lacks.
 * SHOAL_OUT_OF_DEVICE_MEMORY: the message gives the number of bytes needed. After a failure
 * tsp_places_destroy frees what was created. */
SHOAL_MUST_CHECK enum shoal_status tsp_places_create(const struct tsp_problem *problem,
                                                     struct shoal_queue *queue, struct tsp_places *places,
                                                     struct shoal_error *error);
void tsp_places_destroy(struct tsp_places *places); /* accepts a struct of zeros */
/* Bytes of the numbers of a city in distance.clh. The problem must not be a matrix. */
size_t tsp_places_bytes(const struct tsp_form *form);
/* Sets the defines RULE, DIM, REAL, LARGE, HAS_FIXED, IS_PATH, IS_ASYMMETRIC and WIDE. */
void tsp_places_defines(const struct tsp_problem *problem, struct defines *defines);
/* Contract rows for the defines of tsp_places_defines, for a program of cl/tsp; file: see DEFINE. */
#define TSP_PLACES_DEFINES(file)                                                                             \
    DEFINE(file, RULE, 0, 8, "how places become a distance: tsp/model/rules.clh"),                           \
        DEFINE(file, DIM, 0, 3, "numbers of a place; 0: a matrix"),                                          \
        DEFINE(file, REAL, 32, 64, "32: whole coordinates or a matrix"),                                     \
        DEFINE(file, LARGE, 0, 1, "1: places may be 2^21 or more apart"),                                    \
        DEFINE(file, HAS_FIXED, 0, 1, "1: there are fixed edges"),                                           \
        DEFINE(file, IS_PATH, 0, 1, "1: the last city is at no distance from the others"),                   \
        DEFINE(file, IS_ASYMMETRIC, 0, 1, "1: two cities for each"),                                         \
        DEFINE(file, WIDE, 0, 1, "1: differences of distances have 64 bits")
/* The first arguments of a kernel that computes distances. */
#define TSP_PLACES_ARGS(places)                                                                              \
    .numbers = (places)->numbers, .fixed = (places)->fixed, .cities = (places)->cities

#endif
