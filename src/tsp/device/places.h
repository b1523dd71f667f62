/* Private: the coordinates or the matrix of a form on a device. Every kernel that computes distances gets
 * these data as its first arguments. */
#ifndef SHOAL_TSP_PLACES_H
#define SHOAL_TSP_PLACES_H

#include "tsp/model/form.h"
#include "workload/arrays.h"
#include "workload/programs.h"

struct tsp_places {
    struct shoal_buffer *numbers; /* coordinates in the format of cl/tsp/model/distance.clh, or the matrix */
    struct shoal_buffer *fixed;   /* partners of fixed edges; a small buffer if there are no fixed edges */
    uint32_t cities;              /* number of cities of the form */
    double sooner_from_s;         /* see tsp_is_sooner_on_device */
    struct arrays arrays;
};

/* Returns SHOAL_UNSUPPORTED if distances need fp64 and the device has none. */
SHOAL_MUST_CHECK enum shoal_status tsp_places_check(const struct tsp_problem *problem,
                                                    struct shoal_device *device, struct shoal_error *error);
/* Does tsp_places_check, and uploads coordinates or matrix, and fixed edges. After SHOAL_OUT_OF_DEVICE_MEMORY
 * the message gives the number of bytes needed. After a failure the caller must call tsp_places_destroy. */
SHOAL_MUST_CHECK enum shoal_status tsp_places_create(const struct tsp_problem *problem,
                                                     struct shoal_queue *queue, struct tsp_places *places,
                                                     struct shoal_error *error);
/* Waits for the device, whatever the status of the launches is: earlier ones may still use buffers that the
 * caller destroys. Returns `status`, or the status of the wait if there was no failure before. */
SHOAL_MUST_CHECK enum shoal_status tsp_places_finish(const struct tsp_places *places,
                                                     enum shoal_status status, struct shoal_error *error);
void tsp_places_destroy(struct tsp_places *places); /* accepts a struct of zeros */
/* Returns the number of bytes of the coordinates of a city in distance.clh. The problem must have
 * coordinates. */
size_t tsp_places_bytes(const struct tsp_form *form);
/* Fills `numbers` with the coordinates of all cities of the form, tsp_places_bytes for each. */
void tsp_places_fill(const struct tsp_problem *problem, void *numbers);
/* Does the device of `places` do work sooner for which the host needs `host_s` seconds? A CPU device does
 * not: its speed is that of the host, and the program must be built first. Other devices do if the host needs
 * 100 ms or more. The first build of a program takes up to two seconds; later runs find it in the cache.
 * Tests set `sooner_from_s` of `places` to another time.
 * places NULL: there is no device. */
bool tsp_is_sooner_on_device(const struct tsp_places *places, double host_s);
/* Sets the defines RULE, DIM, REAL, LARGE, HAS_FIXED, IS_PATH, IS_ASYMMETRIC and WIDE. */
void tsp_places_defines(const struct tsp_problem *problem, struct defines *defines);
/* Rows for the contract of a program of cl/tsp: the defines that tsp_places_defines sets. For `file` see
 * DEFINE. */
#define TSP_PLACES_DEFINES(file)                                                                             \
    DEFINE(file, RULE, 0, 8, "how places become a distance: tsp/model/rules.clh"),                           \
        DEFINE(file, DIM, 0, 3, "numbers of a place; 0: a matrix"),                                          \
        DEFINE(file, REAL, 32, 64, "32: whole coordinates or a matrix"),                                     \
        DEFINE(file, LARGE, 0, 1, "1: places may be 2^21 or more apart"),                                    \
        DEFINE(file, HAS_FIXED, 0, 1, "1: there are fixed edges"),                                           \
        DEFINE(file, IS_PATH, 0, 1, "1: the last city is at no distance from the others"),                   \
        DEFINE(file, IS_ASYMMETRIC, 0, 1, "1: two cities for each"),                                         \
        DEFINE(file, WIDE, 0, 1, "1: differences of distances have 64 bits")
/* The first arguments of every kernel that computes distances. */
#define TSP_PLACES_ARGS(places)                                                                              \
    .numbers = (places)->numbers, .fixed = (places)->fixed, .cities = (places)->cities

#endif
