/* Parameters of the thesis: defaults, and names of choices. */
#include "mlp/thesis/options.h"
#include "workload/workload.h"

void shoal_mlp_thesis_init(struct shoal_mlp_thesis *thesis)
{
    if (thesis)
        *thesis = (struct shoal_mlp_thesis){.size = sizeof *thesis};
}

static void init(void *thesis)
{
    shoal_mlp_thesis_init(thesis);
}

const struct thesis_params mlp_thesis_params = {
    .size = sizeof(struct shoal_mlp_thesis), .init_name = "shoal_mlp_thesis_init", .init = init};

const char *const mlp_thesis_layout_names[] = {"thesis", "block", "thread", NULL};
const char *const mlp_thesis_place_names[] = {"thesis", "device", "host", NULL};
