/* The results of a run in memory. */
#include "bench/runner/results.h"
#include "bench/runner/fail.h"
#include "cli/output/tables/layout.h"
#include "cli/output/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "commit.h"

static const char *const roof_names[] = {
    [SHOAL_ROOF_NONE] = "",
    [SHOAL_ROOF_COPY_BYTES] = "copy_bytes",
    [SHOAL_ROOF_FP32_FLOPS] = "fp32_flops",
    [SHOAL_ROOF_FP64_FLOPS] = "fp64_flops",
    [SHOAL_ROOF_SFU_OPS] = "sfu_ops",
    [SHOAL_ROOF_LAUNCH] = "launch",
};

static const char *const roof_words[] = {
    [SHOAL_ROOF_NONE] = "",
    [SHOAL_ROOF_COPY_BYTES] = "memory bandwidth",
    [SHOAL_ROOF_FP32_FLOPS] = "fp32 arithmetic rate",
    [SHOAL_ROOF_FP64_FLOPS] = "fp64 arithmetic rate",
    [SHOAL_ROOF_SFU_OPS] = "rate of reciprocal square roots",
    [SHOAL_ROOF_LAUNCH] = "launch rate",
};

const char *result_roof_words(enum shoal_roof roof)
{
    return (size_t)roof < sizeof roof_words / sizeof *roof_words ? roof_words[roof] : "";
}

const char *result_roof_name(enum shoal_roof roof)
{
    return (size_t)roof < sizeof roof_names / sizeof *roof_names ? roof_names[roof] : "";
}

bool result_roof_find(const char *name, enum shoal_roof *roof)
{
    for (size_t i = 0; i < sizeof roof_names / sizeof *roof_names; i++)
        if (strcmp(roof_names[i], name) == 0) {
            *roof = (enum shoal_roof)i;
            return true;
        }
    return false;
}

double result_roof_value(const struct shoal_roofs *roofs, enum shoal_roof roof)
{
    switch (roof) {
    case SHOAL_ROOF_COPY_BYTES:
        return roofs->copy_bytes;
    case SHOAL_ROOF_FP32_FLOPS:
        return roofs->fp32_flops;
    case SHOAL_ROOF_FP64_FLOPS:
        return roofs->fp64_flops;
    case SHOAL_ROOF_SFU_OPS:
        return roofs->sfu_ops;
    case SHOAL_ROOF_LAUNCH:
        return roofs->launch_s;
    case SHOAL_ROOF_NONE:
        break;
    }
    return 0;
}

static enum shoal_status no_memory(struct shoal_error *error)
{
    return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the results of the run");
}

/* Copies a text; NULL becomes "". False: there is no memory. */
static bool keep(char **kept, const char *text)
{
    *kept = strdup(text ? text : "");
    return *kept != NULL;
}

/* Appends an element to an array. The array stays as it is where there is no memory. */
static void *grown(void *array, size_t count, size_t element)
{
    return realloc(array, (count + 1) * element);
}

static bool plain_word(const char *word)
{
    return *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "-_./:=,+@%") == strlen(word);
}

static void print_word(FILE *file, const char *word)
{
    if (plain_word(word)) {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, file);
    fputc('\'', file);
}

static char *command_line(int argc, char *const *argv)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return NULL;
    for (int i = 0; i < argc; i++) {
        const char *slash = i == 0 ? strrchr(argv[0], '/') : NULL;
        if (i)
            fputc(' ', file);
        print_word(file, slash ? slash + 1 : argv[i]);
    }
    return fclose(file) == 0 ? text : NULL;
}

const char *results_commit(void)
{
    return SHOAL_COMMIT;
}

/* Adds a row. False: there is no memory. */
static bool describe_machine(struct result_machine *machine, const char *processor)
{
    struct utsname names;
    char kernel[sizeof names.sysname + sizeof names.release + sizeof names.machine + 2] = "", name[256] = "";
    if (uname(&names) == 0) {
        snprintf(kernel, sizeof kernel, "%s %s %s", names.sysname, names.release, names.machine);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(names.nodename, "./"), names.nodename);
    }
    if (getloadavg(&machine->load, 1) != 1)
        machine->load = NAN;
    machine->threads = (double)sysconf(_SC_NPROCESSORS_ONLN);
    return keep(&machine->name, *name ? name : "unknown") && keep(&machine->processor, processor) &&
           keep(&machine->kernel, kernel);
}

bool result_machine_is_busy(const struct result_machine *machine)
{
    return machine->load > 0.5 * machine->threads;
}

char *result_machine_load(const struct result_machine *machine)
{
    if (isnan(machine->load))
        return cli_strdup("load not known");
    return cli_sprintf(
        "load %.2f in the minute before the start, of %.0f threads%s", machine->load, machine->threads,
        result_machine_is_busy(machine) ? ": other programs were running, times may be too long" : "");
}

const char *result_machine_mark(const struct result_machine *machine)
{
    return result_machine_is_busy(machine) ? "~" : "";
}

void result_machine_print(const struct result_machine *machine)
{
    char *load = result_machine_load(machine);
    char *text =
        cli_sprintf("%s%s", load, result_machine_is_busy(machine) ? "; ~: a speed of such times" : "");
    cli_paragraph(stdout, 0, text);
    free(text);
    free(load);
}

enum shoal_status results_begin(struct results *results, const char *processor, int argc, char *const *argv,
                                struct shoal_error *error)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    *results = (struct results){0};
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    results->command = command_line(argc, argv);
    if (!results->command || !keep(&results->commit, results_commit()) || !keep(&results->date, date) ||
        !describe_machine(&results->machine, processor)) {
        results_clear(results);
        return no_memory(error);
    }
    return SHOAL_OK;
}

static void row_clear(struct result_row *row)
{
    free(row->name);
    free(row->device);
    free(row->variant);
    free(row->precision);
    free(row->unit);
    free(row->published_on);
    free(row->compiler);
    free(row->title);
    free(row->size);
    free(row->reason);
    free(row->note);
}

void results_clear(struct results *results)
{
    for (size_t i = 0; i < results->device_count; i++) {
        free(results->devices[i].id);
        free(results->devices[i].name);
        free(results->devices[i].driver);
    }
    for (size_t i = 0; i < results->row_count; i++)
        row_clear(&results->rows[i]);
    for (size_t i = 0; i < results->skipped_count; i++) {
        free(results->skipped[i].name);
        free(results->skipped[i].device);
    }
    free(results->devices);
    free(results->rows);
    free(results->skipped);
    free(results->machine.name);
    free(results->machine.processor);
    free(results->machine.kernel);
    free(results->commit);
    free(results->date);
    free(results->command);
    *results = (struct results){0};
}

enum shoal_status results_add_named_device(struct results *results, const char *id, const char *name,
                                           const char *driver, const struct shoal_roofs *roofs,
                                           struct shoal_error *error)
{
    struct result_device *device = (struct result_device *)results_device(results, id);
    if (!device) {
        struct result_device *devices = grown(results->devices, results->device_count, sizeof *devices);
        if (!devices)
            return no_memory(error);
        results->devices = devices;
        device = &devices[results->device_count++];
        *device = (struct result_device){0};
        if (!keep(&device->id, id) || !keep(&device->name, name) || !keep(&device->driver, driver))
            return no_memory(error);
    }
    if (roofs)
        device->roofs = *roofs;
    return SHOAL_OK;
}

enum shoal_status results_add_device(struct results *results, const struct shoal_device *device,
                                     const struct shoal_roofs *roofs, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    return results_add_named_device(results, info->id, info->name,
                                    info->is_host ? shoal_host_compiler() : info->driver, roofs, error);
}

enum shoal_status results_add_row(struct results *results, const struct result_row *row,
                                  struct shoal_error *error)
{
    struct result_row *rows = grown(results->rows, results->row_count, sizeof *rows);
    if (!rows)
        return no_memory(error);
    results->rows = rows;
    struct result_row *copy = &rows[results->row_count];
    *copy = *row;
    copy->name = copy->device = copy->variant = copy->precision = copy->unit = NULL;
    copy->published_on = copy->compiler = copy->title = copy->size = copy->reason = copy->note = NULL;
    if (!keep(&copy->name, row->name) || !keep(&copy->device, row->device) ||
        !keep(&copy->variant, row->variant) || !keep(&copy->precision, row->precision) ||
        !keep(&copy->unit, row->unit) || !keep(&copy->published_on, row->published_on) ||
        !keep(&copy->compiler, row->compiler) || !keep(&copy->title, row->title) ||
        !keep(&copy->size, row->size) || !keep(&copy->reason, row->reason) || !keep(&copy->note, row->note)) {
        row_clear(copy);
        return no_memory(error);
    }
    results->row_count++;
    return SHOAL_OK;
}

enum shoal_status results_add_skipped(struct results *results, const char *name, const char *device,
                                      const struct shoal_error *why, struct shoal_error *error)
{
    struct result_skipped *all = grown(results->skipped, results->skipped_count, sizeof *all);
    if (!all)
        return no_memory(error);
    results->skipped = all;
    struct result_skipped *skipped = &all[results->skipped_count];
    *skipped = (struct result_skipped){.error = *why};
    if (!keep(&skipped->name, name) || !keep(&skipped->device, device)) {
        free(skipped->name);
        return no_memory(error);
    }
    results->skipped_count++;
    return SHOAL_OK;
}

const struct result_device *results_device(const struct results *results, const char *id)
{
    for (size_t i = 0; i < results->device_count; i++)
        if (results->devices[i].id && strcmp(results->devices[i].id, id) == 0)
            return &results->devices[i];
    return NULL;
}

const struct result_row *results_row(const struct results *results, const struct result_row *like)
{
    for (size_t i = 0; i < results->row_count; i++) {
        const struct result_row *row = &results->rows[i];
        if (strcmp(row->name, like->name) == 0 && strcmp(row->device, like->device) == 0 &&
            strcmp(row->variant, like->variant) == 0)
            return row;
    }
    return NULL;
}
