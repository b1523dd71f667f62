/* What objectives have in common that are derived from another objective. */
#include "objective/derived.h"
#include "base/error.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status derived_create(const struct shoal_objective *inner, size_t state_size,
                                 struct shoal_objective **out, struct shoal_error *error)
{
    struct shoal_objective *objective = calloc(1, sizeof *objective);
    struct derived *derived = calloc(1, state_size);
    if (!objective || !derived) {
        free(objective);
        free(derived);
        return fail_host_memory(error);
    }
    derived->inner = inner;
    *objective = (struct shoal_objective){.info = inner->info,
                                          .lower = inner->lower,
                                          .upper = inner->upper,
                                          .table = inner->table,
                                          .whole_table = inner->whole_table,
                                          .state = derived};
    *out = objective;
    return SHOAL_OK;
}

void derived_destroy(struct shoal_objective *objective)
{
    struct derived *derived = objective->state;
    shoal_objective_destroy(&derived->owned);
    free(derived);
    free(objective->text);
    free(objective->text_name);
    free(objective);
}

enum shoal_status derived_take_text(struct shoal_objective *objective, struct text *text, const char *shown,
                                    struct shoal_error *error)
{
    objective->text_name = strdup(shown);
    if (text->failed || !objective->text_name) {
        text_free(text);
        return fail_host_memory(error);
    }
    objective->text = text->data;
    return SHOAL_OK;
}

enum shoal_status derived_finish(struct shoal_objective *objective, enum shoal_status status,
                                 struct shoal_objective **owned, struct shoal_objective **out)
{
    if (status) {
        objective->destroy(objective);
        return status;
    }
    ((struct derived *)objective->state)->owned = *owned;
    *owned = NULL;
    *out = objective;
    return SHOAL_OK;
}
