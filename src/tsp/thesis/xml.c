/* Writes the history of a run in the XML format of the thesis: an element `solution` with the children
 * `history` and `result`. */
#include "base/error.h"
#include "base/file.h"
#include "base/params.h"
#include "base/text.h"
#include "tsp/thesis/state.h"

#include <inttypes.h>
#include <string.h>

static const char *const kind_names[] = {"macro", "micro", "joint"};

/* Appends an id as text of XML, with special characters escaped. */
static void add_escaped(struct text *text, const char *id)
{
    for (; *id; id++) {
        const char *entity = *id == '<' ? "&lt;" : *id == '>' ? "&gt;" : *id == '&' ? "&amp;" : NULL;
        if (entity)
            text_add(text, entity);
        else
            text_append(text, id, 1);
    }
}

static void add_stops(struct text *text, const struct tsp_problem *problem, const uint32_t *cities,
                      uint32_t count)
{
    for (uint32_t rank = 0; rank < count; rank++) {
        char id[256];
        tsp_id(problem, cities[rank], id, sizeof id);
        text_printf(text, "<stop rank=\"%" PRIu32 "\">", rank);
        add_escaped(text, id);
        text_add(text, "</stop>\n");
    }
    text_add(text, "</tour>\n");
}

static void add_history(struct text *text, const struct tsp_problem *problem,
                        const struct thesis_history *history)
{
    text_add(text, "<history>\n");
    for (size_t i = 0; i < history->count; i++) {
        const struct thesis_record *record = &history->records[i];
        text_printf(text, "<tour type=\"%s\" cycle=\"%" PRIu32 "\"", kind_names[record->kind], record->cycle);
        if (record->kind == THESIS_MICRO)
            text_printf(text, " cluster=\"%" PRIu32 "\"", record->cluster);
        text_add(text, ">\n");
        add_stops(text, problem, record->cities, record->count);
    }
    text_add(text, "</history>\n");
}

enum shoal_status shoal_tsp_write_history(struct shoal_solver *solver, const char *path,
                                          struct shoal_error *error)
{
    if (!NEED(error, solver, path))
        return SHOAL_INVALID;
    if (solver->workload != &tsp_workload.face)
        return fail(error, SHOAL_INVALID, "shoal_tsp_write_history: the solver is none of tsp");
    const struct tsp_run *run = tsp_run_of(solver);
    const struct thesis_state *state =
        run->algorithm == &tsp_thesis && solver->method.method ? thesis_state_of(solver) : NULL;
    struct text text = {0};
    if (!tsp_params(solver)->thesis->history || run->algorithm != &tsp_thesis)
        return fail(error, SHOAL_INVALID, "shoal_tsp_write_history: the run kept none: set thesis.history");
    if (run->length == INT64_MAX)
        return fail(error, SHOAL_INVALID, "shoal_tsp_write_history: there is no tour yet: make steps first");
    text_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<solution>\n");
    add_history(&text, &run->problem, state ? &state->history : &(const struct thesis_history){0});
    text_add(&text, "<result>\n<tour>\n");
    add_stops(&text, &run->problem, run->tour, run->problem.n);
    text_add(&text, "</result>\n</solution>\n");
    const void *const parts[] = {text.data};
    const size_t sizes[] = {text.length};
    const int code = text.failed ? 0 : write_file_atomically(path, FILE_OF_USER, parts, sizes, 1);
    const bool lacks_memory = text.failed;
    text_free(&text);
    return lacks_memory ? fail_host_memory(error)
           : code       ? fail(error, SHOAL_IO, "%s: cannot be written: %s", path, strerror(code))
                        : SHOAL_OK;
}
