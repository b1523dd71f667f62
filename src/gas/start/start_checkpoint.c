/* Starts from a checkpoint: reads the particles and the box. Other settings of the run that wrote the
 * checkpoint have no effect. */
#include "base/error.h"
#include "gas/device/numbers.h"
#include "gas/species/species.h"
#include "gas/start/start.h"
#include "workload/checkpoint/saved_options.h"
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The gas of the checkpoint, and copies of its arrays. */
struct writer {
    struct checkpoint checkpoint;
    struct shoal_gas_params *params; /* parameters, followed by the parameters of the thesis */
    char *texts[GAS_OPTIONS];        /* strings to which the parameters point */
    char *species;                   /* params->species, with the numbers of particles; NULL: one species */
    struct gas_problem problem;
    bool is_host;
    /* doubles [n][dim] from the host solver (is_host), otherwise in the format of a device */
    void *position, *velocity;
    int32_t *image; /* [n][dim] */
    /* [n]: number of the particle at each place of the arrays of a device; NULL: the arrays are in the order
     * of the numbers */
    uint32_t *id;
    double *inside, *acceleration; /* [n][dim], in the order of the particles' numbers */
};

extern const struct workload gas_workload;

/* Reads the box from the section "box" of the checkpoint. Only the checkpoint of a gas that began from a file
 * has this section. */
static enum shoal_status take_box(struct writer *writer, struct shoal_error *error)
{
    struct shoal_gas_params *params = writer->params;
    const struct checkpoint_section *image = checkpoint_find(&writer->checkpoint, "image");
    double box[GAS_MAX_DIM];
    if (!params->start_file || !image || params->dim < 2 || params->dim > GAS_MAX_DIM ||
        !checkpoint_find(&writer->checkpoint, "box"))
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(&writer->checkpoint, "box", box, sizeof box, error);
    params->start_file = NULL;
    params->start = SHOAL_GAS_LATTICE;
    params->particles = image->bytes / (params->dim * sizeof(int32_t));
    params->width = box[0];
    params->height = box[1];
    params->depth = params->dim == 3 ? box[2] : NAN;
    return status;
}

/* Sets field and trap to their values at the step of the checkpoint, if a schedule changed them. */
static enum shoal_status take_forces(struct writer *writer, struct shoal_error *error)
{
    struct gas_problem *problem = &writer->problem;
    if (!checkpoint_find(&writer->checkpoint, "field"))
        return SHOAL_OK;
    enum shoal_status status =
        checkpoint_get(&writer->checkpoint, "field", problem->field, sizeof problem->field, error);
    if (!status)
        status = checkpoint_get(&writer->checkpoint, "trap", &problem->trap, sizeof problem->trap, error);
    bool sound = isfinite(problem->trap);
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        sound = sound && isfinite(problem->field[k]);
    return status || sound ? status : checkpoint_damaged(&writer->checkpoint, error);
}

static enum shoal_status make_problem(struct shoal *shoal, struct writer *writer, struct shoal_error *error)
{
    writer->params = malloc(gas_workload.face.params_size);
    if (!writer->params)
        return fail_host_memory(error);
    gas_workload.face.params_init(writer->params);
    enum shoal_status status =
        saved_options_restore(&gas_workload.face, gas_workload.old_options, &writer->checkpoint, NULL,
                              writer->params, writer->texts, error);
    if (!status)
        status = take_box(writer, error);
    if (!status)
        status = gas_species_amounts(writer->params, &writer->checkpoint, &writer->species, error);
    if (writer->species)
        writer->params->species = writer->species;
    writer->params->schedule = NULL; /* take_forces takes what the start needs of it */
    writer->params->changeable = false;
    if (!status)
        status = shoal_workload_validate(NULL, &gas_workload.face, writer->params, error);
    if (!status)
        workload_params_shorten(&gas_workload, writer->params);
    if (!status)
        status = gas_problem_create(shoal, writer->params, &writer->problem, error);
    if (!status)
        status = gas_species_take(&writer->problem, &writer->checkpoint, error);
    return status ? status : take_forces(writer, error);
}

/* Copies section `name`, of `bytes` bytes, to aligned memory, which the caller frees. out: address of a
 * pointer to this memory. */
static enum shoal_status take(const struct writer *writer, const char *name, size_t bytes, void *out,
                              struct shoal_error *error)
{
    void *copy = malloc(bytes);
    memcpy(out, &copy, sizeof copy);
    return copy ? checkpoint_get(&writer->checkpoint, name, copy, bytes, error) : fail_host_memory(error);
}

static enum shoal_status take_arrays(struct writer *writer, struct shoal_error *error)
{
    const struct gas_problem *problem = &writer->problem;
    const size_t n = problem->n, numbers = n * problem->dim;
    const size_t each = problem->dim * sizeof(double);
    enum shoal_status status =
        take(writer, "position", n * (writer->is_host ? each : gas_position_bytes(problem)),
             &writer->position, error);
    if (!status)
        status = take(writer, "velocity", n * (writer->is_host ? each : gas_vector_bytes(problem)),
                      &writer->velocity, error);
    if (!status)
        status = take(writer, "image", numbers * sizeof *writer->image, &writer->image, error);
    if (!status && !writer->is_host)
        status = take(writer, "id", n * sizeof *writer->id, &writer->id, error);
    writer->inside = malloc(numbers * sizeof *writer->inside);
    writer->acceleration = calloc(numbers, sizeof *writer->acceleration);
    if (!status && (!writer->inside || !writer->acceleration))
        status = fail_host_memory(error);
    return status;
}

static size_t number_of(const struct writer *writer, size_t place)
{
    return writer->id ? writer->id[place] : place;
}

static enum shoal_status find_positions(struct writer *writer, struct shoal_error *error)
{
    const struct gas_problem *problem = &writer->problem;
    const size_t dim = problem->dim;
    for (size_t i = 0; i < problem->n * dim; i++)
        writer->inside[i] = NAN;
    for (size_t place = 0; place < problem->n; place++) {
        const size_t number = number_of(writer, place);
        if (number >= problem->n || !isnan(writer->inside[number * dim]))
            return checkpoint_damaged(&writer->checkpoint, error);
        for (size_t k = 0; k < dim; k++) {
            const double x = writer->is_host ? ((const double *)writer->position)[place * dim + k]
                                             : gas_get_position(problem, writer->position, place, k);
            if (!gas_is_in_range(problem, k, x))
                return checkpoint_damaged(&writer->checkpoint, error);
            writer->inside[number * dim + k] = x;
        }
    }
    return SHOAL_OK;
}

/* Fills the arrays of `particles`. Velocities in a checkpoint are those of half a step earlier, and are
 * advanced by half a step. */
static enum shoal_status fill(const struct writer *writer, struct particles *particles,
                              struct shoal_error *error)
{
    const struct gas_problem *problem = &writer->problem;
    const size_t n = problem->n, dim = problem->dim;
    particles->count = n;
    particles->format = "checkpoint";
    particles->frames = particles->frame = 1;
    particles->has_box = particles->has_periodic = true;
    particles->position = calloc(3 * n, sizeof *particles->position);
    particles->velocity = calloc(3 * n, sizeof *particles->velocity);
    particles->image = calloc(3 * n, sizeof *particles->image);
    if (!particles->position || !particles->velocity || !particles->image)
        return fail_host_memory(error);
    for (size_t k = 0; k < dim; k++) {
        particles->length[k] = problem->length[k];
        particles->periodic[k] = problem->boundary[k] == SHOAL_GAS_PERIODIC;
    }
    for (size_t place = 0; place < n; place++) {
        const size_t number = number_of(writer, place);
        for (size_t k = 0; k < dim; k++) {
            const double x = writer->inside[number * dim + k];
            const double v = writer->is_host ? ((const double *)writer->velocity)[place * dim + k]
                                             : gas_get_vector(problem, writer->velocity, place, k);
            const double a =
                writer->acceleration[number * dim + k] + gas_external_acceleration(problem, number, k, x);
            particles->position[3 * number + k] = x;
            particles->velocity[3 * number + k] = v + problem->half_step * a;
            particles->image[3 * number + k] = writer->image[number * dim + k];
            if (!isfinite(v) || !gas_is_crossing(writer->image[number * dim + k]))
                return checkpoint_damaged(&writer->checkpoint, error);
        }
    }
    return SHOAL_OK;
}

/* Reads the checkpoint, and checks that it is that of a gas. *file: receives the memory that holds the file.
 */
static enum shoal_status read_file(struct checkpoint *checkpoint, const char *path, void **file,
                                   struct shoal_error *error)
{
    enum shoal_status status = checkpoint_read(checkpoint, path, file, error);
    if (status || checkpoint_holds(checkpoint, "workload", gas_workload.face.name))
        return status;
    return fail(error, SHOAL_INVALID, "checkpoint %s is not of a gas: it has no particles to start from",
                path);
}

enum shoal_status gas_check_checkpoint(const char *path, struct shoal_error *error)
{
    struct checkpoint checkpoint;
    void *file = NULL;
    enum shoal_status status = read_file(&checkpoint, path, &file, error);
    free(file);
    return status;
}

size_t gas_count_checkpoint(const char *path, size_t dim)
{
    struct checkpoint checkpoint;
    void *file = NULL;
    const struct checkpoint_section *image = NULL;
    if (!read_file(&checkpoint, path, &file, NULL))
        image = checkpoint_find(&checkpoint, "image");
    const size_t count = image ? image->bytes / (dim * sizeof(int32_t)) : 0;
    free(file);
    return count;
}

enum shoal_status gas_read_checkpoint(struct shoal *shoal, const char *path, struct particles *particles,
                                      struct shoal_error *error)
{
    void *file = NULL;
    struct writer *writer = calloc(1, sizeof *writer);
    *particles = (struct particles){0};
    if (!writer)
        return fail_host_memory(error);
    enum shoal_status status = read_file(&writer->checkpoint, path, &file, error);
    if (!status) {
        writer->is_host = checkpoint_holds(&writer->checkpoint, "solver", "host");
        status = make_problem(shoal, writer, error);
    }
    if (!status)
        status = take_arrays(writer, error);
    if (!status)
        status = find_positions(writer, error);
    if (!status && gas_has_pair_force(writer->params))
        status = gas_forces(&writer->problem, writer->inside, writer->acceleration, NULL, NULL, error);
    if (!status)
        status = fill(writer, particles, error);
    if (!status)
        status = gas_species_tell(&writer->problem, particles, error);
    if (status)
        particles_free(particles);
    gas_problem_destroy(&writer->problem);
    for (size_t i = 0; i < GAS_OPTIONS; i++)
        free(writer->texts[i]);
    void *const arrays[] = {writer->position, writer->velocity,     writer->image,
                            writer->id,       writer->acceleration, writer->inside};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(writer->species);
    free(writer->params);
    free(writer);
    free(file);
    return status;
}
