/* Parameters of the thesis: defaults and names of choices. */
#include "pso/thesis/options.h"
#include "pso/thesis/thesis.h"
#include "workload/workload.h"

void shoal_pso_thesis_init(struct shoal_pso_thesis *thesis)
{
    if (thesis)
        *thesis = (struct shoal_pso_thesis){.size = sizeof *thesis};
}

static void init(void *thesis)
{
    shoal_pso_thesis_init(thesis);
}

const struct thesis_params pso_thesis_params = {
    .size = sizeof(struct shoal_pso_thesis), .init_name = "shoal_pso_thesis_init", .init = init};

const char *const pso_thesis_argmin_names[] = {"auto", "shared", "shfl", "vol", "warp-first", NULL};
