/* The swarms of the host as a checkpoint. Everything else follows from the parameters. */
#include "base/error.h"
#include "pso/host/host.h"

struct section {
    const char *name;
    void *data;
    size_t bytes;
};

enum { SECTIONS = 9 };

/* trace: entries in the file. */
static void list_sections(const struct reference *reference, uint64_t steps,
                          struct section sections[SECTIONS])
{
    const struct pso_problem *problem = &reference->problem;
    const size_t row = problem->total * sizeof(double), islands = problem->islands;
    const size_t trace = (size_t)pso_trace_count(problem->params, steps) * problem->runs;
    const struct section list[SECTIONS] = {
        {"x", reference->x, problem->dim * row},
        {"v", reference->v, problem->dim * row},
        {"p", reference->p, problem->dim * row},
        {"best", reference->best, row},
        {"islands", reference->islands, islands * sizeof *reference->islands},
        {"runs", reference->runs, problem->runs * sizeof *reference->runs},
        {"champion", reference->champion, islands * problem->dim * sizeof(double)},
        {"trace", reference->trace, trace * sizeof(double)},
        {"generators", reference->generators,
         reference->generators ? problem->total * REFERENCE_GENERATOR * sizeof *reference->generators : 0},
    };
    for (size_t i = 0; i < SECTIONS; i++)
        sections[i] = list[i];
}

void reference_save(struct reference *reference, struct checkpoint *checkpoint)
{
    struct section sections[SECTIONS];
    reference->saved_steps = reference_steps(reference);
    list_sections(reference, reference->saved_steps, sections);
    checkpoint_add(checkpoint, "step", &reference->saved_steps, sizeof reference->saved_steps);
    for (size_t i = 0; i < SECTIONS; i++)
        checkpoint_add(checkpoint, sections[i].name, sections[i].data, sections[i].bytes);
}

/* Places in arrays must be places. */
static bool is_sound(const struct reference *reference, uint64_t steps)
{
    const struct pso_problem *problem = &reference->problem;
    for (size_t k = 0; k < problem->islands; k++)
        if (reference->islands[k].leader >= problem->particles)
            return false;
    for (size_t run = 0; run < problem->runs; run++)
        if (reference->runs[run].steps > steps)
            return false;
    return true;
}

enum shoal_status reference_load(struct reference *reference, const struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    const struct pso_problem *problem = &reference->problem;
    struct section sections[SECTIONS];
    uint64_t steps;
    enum shoal_status status = pso_check_steps(problem, checkpoint, &steps, error);
    reference_reset(reference);
    if (status)
        return status;
    list_sections(reference, steps, sections);
    for (size_t i = 0; i < SECTIONS && !status; i++)
        status = checkpoint_get(checkpoint, sections[i].name, sections[i].data, sections[i].bytes, error);
    if (!status && !is_sound(reference, steps))
        status =
            fail(error, SHOAL_IO, "checkpoint %s is damaged or cut off: use an older one", checkpoint->path);
    if (status) {
        reference_reset(reference);
        return status;
    }
    /* A run that stands behind the others ended on its way and stays so: it has no step in common with them.
     */
    for (size_t run = 0; run < problem->runs; run++)
        if (reference->runs[run].steps == steps)
            reference_look_for_end(reference, run);
    for (size_t k = 0; k < problem->islands && reference->links; k++)
        reference_draw_links(reference, k);
    reference->drawn = true;
    return SHOAL_OK;
}
