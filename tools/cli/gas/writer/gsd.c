/* Frames of a gas in GSD files, with the schema of HOOMD-blue: docs/gas-forces.md, "Files". */
#include "cli/output/files/gsd.h"

#include "cli/gas/writer/gsd.h"
#include "cli/output/message.h"
#include "cli/output/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gas_gsd {
    char *path;
    bool continues, is_given_up;
    struct gsd_file *file; /* NULL: not open yet */
    uint64_t last;         /* step of the last frame that stays; UINT64_MAX: none */
    float *numbers;        /* [3 particles] */
};

struct gas_gsd *gas_gsd_create(const char *path, bool continues)
{
    struct gas_gsd *gsd = cli_alloc(sizeof *gsd);
    *gsd = (struct gas_gsd){.path = cli_strdup(path), .continues = continues, .last = UINT64_MAX};
    return gsd;
}

static void give_up(struct gas_gsd *gsd, struct piece_files *files, const struct shoal_error *error)
{
    piece_files_give_up(files, error);
    gsd->is_given_up = true;
    gsd_close(&gsd->file);
}

/* The coordinate of a particle from the middle of the box, in single precision. Rounding does not move a
 * particle out of the box; the upper border belongs to the box only if the axis is not periodic. */
static float centred(const struct shoal_gas_frame *frame, size_t axis, double x)
{
    const double from_middle = x - frame->origin[axis] - 0.5 * frame->length[axis];
    const float half = 0.5f * (float)frame->length[axis], place = (float)from_middle;
    if (fabs(from_middle) > 0.5 * frame->length[axis])
        return place;
    if (place >= half)
        return frame->periodic[axis] ? nextafterf(half, 0) : half;
    return place < -half ? -half : place;
}

static void add_vectors(struct gas_gsd *gsd, const struct shoal_gas_frame *frame)
{
    const size_t n = frame->particles, dim = frame->dim;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            gsd->numbers[3 * i + k] = k < dim ? centred(frame, k, frame->position[i * dim + k]) : 0;
    gsd_add(gsd->file, "particles/position", GSD_FLOAT, n, 3, gsd->numbers);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            gsd->numbers[3 * i + k] = k < dim ? (float)frame->velocity[i * dim + k] : 0;
    gsd_add(gsd->file, "particles/velocity", GSD_FLOAT, n, 3, gsd->numbers);
    int32_t *images = cli_alloc(3 * n * sizeof *images);
    for (size_t i = 0; i < 3 * n; i++)
        images[i] = i % 3 < dim ? frame->image[i / 3 * dim + i % 3] : 0;
    gsd_add(gsd->file, "particles/image", GSD_INT32, n, 3, images);
    free(images);
}

static void add_types(struct gas_gsd *gsd, const struct shoal_gas_frame *frame,
                      const struct shoal_gas_params *params)
{
    const struct shoal_gas_species *species = frame->species;
    const size_t n = frame->particles, types = species ? species->count : 1;
    char names[SHOAL_GAS_MOST_SPECIES][16] = {"A"};
    uint32_t *ids = cli_alloc(n * sizeof *ids);
    for (size_t s = 0; s < types && species; s++)
        memcpy(names[s], species->names[s], sizeof names[s]);
    gsd_add(gsd->file, "particles/types", GSD_INT8, types, sizeof *names, names);
    for (size_t i = 0; i < n; i++)
        ids[i] = species ? species->of[i] : 0;
    gsd_add(gsd->file, "particles/typeid", GSD_UINT32, n, 1, ids);
    for (size_t i = 0; i < n; i++)
        gsd->numbers[i] = (float)(species ? species->mass[ids[i]] : params->mass);
    gsd_add(gsd->file, "particles/mass", GSD_FLOAT, n, 1, gsd->numbers);
    for (size_t i = 0; i < n && species; i++)
        gsd->numbers[i] = (float)species->charge[ids[i]];
    if (gas_frame_has_charges(species))
        gsd_add(gsd->file, "particles/charge", GSD_FLOAT, n, 1, gsd->numbers);
    free(ids);
}

/* Adds the values of a sample. A frame without a sample has NaN, since readers take values that a frame lacks
 * from the first frame. So has a frame of a last step that is no multiple of --thermo, counted from step
 * `begin`: the run may be resumed, and an uninterrupted run has no sample there. */
static void add_log(struct gas_gsd *gsd, uint64_t step, uint64_t begin, const struct sample_form *form,
                    const void *sample)
{
    const struct shoal_sampling *sampling = form->sampling;
    const struct shoal_gas_params *params = form->params;
    const bool is_of_step = sample && (uint64_t)sample_value(sampling->columns, sample) == step &&
                            (step == begin || (params->thermo && (step - begin) % params->thermo == 0));
    for (size_t c = 1; c < sampling->column_count; c++) { /* column 0 is the step */
        const struct shoal_column *column = &sampling->columns[c];
        const double value = is_of_step ? sample_value(column, sample) : NAN;
        char name[64];
        snprintf(name, sizeof name, "log/%s", column->name);
        if (sample_has_column(form, column))
            gsd_add(gsd->file, name, GSD_DOUBLE, 1, 1, &value);
    }
}

bool gas_gsd_write(struct gas_gsd *gsd, struct piece_files *files, const struct shoal_gas_frame *frame,
                   const struct sample_form *form, const void *sample)
{
    struct shoal_error error = {0};
    const uint32_t particles = (uint32_t)frame->particles;
    if (!gsd->file && !gsd->is_given_up) {
        const enum shoal_status status =
            gsd_open(gsd->path, gsd->continues, files, particles, &gsd->last, &gsd->file, &error);
        if (status == SHOAL_INVALID) {
            files->error = error;
            files->error.status = SHOAL_IO; /* of the file, as of one of texts, and not of the command */
            return false;
        }
        if (status)
            give_up(gsd, files, &error);
    }
    if (gsd->is_given_up || gsd->last == files->step)
        return true;
    const uint8_t dimensions = (uint8_t)frame->dim;
    const float box[6] = {(float)frame->length[0], (float)frame->length[1],
                          frame->dim == 3 ? (float)frame->length[2] : 0};
    if (!gsd->numbers)
        gsd->numbers = cli_alloc(3 * frame->particles * sizeof *gsd->numbers);
    gsd_add(gsd->file, "configuration/step", GSD_UINT64, 1, 1, &frame->step);
    gsd_add(gsd->file, "configuration/box", GSD_FLOAT, 6, 1, box);
    if (gsd_frames(gsd->file) == 0) { /* holds for the later frames too */
        gsd_add(gsd->file, "configuration/dimensions", GSD_UINT8, 1, 1, &dimensions);
        gsd_add(gsd->file, "particles/N", GSD_UINT32, 1, 1, &particles);
        add_types(gsd, frame, form->params);
    }
    add_vectors(gsd, frame);
    add_log(gsd, frame->step, files->begin, form, sample);
    if (gsd_end_frame(gsd->file, &error))
        give_up(gsd, files, &error);
    return true;
}

void gas_gsd_destroy(struct gas_gsd **gsd, struct piece_files *files)
{
    struct shoal_error error;
    if (!*gsd)
        return;
    if (!gsd_close(&(*gsd)->file)) {
        (void)cli_io_failed(&error, (*gsd)->path, "close", "cannot be written", "");
        files->code = cli_error(CLI_FAILURE, "%s", error.message);
    }
    free((*gsd)->numbers);
    free((*gsd)->path);
    free(*gsd);
    *gsd = NULL;
}
