/* Makes each of the calls that a first step needs fail in turn, of all workloads and algorithms: the step
 * reports it and changes nothing, and the next one begins as if it had never been asked for, to the bit. */
#ifndef SHOAL_TESTS_FIRST_STEP_H
#define SHOAL_TESTS_FIRST_STEP_H

#include <shoal/shoal.h>

#include <stdbool.h>

/* What fails, and where; a test fills it in. */
struct first_step {
    struct shoal_device *device;
    struct shoal_queue *queue; /* NULL: the host */
    enum shoal_variant variant;
    const char *what;             /* fails: "allocation" */
    void (*arm)(unsigned number); /* the call of this number from now on fails, 1: the next */
    bool (*disarm)(void);         /* none fails any more; has one? */
    bool (*is_expected)(enum shoal_status status);
    unsigned first, every; /* calls that fail in turn: the first, and each so many after it */
    bool computes;         /* the device has results, which can be checked */
};

extern struct first_step first_step;

/* For cmocka. */
void first_step_of_swarms(void **state);
void first_step_of_populations(void **state);
void first_step_of_algorithms(void **state);
void first_step_of_gases(void **state);
void first_step_of_cells(void **state);      /* of a device that computes */
void first_step_of_multipoles(void **state); /* of a device that computes */
void first_step_of_replicas(void **state);
void first_step_of_tours(void **state);
void first_step_of_nets(void **state);
void first_step_of_methods(void **state); /* of devices */

#endif
