#include "workload/programs.h"

#include "base/error.h"

#include <stdlib.h>

static enum shoal_status build(const struct programs *programs, const struct shoal_program_desc *desc,
                               const struct defines *defines, struct shoal_program **out,
                               struct shoal_error *error)
{
    struct shoal_program_params params;
    struct shoal_kernel_text texts[PROGRAMS_TEXTS];
    if (defines->count > DEFINES_MOST)
        return fail(error, SHOAL_FAILED, "%s: %zu defines, there is room for %d", desc->name, defines->count,
                    DEFINES_MOST);
    shoal_program_params_init(&params);
    params.defines = defines->list;
    params.define_count = defines->count;
    params.variant = desc->native ? programs->variant : SHOAL_VARIANT_AUTO;
    params.texts = texts;
    for (size_t i = 0; i < PROGRAMS_TEXTS; i++)
        if (programs->texts[i].text)
            texts[params.text_count++] = programs->texts[i];
    return shoal_program_create(programs->device, desc, &params, out, error);
}

enum shoal_status programs_build(struct programs *programs, const struct shoal_program_desc *desc,
                                 const struct defines *defines, const struct entry_kernel *kernels,
                                 size_t kernel_count, struct shoal_program **out, struct shoal_error *error)
{
    struct built_program *built = calloc(1, sizeof *built + kernel_count * sizeof *built->kernels);
    if (!built)
        return fail_host_memory(error);
    built->before = programs->newest;
    built->part = programs->part;
    programs->newest = built;
    enum shoal_status status = build(programs, desc, defines, &built->program, error);
    for (size_t i = 0; i < kernel_count && !status; i++) {
        status = shoal_kernel_create(built->program, kernels[i].entry, &built->kernels[i], error);
        *kernels[i].kernel = built->kernels[i];
        built->kernel_count++;
    }
    if (status)
        return status;
    programs->build_seconds += shoal_program_build_seconds(built->program);
    if (out)
        *out = built->program;
    return SHOAL_OK;
}

bool programs_is_native(const struct programs *programs)
{
    for (const struct built_program *built = programs->newest; built; built = built->before)
        if (shoal_program_is_native(built->program))
            return true;
    return false;
}

unsigned programs_begin_part(struct programs *programs)
{
    return programs->part = ++programs->parts;
}

void programs_end_part(struct programs *programs)
{
    programs->part = 0;
}

/* Removes *at from the list and destroys the program. */
static void drop(struct built_program **at)
{
    struct built_program *built = *at;
    *at = built->before;
    for (size_t i = 0; i < built->kernel_count; i++)
        shoal_kernel_destroy(&built->kernels[i]);
    shoal_program_destroy(&built->program);
    free(built);
}

void programs_drop_part(struct programs *programs, unsigned part)
{
    for (struct built_program **at = &programs->newest; *at;)
        if ((*at)->part == part)
            drop(at);
        else
            at = &(*at)->before;
}

void programs_drop_newest(struct programs *programs)
{
    drop(&programs->newest);
}

void programs_destroy(struct programs *programs)
{
    while (programs->newest)
        drop(&programs->newest);
}
