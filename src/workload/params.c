/* Parameters of a workload: completes and checks what a caller gives. */
#include "base/params.h"
#include "base/error.h"
#include "workload/checkpoint/saved_options.h"
#include "workload/workload.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameters of the thesis in a block: they follow the workload's own struct. */
static void *thesis_in(const struct workload *workload, const void *block)
{
    return (char *)block + workload->face.params_size - workload->thesis->size;
}

/* In a block that a caller holds, the pointer to the parameters of the thesis leads to these zeros. The
 * pointer marks the block, also in a copy of the block at another address. */
static const uint64_t thesis_of_blocks[32];

static void *thesis_pointer(const struct workload *workload, const void *params)
{
    void *pointer = NULL;
    if (workload->thesis_member)
        memcpy(&pointer, (const char *)params + workload->thesis_member, sizeof pointer);
    return pointer;
}

static void set_thesis_pointer(const struct workload *workload, void *params, const void *pointer)
{
    if (workload->thesis_member)
        memcpy((char *)params + workload->thesis_member, &pointer, sizeof pointer);
}

void workload_params_extend(const struct workload *workload, void *block)
{
    if (!workload->thesis)
        return;
    memcpy(block, &workload->face.params_size, sizeof workload->face.params_size);
    set_thesis_pointer(workload, block, thesis_of_blocks);
    workload->thesis->init(thesis_in(workload, block));
}

/* Bytes of the workload's own struct, without the parameters of its thesis. */
static size_t own_size(const struct workload *workload)
{
    return workload->face.params_size - (workload->thesis ? workload->thesis->size : 0);
}

void workload_params_shorten(const struct workload *workload, void *block)
{
    const size_t size = own_size(workload);
    memcpy(block, &size, sizeof size);
    set_thesis_pointer(workload, block, NULL);
}

/* Whether `given` points to a block, as params_init fills it, and not only to the workload's own struct. */
static bool is_block(const struct workload *workload, const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return workload->thesis && size == workload->face.params_size &&
           thesis_pointer(workload, given) == thesis_of_blocks;
}

bool workload_params_are_taken(const struct workload *workload, const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size != own_size(workload))
        return false;
    if (!workload->thesis)
        return !thesis_pointer(workload, given);
    if (thesis_pointer(workload, given) != thesis_in(workload, given))
        return false;
    memcpy(&size, thesis_in(workload, given), sizeof size);
    return size == workload->thesis->size;
}

const void *workload_thesis_of(const struct workload *workload, const void *params, size_t bytes)
{
    size_t size;
    const void *thesis =
        is_block(workload, params) ? thesis_in(workload, params) : thesis_pointer(workload, params);
    if (!thesis || thesis == thesis_of_blocks)
        return NULL;
    memcpy(&size, thesis, sizeof size);
    return size >= bytes ? thesis : NULL;
}

/* Copies the workload's struct, and the struct of the thesis to which its pointer leads, into a block. */
static enum shoal_status take_structs(const char *function, const struct workload *workload,
                                      const void *given, void *block, struct shoal_error *error)
{
    char init[64];
    size_t size;
    snprintf(init, sizeof init, "shoal_%s_params_init", workload->face.name);
    set_thesis_pointer(workload, block, NULL);
    memcpy(&size, given, sizeof size);
    enum shoal_status status = params_take(function, given, init, block, own_size(workload), error);
    if (status && workload->thesis && size == workload->face.params_size)
        return fail(
            error, SHOAL_INVALID,
            "%s: the parameters are a block of shoal_workload.params_init: leave its member thesis as it "
            "is and set parameters of the thesis as options",
            function);
    const void *pointer = status ? NULL : thesis_pointer(workload, block);
    if (!pointer || pointer == thesis_of_blocks)
        return status;
    if (!workload->thesis)
        return fail(error, SHOAL_INVALID,
                    "%s: thesis is set, and this build of the library is without "
                    "theses (-Dtheses=false)",
                    function);
    return params_take(function, pointer, workload->thesis->init_name, thesis_in(workload, block),
                       workload->thesis->size, error);
}

enum shoal_status workload_params_take(const char *function, const struct shoal_workload *face,
                                       const void *given, void **out, struct shoal_error *error)
{
    const struct workload *workload = workload_of(face);
    enum shoal_status status = SHOAL_OK;
    void *block = malloc(face->params_size);
    if (!block)
        return fail_host_memory(error);
    face->params_init(block);
    if (is_block(workload, given))
        memcpy(block, given, face->params_size);
    else
        status = take_structs(function, workload, given, block, error);
    workload_params_shorten(workload, block);
    if (workload->thesis)
        set_thesis_pointer(workload, block, thesis_in(workload, block));
    if (status) {
        free(block);
        block = NULL;
    }
    *out = block;
    return status;
}

/* Checks that the parameters of the thesis in a block have their defaults, if the caller's struct has no room
 * for them. */
static enum shoal_status check_thesis_default(const char *function, const struct shoal_workload *face,
                                              const void *block, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    char *defaults = malloc(face->params_size);
    if (!defaults)
        return fail_host_memory(error);
    face->params_init(defaults);
    for (size_t i = 0; i < face->option_count && !status; i++) {
        const struct shoal_option *option = &face->options[i];
        if (option->offset >= own_size(workload_of(face)) &&
            memcmp((const char *)block + option->offset, defaults + option->offset, option_size(option)) != 0)
            status = fail(error, SHOAL_INVALID,
                          "%s: --%s is not the default: set the member thesis of the parameters to a struct "
                          "for it",
                          function, option->name);
    }
    free(defaults);
    return status;
}

enum shoal_status workload_struct_take(const char *function, const struct shoal_workload *face,
                                       const void *given, void *out, struct shoal_error *error)
{
    void *block;
    const enum shoal_status status = workload_params_take(function, face, given, &block, error);
    if (status)
        return status;
    memcpy(out, block, own_size(workload_of(face)));
    set_thesis_pointer(workload_of(face), out, NULL);
    free(block);
    return SHOAL_OK;
}

enum shoal_status workload_params_return(const char *function, const struct shoal_workload *face,
                                         const void *block, void *given, struct shoal_error *error)
{
    const struct workload *workload = workload_of(face);
    size_t size;
    memcpy(&size, given, sizeof size);
    if (!workload->thesis) {
        params_return(block, face->params_size, given);
        return SHOAL_OK;
    }
    const bool has_pointer = size >= workload->thesis_member + sizeof(void *);
    void *const pointer = has_pointer ? thesis_pointer(workload, given) : NULL;
    const bool is_whole = is_block(workload, given);
    const bool has_thesis = !is_whole && pointer && pointer != thesis_of_blocks;
    const enum shoal_status status =
        is_whole || has_thesis ? SHOAL_OK : check_thesis_default(function, face, block, error);
    if (status)
        return status;
    params_return(block, is_whole ? face->params_size : own_size(workload), given);
    if (has_pointer)
        set_thesis_pointer(workload, given, pointer);
    if (has_thesis)
        params_return(thesis_in(workload, block), workload->thesis->size, pointer);
    return SHOAL_OK;
}

static const void *option_field(const struct shoal_option *option, const void *params)
{
    return (const char *)params + option->offset;
}

static double option_real(const struct shoal_option *option, const void *params)
{
    double value;
    memcpy(&value, option_field(option, params), sizeof value);
    return value;
}

static uint64_t option_uint(const struct shoal_option *option, const void *params)
{
    uint64_t value;
    memcpy(&value, option_field(option, params), sizeof value);
    return value;
}

static int32_t option_choice(const struct shoal_option *option, const void *params)
{
    int32_t value;
    memcpy(&value, option_field(option, params), sizeof value);
    return value;
}

static enum shoal_status option_check(const struct shoal_option *option, const void *params,
                                      const void *defaults, struct shoal_error *error)
{
    switch (option->type) {
    case SHOAL_OPTION_UINT: {
        uint64_t value = option_uint(option, params);
        if ((double)value < option->min || (double)value > option->max)
            return fail(error, SHOAL_INVALID, "--%s is %llu, allowed are %.0f to %.0f", option->name,
                        (unsigned long long)value, option->min, option->max);
        return SHOAL_OK;
    }
    case SHOAL_OPTION_REAL: {
        double value = option_real(option, params);
        if (isnan(value) && isnan(option_real(option, defaults)))
            return SHOAL_OK;
        if (!(value >= option->min && value <= option->max))
            return fail(error, SHOAL_INVALID, "--%s is %g, allowed are %g to %g", option->name, value,
                        option->min, option->max);
        return SHOAL_OK;
    }
    case SHOAL_OPTION_CHOICE: {
        int32_t value = option_choice(option, params), count = 0;
        while (option->choices[count])
            count++;
        if (value < 0 || value >= count)
            return fail(error, SHOAL_INVALID, "--%s has no choice %d, there are %d", option->name, value,
                        count);
        return SHOAL_OK;
    }
    case SHOAL_OPTION_FLAG:
    case SHOAL_OPTION_TEXT:
        break;
    }
    return SHOAL_OK;
}

enum shoal_status workload_params_check(const struct shoal_workload *workload, const void *params,
                                        struct shoal_error *error)
{
    void *defaults = malloc(workload->params_size);
    if (!defaults)
        return fail_host_memory(error);
    workload->params_init(defaults);
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < workload->option_count && !status; i++)
        status = option_check(&workload->options[i], params, defaults, error);
    if (!status)
        status =
            shoal_options_check(workload->options, workload->option_count, params, defaults, NULL, error);
    free(defaults);
    if (!status && workload_of(workload)->check)
        status = workload_of(workload)->check(params, error);
    return status;
}

enum shoal_status shoal_workload_validate(struct shoal *shoal, const struct shoal_workload *workload,
                                          const void *params, struct shoal_error *error)
{
    if (!NEED(error, workload, params))
        return SHOAL_INVALID;
    void *complete = NULL;
    enum shoal_status status = workload_params_take(__func__, workload, params, &complete, error);
    if (status)
        return status;
    status = workload_params_check(workload, complete, error);
    if (!status && workload_of(workload)->check_input)
        status = workload_of(workload)->check_input(shoal, complete, error);
    free(complete);
    return status;
}
