/* Stages of a run: passes the state from one stage to the next in memory. */
#include "base/error.h"
#include "base/params.h"
#include "workload/checkpoint/checkpoint.h"
#include "workload/checkpoint/saved_options.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

struct shoal_stage_end {
    const struct shoal_workload *workload;
    void *bytes; /* a checkpoint with the options of the stage and the sections with which the next stage
                  * begins */
    size_t size;
};

/* Name of the state in messages, where a checkpoint would have its path. */
static const char name_of_end[] = "of the stage before";

enum shoal_status shoal_solver_end_stage(struct shoal_solver *solver, struct shoal_stage_end **out,
                                         struct shoal_error *error)
{
    if (!NEED(error, solver, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (!solver->ops->leave)
        return fail(error, SHOAL_UNSUPPORTED, "runs of %s have no stages", solver->workload->name);
    struct shoal_stage_end *end = calloc(1, sizeof *end);
    if (!end)
        return fail_host_memory(error);
    end->workload = solver->workload;
    struct checkpoint checkpoint = {0};
    uint64_t done;
    enum shoal_status status = shoal_solver_step(solver, 0, &done, error);
    if (!status)
        status = saved_options_add(solver->workload, solver->params, &checkpoint, error);
    if (!status) {
        saved_files_add(&solver->files, &checkpoint);
        status = solver->ops->leave(solver, &checkpoint, error);
    }
    if (!status)
        status = checkpoint_to_memory(&checkpoint, &end->bytes, &end->size, error);
    checkpoint_clear(&checkpoint);
    if (status)
        shoal_stage_end_destroy(&end);
    *out = end;
    return status;
}

void shoal_stage_end_destroy(struct shoal_stage_end **end)
{
    if (!end || !*end)
        return;
    free((*end)->bytes);
    free(*end);
    *end = NULL;
}

/* Checks that options that may not change between stages have the same values in the solver and in the
 * state. */
static enum shoal_status match(const struct shoal_solver *solver, const struct checkpoint *checkpoint,
                               struct shoal_error *error)
{
    struct differences differences = {.omitted = 0};
    enum shoal_status status = saved_options_compare(solver->workload, NULL, solver->params, checkpoint,
                                                     SHOAL_OPTION_STAGE, &differences, error);
    if (!status && differences.text.failed)
        status = fail_host_memory(error);
    else if (!status && differences.text.length)
        status = fail(error, SHOAL_INVALID, "the stage before had %s: that cannot change between stages",
                      differences.text.data);
    text_free(&differences.text);
    return status;
}

enum shoal_status shoal_solver_follow(struct shoal_solver *solver, const struct shoal_stage_end *before,
                                      struct shoal_error *error)
{
    if (!NEED(error, solver, before))
        return SHOAL_INVALID;
    if (before->workload != solver->workload)
        return fail(error, SHOAL_INVALID, "the stage before is of workload \"%s\", this one of \"%s\"",
                    before->workload->name, solver->workload->name);
    struct checkpoint checkpoint;
    enum shoal_status status = checkpoint_parse(&checkpoint, before->bytes, before->size, name_of_end, error);
    if (!status)
        status = match(solver, &checkpoint, error);
    return status ? status : solver->ops->follow(solver, &checkpoint, error);
}
