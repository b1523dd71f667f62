/* Records the tours of a run of the thesis, which the run's XML file lists. */
#include "base/error.h"
#include "tsp/thesis/state.h"

#include <stdlib.h>
#include <string.h>

void thesis_history_free(struct thesis_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        free(history->records[i].cities);
    free(history->records);
    free(history->pieces);
    free(history->before);
    *history = (struct thesis_history){.is_kept = history->is_kept};
}

static struct thesis_record *add(struct thesis_history *history, size_t count)
{
    if (history->count == history->capacity) {
        const size_t capacity = history->capacity ? 2 * history->capacity : 64;
        struct thesis_record *records = realloc(history->records, capacity * sizeof *records);
        if (!records)
            return NULL;
        history->records = records;
        history->capacity = capacity;
    }
    uint32_t *cities = malloc(count * sizeof *cities);
    if (!cities)
        return NULL;
    struct thesis_record *record = &history->records[history->count++];
    *record = (struct thesis_record){.count = (uint32_t)count, .cities = cities};
    return record;
}

static enum shoal_status add_tour(struct thesis_state *state, enum thesis_tour_kind kind, uint32_t cycle,
                                  const uint32_t *tour, struct shoal_error *error)
{
    struct thesis_record *record = add(&state->history, state->n);
    if (!record)
        return fail_host_memory(error);
    record->kind = kind;
    record->cycle = cycle;
    memcpy(record->cities, tour, state->n * sizeof *tour);
    return SHOAL_OK;
}

enum shoal_status thesis_record_macro(struct thesis_state *state, const uint32_t *tour,
                                      struct shoal_error *error)
{
    return state->history.is_kept ? add_tour(state, THESIS_MACRO, state->history.macro_cycles++, tour, error)
                                  : SHOAL_OK;
}

enum shoal_status thesis_record_begin(struct thesis_state *state, struct shoal_error *error)
{
    struct thesis_history *history = &state->history;
    const size_t n = state->n, bytes = n * state->rules.micro_cycles;
    if (!history->is_kept)
        return SHOAL_OK;
    if (!history->pieces)
        history->pieces = malloc(bytes ? bytes : 1);
    if (!history->before)
        history->before = malloc(n * sizeof *history->before);
    if (!history->pieces || !history->before)
        return fail_host_memory(error);
    memcpy(history->before, state->tour, n * sizeof *state->tour);
    return SHOAL_OK;
}

uint8_t *thesis_recorded(const struct thesis_state *state, uint32_t first)
{
    return state->history.is_kept ? state->history.pieces + (size_t)first * state->rules.micro_cycles : NULL;
}

static enum shoal_status add_piece(struct thesis_state *state, uint32_t f, struct shoal_error *error)
{
    const uint32_t first = thesis_cut(&state->rules, state->n, f);
    const uint32_t count = thesis_cut(&state->rules, state->n, f + 1) - first;
    const uint8_t *tours = thesis_recorded(state, first);
    for (uint32_t cycle = 0; cycle < state->rules.micro_cycles && count >= THESIS_LEAST_PIECE; cycle++) {
        struct thesis_record *record = add(&state->history, count);
        if (!record)
            return fail_host_memory(error);
        record->kind = THESIS_MICRO;
        record->cycle = cycle;
        record->cluster = f;
        for (uint32_t p = 0; p < count; p++)
            record->cities[p] = state->history.before[first + tours[(size_t)cycle * count + p]];
    }
    return SHOAL_OK;
}

enum shoal_status thesis_record_joint(struct thesis_state *state, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (!state->history.is_kept)
        return SHOAL_OK;
    for (uint32_t f = 0; f < state->rules.pieces && !status; f++)
        status = add_piece(state, f, error);
    return status ? status : add_tour(state, THESIS_JOINT, state->history.joints++, state->tour, error);
}
