#include "cli/commands/kernels_built.h"

#include "cli/output/tables/layout.h"

#include <math.h>
#include <stdlib.h>

struct on_device {
    const struct shoal_device_info *info;
    struct shoal_program *program; /* NULL: the error has the reason */
    struct shoal_error error;
};

struct built {
    struct on_device *devices;
    size_t count;
};

/* The resources that a kernel takes on a device. */
struct residence {
    uint32_t work_group;
    size_t groups; /* SHOAL_RESIDENT_UNKNOWN: not known */
    struct shoal_error error;
    bool is_known;
};

struct built *built_create(const struct cli *cli, const struct shoal_program_desc *desc)
{
    struct built *built = cli_alloc(sizeof *built);
    built->devices = cli_alloc((cli->device_count + 1) * sizeof *built->devices);
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = (enum shoal_variant)cli->common.variant;
    for (size_t i = 0; i < cli->device_count; i++) {
        struct on_device *const on = &built->devices[built->count];
        on->info = shoal_device_get_info(cli->devices[i]);
        if (on->info->is_host)
            continue;
        built->count++;
        if (shoal_program_create(cli->devices[i], desc, &params, &on->program, &on->error) != SHOAL_OK)
            on->program = NULL;
    }
    return built;
}

void built_destroy(struct built *built)
{
    if (!built)
        return;
    for (size_t i = 0; i < built->count; i++)
        shoal_program_destroy(&built->devices[i].program);
    free(built->devices);
    free(built);
}

static struct residence reside(const struct on_device *on, const char *entry)
{
    struct residence residence = {.error = on->error};
    struct shoal_kernel *kernel = NULL;
    if (on->program && shoal_kernel_create(on->program, entry, &kernel, &residence.error) == SHOAL_OK) {
        residence.is_known = true;
        residence.work_group = shoal_kernel_work_group(kernel);
        residence.groups = shoal_kernel_resident(kernel);
        shoal_kernel_destroy(&kernel);
    }
    return residence;
}

void built_print(const struct built *built, const char *entry, size_t indent)
{
    for (size_t i = 0; i < built->count; i++) {
        const struct on_device *const on = &built->devices[i];
        const struct residence residence = reside(on, entry);
        char *text;
        if (!residence.is_known)
            text = cli_sprintf("%s: %s", on->info->id, residence.error.message);
        else if (residence.groups == SHOAL_RESIDENT_UNKNOWN)
            text = cli_sprintf("%s: groups of %u", on->info->id, (unsigned)residence.work_group);
        else
            text = cli_sprintf("%s: groups of %u, %zu of them at a time: %zu work-items on each of %u units",
                               on->info->id, (unsigned)residence.work_group, residence.groups,
                               residence.groups * residence.work_group / on->info->units,
                               (unsigned)on->info->units);
        printf("%*s", (int)indent, "");
        cli_wrap(stdout, text, indent, indent + 2, cli_width(stdout));
        putchar('\n');
        free(text);
    }
}

void built_json(const struct built *built, const char *entry, cJSON *object)
{
    cJSON *array = cli_json_array(object, "built");
    for (size_t i = 0; i < built->count; i++) {
        const struct on_device *const on = &built->devices[i];
        const struct residence residence = reside(on, entry);
        const bool tells = residence.is_known && residence.groups != SHOAL_RESIDENT_UNKNOWN;
        cJSON *row = cli_json_object(array, NULL);
        cli_json_text(row, "device", on->info->id);
        cli_json_text(row, "error", residence.is_known ? NULL : residence.error.message);
        cli_json_real(row, "work_group_size", residence.is_known ? (double)residence.work_group : NAN);
        cli_json_real(row, "resident_groups", tells ? (double)residence.groups : NAN);
        cli_json_real(row, "resident_items_per_unit",
                      tells ? (double)(residence.groups * residence.work_group / on->info->units) : NAN);
    }
}
