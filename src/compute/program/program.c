#include "compute/backend.h"

#include "base/clock.h"
#include "base/params.h"
#include "compute/contract.h"
#include "compute/log.h"
#include "compute/program/cache.h"
#include "compute/program/source.h"
#include "compute/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shoal_program_params_init(struct shoal_program_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_program_params){.size = sizeof *params};
}

static int64_t *find_define(const struct shoal_program_desc *desc, int64_t *values, const char *name)
{
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0)
            return &values[i];
    return NULL;
}

static bool is_given(const struct shoal_program_params *params, const char *name)
{
    for (size_t i = 0; i < params->define_count; i++)
        if (strcmp(params->defines[i].name, name) == 0)
            return true;
    return false;
}

static enum shoal_status set_given_defines(struct shoal_program *program,
                                           const struct shoal_program_params *params,
                                           struct shoal_error *error)
{
    const struct shoal_program_desc *desc = program->desc;
    for (size_t i = 0; i < params->define_count; i++) {
        const struct shoal_define *given = &params->defines[i];
        int64_t *value = given->name ? find_define(desc, program->defines, given->name) : NULL;
        if (!value)
            return fail(error, SHOAL_INVALID, "%s has no define \"%s\"", desc->name,
                        given->name ? given->name : "");
        const struct shoal_define_desc *known = &desc->defines[value - program->defines];
        if (given->value < known->min || given->value > known->max)
            return fail(error, SHOAL_INVALID, "%s: %s=%" PRId64 " is outside %" PRId64 "..%" PRId64,
                        desc->name, given->name, given->value, known->min, known->max);
        *value = given->value;
    }
    return SHOAL_OK;
}

/* Name in the tuning file of a work-group size that was found by halving. It contains the values of the other
 * defines, since with other values the kernel may allow larger groups. */
static void limit_name(const struct shoal_program *program, struct text *name)
{
    text_add(name, program->desc->name);
    for (uint32_t i = 0; i < program->desc->define_count; i++)
        if (!program_is_work_group(program->desc, program->desc->defines[i].name))
            text_printf(name, " %s=%" PRId64, program->desc->defines[i].name, program->defines[i]);
    text_add(name, " limit");
}

/* The next smaller work-group: half the size, and above 32 a multiple of 32, since many GPUs run 32
 * work-items together and kernels rely on whole sets of them. */
static int64_t halved(int64_t size)
{
    size /= 2;
    return size > 32 ? size - size % 32 : size;
}

static void clamp_define(const struct shoal_define_desc *known, int64_t *value, int64_t limit)
{
    while (*value > limit && *value > 1 && halved(*value) >= known->min)
        *value = halved(*value);
}

static uint64_t local_bytes(const struct shoal_program *program, const struct shoal_entry_desc *entry,
                            int64_t work_group)
{
    uint64_t bytes = entry->local_bytes + (uint64_t)entry->local_bytes_per_item * (uint64_t)work_group;
    if (entry->local_define)
        bytes += (uint64_t)entry->local_bytes_per_unit *
                 (uint64_t)shoal_program_define(program, entry->local_define);
    return bytes;
}

static void set_tuned_defines(struct shoal_program *program, const struct shoal_program_params *params)
{
    const struct shoal_program_desc *desc = program->desc;
    for (uint32_t i = 0; i < desc->define_count; i++) {
        const struct shoal_define_desc *known = &desc->defines[i];
        if (!is_given(params, known->name))
            tuning_get_define(program->device, desc, known->name, &program->defines[i]);
    }
}

/* Limits the work-group sizes of a program to what the device and, as far as known, the kernel allow. */
static enum shoal_status set_work_groups(struct shoal_program *program,
                                         const struct shoal_program_params *params, struct shoal_error *error)
{
    const struct shoal_program_desc *desc = program->desc;
    const struct shoal_device_info *info = &program->device->info;
    struct text limits = {0};
    limit_name(program, &limits);
    for (uint32_t i = 0; i < desc->define_count && !limits.failed; i++) {
        const struct shoal_define_desc *known = &desc->defines[i];
        int64_t limit;
        if (!program_is_work_group(desc, known->name))
            continue;
        clamp_define(known, &program->defines[i], info->max_work_group);
        if (!params->text && !params->text_count &&
            shoal_tuning_get(program->device, limits.data, known->name, &limit))
            clamp_define(known, &program->defines[i], limit);
    }
    bool failed = limits.failed;
    text_free(&limits);
    if (failed)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < desc->entry_count; i++) {
        const struct shoal_entry_desc *entry = &desc->entries[i];
        int64_t *size = entry->work_group ? find_define(desc, program->defines, entry->work_group) : NULL;
        if (!size)
            return fail(error, SHOAL_INVALID, "%s: entry %s names no work-group define", desc->name,
                        entry->name);
        if (*size < 1)
            return fail(error, SHOAL_INVALID, "%s: entry %s has a work-group of %" PRId64, desc->name,
                        entry->name, *size);
        const struct shoal_define_desc *known = &desc->defines[size - program->defines];
        while (local_bytes(program, entry, *size) > info->local_mem && *size > 1 &&
               halved(*size) >= known->min)
            *size = halved(*size);
        if (*size > info->max_work_group || local_bytes(program, entry, *size) > info->local_mem)
            return fail(error, SHOAL_UNSUPPORTED,
                        "%s (%s): %s needs a work-group of %" PRId64
                        " with %llu bytes of local memory; the device "
                        "has %u and %llu",
                        info->id, info->name, entry->name, *size,
                        (unsigned long long)local_bytes(program, entry, *size), info->max_work_group,
                        (unsigned long long)info->local_mem);
    }
    return SHOAL_OK;
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the defines as sorted strings "NAME=VALUE"; NULL: there is no memory. */
static char **define_strings(const struct shoal_program *program)
{
    uint32_t count = program->desc->define_count;
    char **strings = calloc(count ? count : 1, sizeof *strings);
    for (uint32_t i = 0; strings && i < count; i++) {
        struct text string = {0};
        text_printf(&string, "%s=%" PRId64, program->desc->defines[i].name, program->defines[i]);
        strings[i] = string.data;
        if (string.failed) {
            for (uint32_t k = 0; k <= i; k++)
                free(strings[k]);
            free(strings);
            return NULL;
        }
    }
    if (strings)
        qsort(strings, count, sizeof *strings, compare_strings);
    return strings;
}

static void free_define_strings(const struct shoal_program *program, char **strings)
{
    for (uint32_t i = 0; strings && i < program->desc->define_count; i++)
        free(strings[i]);
    free(strings);
}

enum shoal_status program_compile(struct shoal_program *program, const struct build_input *input,
                                  struct shoal_error *error)
{
    struct shoal_device *device = program->device;
    struct shoal *shoal = device->shoal;
    bool cached = shoal->cache_dir && !device->info.self_caching;
    char key[CACHE_KEY_LENGTH];
    if (cached) {
        cache_key(device, input, key);
        size_t bytes = 0;
        void *binary = cache_read(shoal, key, &bytes);
        if (binary) {
            struct shoal_error reason;
            enum shoal_status status = device->backend->program_load(program, binary, bytes, &reason);
            free(binary);
            if (!status || status == SHOAL_DEVICE_LOST || status == SHOAL_OUT_OF_DEVICE_MEMORY) {
                if (status && error)
                    *error = reason;
                return status;
            }
            cache_reject(shoal, key);
        }
    }
    double start = clock_seconds();
    enum shoal_status status = device->backend->program_build(program, input, error);
    program->build_seconds += clock_seconds() - start;
    if (status || !cached)
        return status;
    void *binary = NULL;
    size_t bytes = 0;
    struct shoal_error reason;
    if (device->backend->program_binary(program, &binary, &bytes, &reason))
        shoal_log(shoal, SHOAL_LOG_WARNING, "kernel cache: %s gives no binary of %s: %s", device->info.id,
                  program->desc->name, reason.message);
    else
        cache_write(shoal, key, binary, bytes);
    free(binary);
    return SHOAL_OK;
}

/* Halves the work-group sizes of kernels that the device cannot run with them. *changed: the program must be
 * built again. */
static enum shoal_status respect_kernel_limits(struct shoal_program *program, bool *changed,
                                               struct shoal_error *error)
{
    const struct shoal_program_desc *desc = program->desc;
    *changed = false;
    for (uint32_t i = 0; i < desc->entry_count; i++) {
        const struct shoal_entry_desc *entry = &desc->entries[i];
        int64_t *size = find_define(desc, program->defines, entry->work_group);
        struct shoal_kernel kernel = {.program = program, .entry = entry, .work_group = (uint32_t)*size};
        enum shoal_status status = program->device->backend->kernel_create(&kernel, error);
        if (status)
            return status;
        uint32_t limit = 0;
        status = program->device->backend->kernel_limit(&kernel, &limit, error);
        program->device->backend->kernel_destroy(&kernel);
        if (status)
            return status;
        if (limit >= *size)
            continue;
        int64_t before = *size;
        clamp_define(&desc->defines[size - program->defines], size, limit);
        if (limit == 0 || *size > limit)
            return fail(error, SHOAL_UNSUPPORTED,
                        "%s (%s): %s cannot run with a work-group of %" PRId64 ", the kernel's limit is %u",
                        program->device->info.id, program->device->info.name, entry->name, before, limit);
        *changed = true;
    }
    return SHOAL_OK;
}

static void remember_limits(struct shoal_program *program)
{
    struct text name = {0};
    limit_name(program, &name);
    for (uint32_t i = 0; i < program->desc->define_count && !name.failed; i++) {
        struct shoal_error reason;
        if (program_is_work_group(program->desc, program->desc->defines[i].name) &&
            shoal_tuning_set(program->device, name.data, program->desc->defines[i].name, program->defines[i],
                             &reason))
            shoal_log(program->device->shoal, SHOAL_LOG_WARNING, "%s", reason.message);
    }
    text_free(&name);
}

static enum shoal_status build(struct shoal_program *program, const struct shoal_program_params *params,
                               const char *text, struct shoal_error *error)
{
    const char *name = params->text && params->text_name ? params->text_name
                       : program->native_text            ? program->desc->native
                                                         : program->desc->file;
    bool halved = false;
    for (;;) {
        char **defines = define_strings(program);
        if (!defines)
            return fail_host_memory(error);
        const unsigned needs = program->desc->needs;
        const bool strict = program->device->shoal->strict_fp || needs & SHOAL_NEEDS_STRICT_FP;
        const struct build_input input = {.text = text,
                                          .name = name,
                                          .defines = (const char *const *)defines,
                                          .define_count = program->desc->define_count,
                                          .strict_fp = strict,
                                          .without_contraction = strict || needs & SHOAL_WITHOUT_CONTRACTION,
                                          .flush_subnormals = !strict && needs & SHOAL_FLUSHES_SUBNORMALS,
                                          .native = program->native_text};
        enum shoal_status status = program_compile(program, &input, error);
        free_define_strings(program, defines);
        if (status)
            return status;
        bool changed;
        status = respect_kernel_limits(program, &changed, error);
        if (!status && !changed) {
            if (halved && !params->text && !params->text_count)
                remember_limits(program);
            return SHOAL_OK;
        }
        program->device->backend->program_destroy(program);
        program->native = NULL;
        if (status)
            return status;
        halved = true;
    }
}

static enum shoal_status choose_variant(struct shoal_program *program,
                                        const struct shoal_program_params *params, struct shoal_error *error)
{
    bool possible = program->desc->native && device_prelude(program->device) && !params->text;
    if (params->variant == SHOAL_VARIANT_CU && !possible)
        return fail(error, SHOAL_UNSUPPORTED, "%s has no native CUDA version for %s", program->desc->name,
                    program->device->info.id);
    program->native_text = possible && params->variant != SHOAL_VARIANT_CL;
    return SHOAL_OK;
}

static enum shoal_status check_needs(const struct shoal_program *program, struct shoal_error *error)
{
    const struct shoal_device_info *info = &program->device->info;
    if (((program->desc->needs & SHOAL_NEEDS_FP64) || program->real64) && !info->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "%s (%s) has no double precision, which %s needs", info->id,
                    info->name, program->desc->name);
    if ((program->desc->needs & SHOAL_NEEDS_INT64_ATOMICS) && !info->int64_atomics)
        return fail(error, SHOAL_UNSUPPORTED, "%s (%s) has no 64-bit atomics, which %s needs", info->id,
                    info->name, program->desc->name);
    if ((program->desc->needs & SHOAL_NEEDS_STRICT_FP) && !info->correct_division)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s (%s) has no correctly rounded division and square root, which %s needs", info->id,
                    info->name, program->desc->name);
    return SHOAL_OK;
}

enum shoal_status shoal_program_create(struct shoal_device *device, const struct shoal_program_desc *desc,
                                       const struct shoal_program_params *params, struct shoal_program **out,
                                       struct shoal_error *error)
{
    if (!NEED(error, device, desc, out))
        return SHOAL_INVALID;
    *out = NULL;
    struct shoal_program_params own;
    shoal_program_params_init(&own);
    enum shoal_status status =
        params ? PARAMS_TAKE(params, shoal_program_params_init, &own, error) : SHOAL_OK;
    if (status)
        return status;
    for (size_t i = 0; i < own.text_count; i++)
        if (!own.texts || !own.texts[i].file || !own.texts[i].text)
            return fail(error, SHOAL_INVALID, "shoal_program_create: text %zu has no file or no text", i);
    if (own.define_count && !own.defines)
        return fail(error, SHOAL_INVALID, "shoal_program_create: the defines are NULL");
    if (!desc->file && !(own.text && own.text_name))
        return fail(error, SHOAL_INVALID, "%s names no kernel file: give a text and its name", desc->name);
    status = device_ready(device, error);
    if (status)
        return status;
    struct shoal_program *program = calloc(1, sizeof *program);
    if (!program)
        return fail_host_memory(error);
    program->device = device;
    program->desc = desc;
    char *text = NULL;
    program->defines = calloc(desc->define_count + 1, sizeof *program->defines);
    if (!program->defines) {
        status = fail_host_memory(error);
        goto fail;
    }
    for (uint32_t i = 0; i < desc->define_count; i++)
        program->defines[i] = desc->defines[i].value;
    status = set_given_defines(program, &own, error);
    if (status)
        goto fail;
    set_tuned_defines(program, &own);
    program->real64 = shoal_program_define(program, "REAL") == 64;
    status = check_needs(program, error);
    if (!status)
        status = choose_variant(program, &own, error);
    if (!status)
        status = set_work_groups(program, &own, error);
    if (!status)
        status = source_flatten(device->shoal, program->native_text ? desc->native : desc->file, &own, &text,
                                error);
    if (!status)
        status = build(program, &own, text, error);
    if (status)
        goto fail;
    free(text);
    *out = program;
    error_reset(error);
    return SHOAL_OK;
fail:
    free(text);
    free(program->defines);
    free(program);
    return status;
}

void shoal_program_destroy(struct shoal_program **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_program *program = *pointer;
    *pointer = NULL;
    program->device->backend->program_destroy(program);
    free(program->defines);
    free(program);
}

int64_t shoal_program_define(const struct shoal_program *program, const char *name)
{
    const int64_t *value = program && name ? find_define(program->desc, program->defines, name) : NULL;
    return value ? *value : 0;
}

double shoal_program_build_seconds(const struct shoal_program *program)
{
    return program ? program->build_seconds : 0;
}

bool shoal_program_is_native(const struct shoal_program *program)
{
    return program && program->native_text;
}
