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
static void list_sections(const struct pso_host *host, uint64_t steps, struct section sections[SECTIONS])
{
    const struct pso_problem *problem = &host->problem;
    const size_t row = problem->total * sizeof(double), islands = problem->islands;
    const size_t trace = (size_t)pso_trace_count(problem->params, steps) * problem->runs;
    const struct section list[SECTIONS] = {
        {"x", host->x, problem->dim * row},
        {"v", host->v, problem->dim * row},
        {"p", host->p, problem->dim * row},
        {"best", host->best, row},
        {"islands", host->islands, islands * sizeof *host->islands},
        {"runs", host->runs, problem->runs * sizeof *host->runs},
        {"champion", host->champion, islands * problem->dim * sizeof(double)},
        {"trace", host->trace, trace * sizeof(double)},
        {"generators", host->generators,
         host->generators ? problem->total * REFERENCE_GENERATOR * sizeof *host->generators : 0},
    };
    for (size_t i = 0; i < SECTIONS; i++)
        sections[i] = list[i];
}

void pso_host_save(struct pso_host *host, struct checkpoint *checkpoint)
{
    struct section sections[SECTIONS];
    host->saved_steps = pso_host_steps(host);
    list_sections(host, host->saved_steps, sections);
    checkpoint_add(checkpoint, "step", &host->saved_steps, sizeof host->saved_steps);
    for (size_t i = 0; i < SECTIONS; i++)
        checkpoint_add(checkpoint, sections[i].name, sections[i].data, sections[i].bytes);
}

/* Places in arrays must be places. */
static bool is_sound(const struct pso_host *host, uint64_t steps)
{
    const struct pso_problem *problem = &host->problem;
    for (size_t k = 0; k < problem->islands; k++)
        if (host->islands[k].leader >= problem->particles)
            return false;
    for (size_t run = 0; run < problem->runs; run++)
        if (host->runs[run].steps > steps)
            return false;
    return true;
}

enum shoal_status pso_host_load(struct pso_host *host, const struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    const struct pso_problem *problem = &host->problem;
    struct section sections[SECTIONS];
    uint64_t steps;
    enum shoal_status status = pso_check_steps(problem, checkpoint, &steps, error);
    pso_host_reset(host);
    if (status)
        return status;
    list_sections(host, steps, sections);
    for (size_t i = 0; i < SECTIONS && !status; i++)
        status = checkpoint_get(checkpoint, sections[i].name, sections[i].data, sections[i].bytes, error);
    if (!status && !is_sound(host, steps))
        status =
            fail(error, SHOAL_IO, "checkpoint %s is damaged or cut off: use an older one", checkpoint->path);
    if (status) {
        pso_host_reset(host);
        return status;
    }
    /* A run that stands behind the others ended on its way and stays so: it has no step in common with them.
     */
    for (size_t run = 0; run < problem->runs; run++)
        if (host->runs[run].steps == steps)
            pso_host_look_for_end(host, run);
    for (size_t k = 0; k < problem->islands && host->links; k++)
        pso_host_draw_links(host, k);
    host->drawn = true;
    return SHOAL_OK;
}
