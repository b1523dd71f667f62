/* Private: the state of replicas on a device, which device.c steps and upload.c fills. */
#ifndef SHOAL_GAS_REPLICAS_DEVICE_H
#define SHOAL_GAS_REPLICAS_DEVICE_H

#include "gas/device/device.h"
#include "gas/model/problem.h"
#include "gas/replicas/replicas.h"
#include "gas/species/species_device.h"
#include "workload/programs.h"

enum {
    REPLICAS_TILE = 32, /* of the lists of a GPU */
    REPLICAS_CELLS = 512,
    CELL_PARTICLES = 2 /* least mean number of particles of a cell, so that cells need little memory */
};

struct replicas_device {
    struct programs programs;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *position, *velocity, *reference, *image, *exchange, *ids, *words, *settings, *meshes,
        *list, *counts, *draws, *samples, *tallies;
    size_t room;           /* particles for which the arrays of a gas have room */
    uint32_t capacity;     /* most neighbours of a particle */
    bool list_is_due;      /* `list` has fewer places than `capacity` asks for, or was not made */
    uint32_t launch_steps; /* most steps of a launch */
    uint32_t sample_room, draw_room;
    uint64_t sample_every, rescale_every, rescale_end; /* rescale_every 0: velocities are not rescaled */
    double skin;
    /* Of all gases: words, samples, random numbers and counts of samples of a launch. */
    uint32_t *all_words;
    void *all_samples, *all_draws;
    uint32_t *all_tallies;
    /* Numbers of samples: the first one in all_samples, which is not in the means of all replicas, and the
     * next one to be read. */
    uint64_t read_from, sampled;
    /* all_draws holds `drawn` rescalings of each gas, from number drawn_first on; `draws` holds `sent`, those
     * of the last launch. */
    uint64_t drawn_first;
    uint32_t drawn, sent;
    /* Steps that the last launch leads to, and that were read last. After a call that failed, the next one
     * first repeats the launch that was not read, even if it asks for fewer steps. */
    uint64_t begun, collected;
};

static inline const struct gas_problem *replicas_problem(const struct shoal_gas_replicas *replicas)
{
    return &replicas->each->problem;
}

/* Bytes of a number in the format of pair forces. */
static inline size_t real_bytes(const struct gas_problem *problem)
{
    return problem->params->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
}

/* Numbers of a gas in the buffer of settings, as SPECIES_RATIOS of the kernel lays out those of species. */
static inline size_t numbers_of(const struct gas_problem *problem)
{
    return GAS_SETTINGS + (problem->species ? GAS_SPECIES_CONSTANTS + SPECIES_ROOM(problem->n) : 0);
}

static inline void put_reals(const struct gas_problem *problem, void *array, size_t first,
                             const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (real_bytes(problem) == sizeof(double))
            ((double *)array)[first + i] = values[i];
        else
            ((float *)array)[first + i] = (float)values[i];
}

static inline double range_of(const struct gas_problem *problem, const struct replicas_device *device)
{
    return problem->pair.cutoff + device->skin;
}

/* Writes a whole buffer. */
static inline SHOAL_MUST_CHECK enum shoal_status
write_all(struct shoal_queue *queue, struct shoal_buffer *buffer, const void *data, struct shoal_error *error)
{
    return shoal_buffer_write(queue, buffer, 0, data, shoal_buffer_size(buffer), error);
}

/* Defined in upload.c: writes the gases at their start. */
SHOAL_MUST_CHECK enum shoal_status replicas_upload(struct shoal_gas_replicas *replicas,
                                                   struct shoal_error *error);

/* Defined in samples.c: keeps how far the replicas have come, and adds the samples that were read to their
 * means. */
SHOAL_MUST_CHECK enum shoal_status replicas_keep_samples(struct shoal_gas_replicas *replicas,
                                                         struct shoal_error *error);

#endif
