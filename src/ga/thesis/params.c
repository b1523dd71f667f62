/* Parameters of the thesis: defaults, names of choices, and the struct ga_thesis that follows from them. */
#include "ga/thesis/options.h"
#include "ga/thesis/thesis.h"
#include "workload/workload.h"

void shoal_ga_thesis_init(struct shoal_ga_thesis *thesis)
{
    if (thesis)
        *thesis = (struct shoal_ga_thesis){.size = sizeof *thesis};
}

static void init(void *thesis)
{
    shoal_ga_thesis_init(thesis);
}

const struct thesis_params ga_thesis_params = {
    .size = sizeof(struct shoal_ga_thesis), .init_name = "shoal_ga_thesis_init", .init = init};

const char *const ga_thesis_migration_names[] = {"epochs", "mailbox", NULL};
const char *const ga_thesis_random_names[] = {"philox", "hybridtaus", NULL};

struct ga_thesis ga_thesis_of(const struct shoal_ga_params *params)
{
    const struct shoal_ga_thesis *own = params->thesis;
    if (!own || own->random != SHOAL_GA_HYBRIDTAUS)
        return (struct ga_thesis){.generator_words = 0};
    return (struct ga_thesis){.reals_alone = "--random hybridtaus",
                              .generator_words = GA_GENERATOR_WORDS,
                              .draw_bytes = sizeof(struct ga_thesis_draw),
                              .has_mailbox = params->search.exchange && own->migration == SHOAL_GA_MAILBOX,
                              .select_crossing = own->select_crossing,
                              .method = &ga_thesis_method,
                              .prepare = ga_thesis_prepare,
                              .draw = ga_thesis_draw,
                              .move = ga_thesis_move,
                              .advance = ga_thesis_advance,
                              .post = ga_thesis_post};
}
