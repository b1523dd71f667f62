/* Private: independent gases that are run at once, <shoal/replicas.h>. On a device a work-group makes the
 * steps of a gas (cl/gas/replicas/replicas.cl); on the host each gas has a solver of the workload. */
#ifndef SHOAL_GAS_REPLICAS_H
#define SHOAL_GAS_REPLICAS_H

#include "base/params.h"
#include "gas/gas.h"
#include "gas/observe/tables.h"

#include <shoal/replicas.h>

struct replicas_device; /* defined in device.h */
struct replicas_table;  /* defined in tallies.c */

struct replica {
    struct shoal_gas_params params;
    char *species; /* text of params.species with a fraction of its own; NULL: that of the caller */
    /* On the host: a solver, which has problem and averages. NULL on a device. */
    struct shoal_solver *solver;
    struct gas_problem problem;
    struct gas_averages *averages;
    struct gas_blocks tallies; /* what samples count; defined in tallies.c */
    uint64_t *counted;         /* on the host: counts of distances up to the last sample; NULL: none so far */
    uint64_t steps, samples, rebuilds;
    struct shoal_gas_thermo last;                           /* the latest sample */
    char failure[sizeof((struct shoal_error *)0)->message]; /* "": the replica has not stopped */
};

struct shoal_gas_replicas {
    struct shoal_device *device;
    struct shoal_queue *queue; /* NULL: on the host */
    void *shared;              /* the parameters of the caller, to which the replicas' thesis points */
    size_t count;
    struct replica *each; /* [count]; they do not move, since problems point to their parameters */
    uint64_t steps_done, total;
    struct replicas_device *on_device; /* NULL: on the host */
    struct replicas_table *table;      /* NULL: no table so far */
};

extern const struct shoal_program_desc gas_replicas_program;

/* The problem of a replica on the host or a device. */
const struct gas_problem *replica_problem(const struct replica *replica);

/* SHOAL_INVALID: there is no such replica. call: name of the function. */
SHOAL_MUST_CHECK enum shoal_status replicas_check_index(const char *call,
                                                        const struct shoal_gas_replicas *replicas,
                                                        size_t index, struct shoal_error *error);
/* Checks the arguments of a call that fills `out` with results of a replica. last: see RESULT_FIRST. */
#define REPLICA_CHECK(replicas, index, out, last, error)                                                     \
    (!NEED(error, replicas, out) || replicas_check_index(__func__, replicas, index, error)                   \
         ? SHOAL_INVALID                                                                                     \
         : RESULT_CHECK(out, last, error))

/* Keeps the reason for which a replica has stopped. */
void replica_fail(struct replica *replica, const struct shoal_error *error);

/* Puts the number and the state of a replica before the message of its failure; returns `status`. */
enum shoal_status replica_error(const struct shoal_gas_replicas *replicas, size_t index,
                                enum shoal_status status, struct shoal_error *error);

/* Defined in tallies.c. replicas_tally_counts: numbers that a sample counts on a device. replica_tally adds
 * what a sample counts. counts: ordered pairs, [gas_count_bins]; largest: fraction of the particles in the
 * largest cluster. */
size_t replicas_tally_counts(const struct gas_problem *problem);
/* Refuses the blocks of `count` replicas, and tables of g(r) of them all, as a caller may keep them, if the
 * host has no memory for them. */
SHOAL_MUST_CHECK enum shoal_status replicas_check_tallies(const struct gas_problem *problem, size_t count,
                                                          struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status replica_tally(struct replica *replica, const double *counts,
                                                 double largest, struct shoal_error *error);
/* Whether the neighbour lists hold all pairs that are closer than `range`. */
bool replicas_list_holds(const struct gas_problem *problem, double range);
/* Mean fraction of the particles in the largest cluster. NaN: unknown. */
double replica_largest(const struct replica *replica, double *error);
void replicas_table_destroy(struct replicas_table **table);

/* Defined in host.c. Both make or move the replicas on all threads. */
SHOAL_MUST_CHECK enum shoal_status replicas_host_create(struct shoal_gas_replicas *replicas,
                                                        struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status replicas_host_step(struct shoal_gas_replicas *replicas, uint64_t steps,
                                                      struct shoal_error *error);
/* Copies the positions and velocities of a replica; either may be NULL. */
void replicas_host_state(const struct replica *replica, double *position, double *velocity);

/* Defined in device.c. The problems of the replicas have been started. */
SHOAL_MUST_CHECK enum shoal_status replicas_device_create(struct shoal_gas_replicas *replicas,
                                                          enum shoal_variant variant,
                                                          struct shoal_error *error);
void replicas_device_destroy(struct replicas_device **device);
SHOAL_MUST_CHECK enum shoal_status replicas_device_step(struct shoal_gas_replicas *replicas, uint64_t steps,
                                                        struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status replicas_device_state(const struct shoal_gas_replicas *replicas,
                                                         size_t index, double *position, double *velocity,
                                                         struct shoal_error *error);
const struct shoal_program *replicas_device_program(const struct replicas_device *device);

#endif
