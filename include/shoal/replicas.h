/* Many independent gases at once: replicas, each with its own temperature, density and seed,
 * or its own mixture of species.
 *
 * All replicas have the number of particles, the pair force and the rules of one struct shoal_gas_params. On
 * a device a work-group holds a gas on the chip for many steps of a launch, so hundreds of small gases take
 * the time of one; on the host each thread makes the steps of a gas in double precision. Each replica gives
 * the means of energy, pressure and temperature with their errors. docs/gas-replicas.md states the rules.
 *
 *     struct shoal_gas_params gas = SHOAL_GAS_PARAMS(.particles = 1024, .thermostat = SHOAL_GAS_RESCALE,
 *                                                    .steps = 20000, .equilibration = 5000, .thermo = 100);
 *     struct shoal_gas_replicas_params params =
 *         SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = 11, .temperature = temperatures);
 *     shoal_gas_replicas_create(device, queue, &params, &replicas, &error);
 *     shoal_gas_replicas_step(replicas, 25000, &done, &error);
 *     shoal_gas_replicas_get(replicas, 3, &replica, &error);
 *     shoal_gas_replicas_destroy(&replicas);
 *
 * A replica has the same bits whatever replicas are beside it and however the steps are divided into calls.
 *
 * Threads: an object is used by one thread at a time, as its queue is.
 */
#ifndef SHOAL_REPLICAS_H
#define SHOAL_REPLICAS_H

#include <shoal/gas.h>

SHOAL_BEGIN_DECLS

/* Limits of struct shoal_gas_replicas_params. */
enum {
    SHOAL_GAS_REPLICAS_MOST = 65536,    /* Most replicas. */
    SHOAL_GAS_REPLICAS_PARTICLES = 2048 /* Most particles of a replica. */
};

/* Replicas of a gas. Fill the struct by SHOAL_GAS_REPLICAS_PARAMS or shoal_gas_replicas_params_init. The
 * arrays are copied. */
struct shoal_gas_replicas_params {
    size_t size; /* Bytes of the struct, set by shoal_gas_replicas_params_init. */
    /* What all replicas share; copied. The gas is periodic along each axis and has at most
     * SHOAL_GAS_REPLICAS_PARTICLES particles, a pair force with a cutoff, and no observables but its samples,
     * g(r) and the largest cluster: docs/gas-replicas.md lists the members that must keep their defaults.
     * `thermo` or `average_every` is the number of steps between samples; if both are 0, there are about 100
     * samples. Must be set. */
    const struct shoal_gas_params *gas;
    size_t count; /* Number of replicas, 1 to SHOAL_GAS_REPLICAS_MOST. Must be set. */
    /* Temperatures, [count]. NULL: each replica has that of `gas`. Default: NULL. */
    const double *temperature;
    /* Number densities, [count]. NULL: each replica has that of `gas`. Default: NULL. */
    const double *density;
    /* Seeds, [count]. NULL: replica k has the seed of `gas` plus k. Default: NULL. */
    const uint64_t *seed;
    enum shoal_variant variant; /* Text to build on CUDA. Default: SHOAL_VARIANT_AUTO. */
    /* Fractions of the particles that are of the first species, [count], each 0 to 1; the other species share
     * the rest in the proportions of the fractions in `species` of `gas`. NULL: each replica has the amounts
     * of `gas`. Default: NULL. */
    const double *fraction;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_gas_replicas_params_init(struct shoal_gas_replicas_params *params);
/* Parameters with the given members set: SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = 64). */
#define SHOAL_GAS_REPLICAS_PARAMS(...)                                                                       \
    SHOAL_INIT(shoal_gas_replicas_params, shoal_gas_replicas_params_init, __VA_ARGS__)

/* The replicas of a run. Created by shoal_gas_replicas_create. */
struct shoal_gas_replicas;

/* Places the particles of all replicas, on `queue`, which belongs to `device`, or on the host with `queue`
 * NULL. Destroy the object with shoal_gas_replicas_destroy, before its queue.
 * Errors: SHOAL_INVALID: a number is out of its range, a member of `gas` must keep its default, or a replica
 * cannot be, such as a box smaller than two cutoffs; the message names the replica. SHOAL_UNSUPPORTED: the
 * particles do not fit into the local memory of the device, or the device lacks double precision that `gas`
 * asks for. SHOAL_BUILD_FAILED: a kernel does not compile. SHOAL_OUT_OF_DEVICE_MEMORY: the replicas do not
 * fit. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_replicas_create(struct shoal_device *device, struct shoal_queue *queue,
                          const struct shoal_gas_replicas_params *params, struct shoal_gas_replicas **out,
                          struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_gas_replicas_destroy(struct shoal_gas_replicas **replicas);

/* Makes up to `steps` steps of each replica, equilibration included, and waits for them. *done receives the
 * number of these steps; 0: the run is complete. A replica that explodes stops; the others continue. To end
 * a long run early, make few steps in a call.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_replicas_step(struct shoal_gas_replicas *replicas,
                                                                     uint64_t steps, uint64_t *done,
                                                                     struct shoal_error *error);

/* A replica and its means so far, in reduced units. Pointers are valid until the next call on the object. */
struct shoal_gas_replica {
    size_t size;         /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    size_t index;        /* Number of the replica. */
    double temperature;  /* Temperature that the thermostat keeps, or of the start. */
    double density;      /* Number density. */
    uint64_t seed;       /* Seed of the random numbers. */
    uint64_t particles;  /* Number of particles. */
    uint64_t steps;      /* Steps made, equilibration included. */
    uint64_t samples;    /* Number of samples in the means. */
    uint64_t rebuilds;   /* Number of builds of the neighbour list. */
    const char *failure; /* Why the replica has stopped. NULL: it has not. */
    /* Mean temperature, 2 K / degrees of freedom, K the kinetic energy. NaN: there are no samples, or the
     * replica has stopped. This holds for each mean. */
    double mean_temperature;
    double mean_temperature_error; /* Standard error of mean_temperature. NaN: unknown, as for each error. */
    double pressure;               /* Mean pressure. */
    double pressure_error;         /* Standard error of pressure. */
    double potential;              /* Mean potential energy of a particle. */
    double potential_error;        /* Standard error of potential. */
    /* |U - U'| / max(1, |U'|), where U is the potential energy of a particle in the last sample and U' that
     * of the same positions, computed by the host in double precision. NaN: the last sample is not of the
     * last step. */
    double energy_error;
    /* Fraction of the particles that are of the first species. NaN: the gas has one species. */
    double fraction;
    /* Mean fraction of the particles that is in the largest cluster, whose particles are connected by
     * distances below cluster_distance of the gas. NaN: it is not asked for. */
    double largest_cluster;
    double largest_cluster_error; /* Standard error of largest_cluster. */
};

/* Fills `replica` with replica number `index`.
 * Errors: SHOAL_INVALID: there is no such replica. Errors of the queue. Out of memory. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_replicas_get(struct shoal_gas_replicas *replicas,
                                                                    size_t index,
                                                                    struct shoal_gas_replica *replica,
                                                                    struct shoal_error *error);

/* Fills `table` with the radial distribution function g(r) of replica number `index`, with rdf_bins of the
 * gas: a row for each bin, columns r, the middle of the bin, g and g_error; with several species also g_A_B
 * and g_A_B_error for each two species A and B, by their names. Before the call set table->size, usually to
 * 0. Pointers are valid until the next call on the object. There are no rows without
 * rdf_bins, before the first sample, and if the replica has stopped.
 * Errors: SHOAL_INVALID: there is no such replica. Out of memory. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_replicas_get_rdf(struct shoal_gas_replicas *replicas,
                                                                        size_t index,
                                                                        struct shoal_gas_table *table,
                                                                        struct shoal_error *error);

/* Copies positions, inside the box, and velocities of a replica, [particles][dim] each, in the order of the
 * particles' numbers. Velocities are half a step behind the positions. Either array may be NULL.
 * Errors: SHOAL_INVALID: there is no such replica. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_replicas_state(struct shoal_gas_replicas *replicas,
                                                                      size_t index, double *position,
                                                                      double *velocity,
                                                                      struct shoal_error *error);

/* Program of the object, to query build time, defines and variant. NULL: the object is on the host. */
SHOAL_API const struct shoal_program *shoal_gas_replicas_program(const struct shoal_gas_replicas *replicas);

SHOAL_END_DECLS

#endif
