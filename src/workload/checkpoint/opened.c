/* Opens a checkpoint file and reads what a resumed run must know before its solver exists. */
#include "base/error.h"
#include "base/params.h"
#include "workload/checkpoint/checkpoint.h"
#include "workload/checkpoint/saved_options.h"
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shoal_checkpoint {
    char *path;
    const struct shoal_workload *workload;
    const struct shoal_solver_ops *ops;
    struct checkpoint sections; /* the short sections of the file: see is_kept */
    char **texts;               /* [option_count]: texts of the options */
    uint64_t stage_begin;
    const char *stage; /* text in the section of the stage; NULL: no stage */
};

static bool is_kept(const struct checkpoint_section *section, const struct shoal_workload *workload)
{
    const char *const names[] = {"workload", "solver", "options",
                                 "files",    "stage",  workload_of(workload)->steps_section};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && strcmp(section->name, names[i]) == 0)
            return true;
    return strncmp(section->name, "--", 2) == 0; /* sections of options in files of older versions */
}

static enum shoal_status keep(const struct checkpoint *whole, struct shoal_checkpoint *checkpoint,
                              struct shoal_error *error)
{
    checkpoint->sections.path = checkpoint->path;
    for (size_t i = 0; i < whole->count; i++) {
        const struct checkpoint_section *section = &whole->sections[i];
        if (!is_kept(section, checkpoint->workload))
            continue;
        char *copy = malloc(section->bytes + 1);
        if (!copy)
            return fail_host_memory(error);
        memcpy(copy, section->data, section->bytes);
        copy[section->bytes] = '\0';
        checkpoint_add_copy(&checkpoint->sections, section->name, copy, section->bytes);
    }
    return SHOAL_OK;
}

/* Reads the section of the stage, "BEGIN NAME". */
static enum shoal_status find_stage(struct shoal_checkpoint *checkpoint, struct shoal_error *error)
{
    const struct checkpoint_section *section = checkpoint_find(&checkpoint->sections, "stage");
    char *end;
    if (!section)
        return SHOAL_OK;
    checkpoint->stage_begin = strtoull(section->data, &end, 10);
    if (end == (const char *)section->data || *end != ' ' || !end[1] || strlen(end) >= section->bytes)
        return checkpoint_damaged(&checkpoint->sections, error);
    checkpoint->stage = end + 1;
    return SHOAL_OK;
}

static enum shoal_status find_solver(const struct checkpoint *sections, struct shoal_checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    for (size_t i = 0; registry_workloads[i]; i++) {
        const struct workload *workload = registry_workloads[i];
        const struct shoal_solver_ops *const both[] = {workload->device, workload->host};
        for (size_t k = 0; k < 2 && checkpoint_holds(sections, "workload", workload->face.name); k++)
            if (both[k] && checkpoint_holds(sections, "solver", both[k]->kind)) {
                checkpoint->workload = &workload->face;
                checkpoint->ops = both[k];
                return SHOAL_OK;
            }
    }
    return fail(error, SHOAL_INVALID,
                "checkpoint %s is of a workload or solver that this version does not have", checkpoint->path);
}

enum shoal_status shoal_checkpoint_open(const char *path, struct shoal_checkpoint **out,
                                        struct shoal_error *error)
{
    if (!NEED(error, path, out))
        return SHOAL_INVALID;
    struct checkpoint whole;
    void *file = NULL;
    *out = NULL;
    struct shoal_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint || !(checkpoint->path = strdup(path))) {
        free(checkpoint);
        return fail_host_memory(error);
    }
    enum shoal_status status = checkpoint_read(&whole, path, &file, error);
    if (!status)
        status = find_solver(&whole, checkpoint, error);
    if (!status)
        status = keep(&whole, checkpoint, error);
    if (!status)
        status = find_stage(checkpoint, error);
    free(file);
    if (!status) {
        checkpoint->texts = calloc(checkpoint->workload->option_count, sizeof *checkpoint->texts);
        status = checkpoint->texts ? SHOAL_OK : fail_host_memory(error);
    }
    if (status)
        shoal_checkpoint_close(&checkpoint);
    *out = checkpoint;
    return status;
}

void shoal_checkpoint_close(struct shoal_checkpoint **checkpoint)
{
    if (!checkpoint || !*checkpoint)
        return;
    for (size_t i = 0; (*checkpoint)->texts && i < (*checkpoint)->workload->option_count; i++)
        free((*checkpoint)->texts[i]);
    checkpoint_clear(&(*checkpoint)->sections);
    free((*checkpoint)->texts);
    free((*checkpoint)->path);
    free(*checkpoint);
    *checkpoint = NULL;
}

const struct shoal_workload *shoal_checkpoint_workload(const struct shoal_checkpoint *checkpoint)
{
    return checkpoint ? checkpoint->workload : NULL;
}

bool shoal_checkpoint_is_of_host(const struct shoal_checkpoint *checkpoint)
{
    return checkpoint && checkpoint->ops == workload_of(checkpoint->workload)->host;
}

const char *shoal_checkpoint_stage(const struct shoal_checkpoint *checkpoint, uint64_t *begin)
{
    if (begin)
        *begin = checkpoint ? checkpoint->stage_begin : 0;
    return checkpoint ? checkpoint->stage : NULL;
}

enum shoal_status shoal_checkpoint_params(struct shoal_checkpoint *checkpoint, const bool *given,
                                          void *params, struct shoal_error *error)
{
    void *whole;
    if (!NEED(error, checkpoint, params))
        return SHOAL_INVALID;
    enum shoal_status status = workload_params_take(__func__, checkpoint->workload, params, &whole, error);
    if (status)
        return status;
    for (size_t i = 0; i < checkpoint->workload->option_count; i++) {
        free(checkpoint->texts[i]);
        checkpoint->texts[i] = NULL;
    }
    status = saved_options_restore(checkpoint->workload, workload_of(checkpoint->workload)->old_options,
                                   &checkpoint->sections, given, whole, checkpoint->texts, error);
    if (!status)
        status = workload_params_return(__func__, checkpoint->workload, whole, params, error);
    free(whole);
    return status;
}

enum shoal_status shoal_checkpoint_match(const struct shoal_checkpoint *checkpoint, bool on_host,
                                         const void *params, struct shoal_error *error)
{
    void *whole;
    if (!NEED(error, checkpoint, params))
        return SHOAL_INVALID;
    const struct workload *workload = workload_of(checkpoint->workload);
    enum shoal_status status = workload_params_take(__func__, &workload->face, params, &whole, error);
    if (!status)
        status = solver_match(on_host ? workload->host : workload->device, &workload->face, whole,
                              &checkpoint->sections, error);
    free(whole);
    return status;
}
