#include "gas/observe/saved.h"

#include "base/error.h"
#include "gas/device/numbers.h"
#include "gas/observe/tables.h"

#include <stdlib.h>

/* Copies section `name` of a checkpoint to aligned memory, which the caller frees. */
static enum shoal_status take(const struct checkpoint *checkpoint, const char *name, size_t bytes, void **out,
                              struct shoal_error *error)
{
    *out = malloc(bytes);
    return *out ? checkpoint_get(checkpoint, name, *out, bytes, error) : fail_host_memory(error);
}

/* Checks the positions of `count` particles in section `name`. */
static enum shoal_status check_positions(const struct gas_problem *problem,
                                         const struct checkpoint *checkpoint, const char *name, size_t count,
                                         enum gas_form form, struct shoal_error *error)
{
    const size_t dim = problem->dim;
    const size_t bytes = form == GAS_OF_HOST ? dim * sizeof(double) : gas_position_bytes(problem);
    void *places;
    bool sound = true;
    enum shoal_status status = take(checkpoint, name, count * bytes, &places, error);
    for (size_t at = 0; at < count * dim && !status && sound; at++)
        sound = gas_is_in_range(problem, at % dim,
                                form == GAS_OF_HOST ? ((const double *)places)[at]
                                                    : gas_get_position(problem, places, at / dim, at % dim));
    free(places);
    return status || sound ? status : checkpoint_damaged(checkpoint, error);
}

enum shoal_status gas_check_positions(const struct gas_problem *problem, const struct checkpoint *checkpoint,
                                      const char *name, enum gas_form form, struct shoal_error *error)
{
    return check_positions(problem, checkpoint, name, problem->n, form, error);
}

/* Checks the velocities of `count` particles in section `name`. */
static enum shoal_status check_velocities(const struct gas_problem *problem,
                                          const struct checkpoint *checkpoint, const char *name, size_t count,
                                          enum gas_form form, struct shoal_error *error)
{
    const size_t dim = problem->dim;
    const size_t bytes = form == GAS_OF_HOST ? dim * sizeof(double) : gas_vector_bytes(problem);
    void *vectors;
    bool sound = true;
    enum shoal_status status = take(checkpoint, name, count * bytes, &vectors, error);
    for (size_t at = 0; at < count * dim && !status && sound; at++)
        sound = isfinite(form == GAS_OF_HOST ? ((const double *)vectors)[at]
                                             : gas_get_vector(problem, vectors, at / dim, at % dim));
    free(vectors);
    return status || sound ? status : checkpoint_damaged(checkpoint, error);
}

static enum shoal_status check_crossings(const struct gas_problem *problem,
                                         const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const size_t numbers = problem->n * problem->dim;
    void *image;
    bool sound = true;
    enum shoal_status status = take(checkpoint, "image", numbers * sizeof(int32_t), &image, error);
    for (size_t at = 0; at < numbers && !status && sound; at++)
        sound = gas_is_crossing(((const int32_t *)image)[at]);
    free(image);
    return status || sound ? status : checkpoint_damaged(checkpoint, error);
}

enum shoal_status gas_check_particles(const struct gas_problem *problem, const struct checkpoint *checkpoint,
                                      enum gas_form form, struct shoal_error *error)
{
    enum shoal_status status = gas_check_positions(problem, checkpoint, "position", form, error);
    if (!status)
        status = check_velocities(problem, checkpoint, "velocity", problem->n, form, error);
    return status ? status : check_crossings(problem, checkpoint, error);
}

enum shoal_status gas_check_origins(const struct gas_problem *problem, const struct checkpoint *checkpoint,
                                    enum gas_form form, struct shoal_error *error)
{
    const size_t count = GAS_ORIGIN_LEVELS * problem->n;
    enum shoal_status status = SHOAL_OK;
    if (problem->params->msd)
        status = gas_check_positions(problem, checkpoint, "origin", form, error);
    if (!status && problem->params->vacf)
        status = check_positions(problem, checkpoint, "origins", count, form, error);
    if (!status && problem->params->vacf)
        status = check_velocities(problem, checkpoint, "origins velocity", count, form, error);
    return status;
}
