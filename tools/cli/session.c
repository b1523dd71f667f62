/* The instance and the devices of a command. */
#include "cli/session.h"
#include "cli/options.h"
#include "cli/output/crash.h"
#include "cli/output/text.h"
#include "cli/output/values.h"
#include "cli/ranks.h"
#include "cli/workload.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct shoal_params params_of(const struct cli *cli, bool host_only, shoal_log_fn log)
{
    const struct cli_common *common = &cli->common;
    struct shoal_params params;
    shoal_params_init(&params);
    params.host_only = host_only;
    params.log = log;
    params.log_level = common->quiet ? SHOAL_LOG_ERROR : common->verbose ? SHOAL_LOG_INFO : SHOAL_LOG_WARNING;
    params.cache_dir = common->cache_dir;
    params.kernel_dir = common->kernel_dir;
    params.no_cache = common->no_cache;
    params.sync = common->sync;
    params.strict_fp = common->strict_fp;
    params.stop = cli_stopped;
    return params;
}

static int open_instance(const struct cli *cli, bool host_only, shoal_log_fn log, struct shoal **out)
{
    const struct shoal_params params = params_of(cli, host_only, log);
    struct shoal_error error = {0};
    const enum shoal_status status = shoal_open(out, &params, &error);
    return status == SHOAL_OK
               ? CLI_OK
               : cli_fail(status == SHOAL_INVALID && cli->common.kernel_dir ? "--kernel-dir" : NULL, &error);
}

static int open_session(struct cli *cli, bool host_only)
{
    const struct shoal_params params = params_of(cli, host_only, cli_log);
    const int code = cli_ranks() && !host_only ? cli_ranks_open_all(cli, &params)
                                               : open_instance(cli, host_only, cli_log, &cli->shoal);
    if (code == CLI_OK)
        cli_tell_crashes();
    return code;
}

int cli_open(struct cli *cli)
{
    return open_session(cli, false);
}

int cli_validate(const struct cli *cli, const char *where, const struct shoal_workload *workload,
                 const void *params)
{
    struct shoal *host = NULL;
    struct shoal_error error = {0};
    int code = cli->shoal ? CLI_OK : open_instance(cli, true, NULL, &host);
    const enum shoal_status status =
        code == CLI_OK ? shoal_workload_validate(host ? host : cli->shoal, workload, params, &error)
                       : SHOAL_OK;
    if (status != SHOAL_OK) {
        const char *preset = cli->groups ? cli_preset_name(cli->groups) : NULL;
        const size_t length = strlen(error.message);
        if (preset && status == SHOAL_INVALID)
            snprintf(error.message + length, sizeof error.message - length,
                     " (--preset %s sets options that are not given)", preset);
        code = cli_fail(where, &error);
    }
    shoal_close(&host);
    return code;
}

/* The first GPU, else the first device of any kind. */
static struct shoal_device *default_device(const struct shoal *shoal)
{
    for (size_t i = 0; i < shoal_device_count(shoal); i++)
        if (shoal_device_get_info(shoal_device_at(shoal, i))->is_gpu)
            return shoal_device_at(shoal, i);
    return shoal_device_at(shoal, 0);
}

/* If the default device is the host, prints a note on each driver that is installed but does not work, which
 * may explain the choice. */
static void note_faults(const struct cli *cli)
{
    const struct shoal_device_info *info = shoal_device_get_info(cli->devices[0]);
    for (size_t i = 0; info->is_host && i < shoal_backend_count(cli->shoal); i++) {
        const struct shoal_backend_info *backend = shoal_backend_at(cli->shoal, i);
        if (backend->is_fault)
            cli_note(cli, "%s; the device taken instead is %s", backend->note, info->id);
    }
}

/* Prints the notes on drivers of the selected devices that are known to compute wrong; they begin with the id
 * of the device. `devices` lists all notes itself. */
static void note_wrong_drivers(const struct cli *cli)
{
    for (size_t d = 0; cli->command != &cli_devices && d < cli->device_count; d++) {
        const struct shoal_device_info *info = shoal_device_get_info(cli->devices[d]);
        const char *id = info->part_of ? info->part_of : info->id;
        const size_t length = strlen(id);
        for (size_t i = 0; i < shoal_backend_count(cli->shoal); i++) {
            const struct shoal_backend_info *backend = shoal_backend_at(cli->shoal, i);
            if (backend->is_fault && strncmp(backend->note, id, length) == 0 && backend->note[length] == ' ')
                cli_note(cli, "%s", backend->note);
        }
    }
}

/* Whether an option other than --device names a device. */
static bool names_device(const struct cli *cli)
{
    for (size_t g = 0; cli->groups && g < cli->groups->count; g++)
        for (size_t i = 0; i < cli->groups->group[g].count; i++) {
            const struct cli_group *group = &cli->groups->group[g];
            const char *text = NULL;
            if (group->options[i].type != SHOAL_OPTION_TEXT || strcmp(group->options[i].unit, "DEVICE") != 0)
                continue;
            memcpy(&text, (const char *)group->values + group->options[i].offset, sizeof text);
            if (text && strcasecmp(text, "host") != 0)
                return true;
        }
    return false;
}

int cli_select(struct cli *cli, const char *fallback, unsigned flags)
{
    const char *selector = cli->common.device ? cli->common.device : fallback;
    if (!cli->shoal) {
        /* If only the host is needed, no driver is opened, since loading drivers takes longer than a short
         * run. */
        int code = open_session(cli, selector && strcasecmp(selector, "host") == 0 && !names_device(cli));
        if (code != CLI_OK)
            return code;
    }
    size_t count = 1;
    struct shoal_error error = {0};
    if (selector && shoal_device_select(cli->shoal, selector, flags, NULL, 0, &count, &error) != SHOAL_OK)
        return cli_fail("--device", &error);
    free(cli->devices);
    cli->devices = cli_alloc(count * sizeof(struct shoal_device *));
    cli->device_count = count;
    if (!selector) {
        cli->devices[0] = default_device(cli->shoal);
        note_faults(cli);
    } else if (shoal_device_select(cli->shoal, selector, flags, cli->devices, count, &cli->device_count,
                                   &error) != SHOAL_OK) {
        return cli_fail("--device", &error);
    }
    note_wrong_drivers(cli);
    return CLI_OK;
}

int cli_select_of_ranks(struct cli *cli, const char *fallback)
{
    const struct shoal_params params = params_of(cli, false, cli_log);
    const int code = cli_ranks_open(cli, &params, cli->common.device ? cli->common.device : fallback);
    if (code == CLI_OK)
        cli_tell_crashes();
    return code;
}

int cli_baseline(const struct cli *cli, const char *id, const struct shoal_device **out)
{
    const char **ids = cli_alloc(cli->device_count * sizeof *ids);
    *out = NULL;
    for (size_t i = 0; i < cli->device_count; i++) {
        ids[i] = shoal_device_get_info(cli->devices[i])->id;
        if (!*out && strcasecmp(id ? id : "host", ids[i]) == 0)
            *out = cli->devices[i];
    }
    if (!*out && !id)
        *out = cli->devices[0];
    int code = *out ? CLI_OK : cli_not_one_of("--baseline", id, ids, cli->device_count);
    free(ids);
    return code;
}

/* Returns the name of the processor: the host device, which every instance has. */
const char *cli_processor(const struct cli *cli)
{
    size_t i = 0;
    while (!shoal_device_get_info(shoal_device_at(cli->shoal, i))->is_host)
        i++;
    return shoal_device_get_info(shoal_device_at(cli->shoal, i))->name;
}

void cli_close(struct cli *cli)
{
    free(cli->devices);
    cli->devices = NULL;
    shoal_close(&cli->shoal);
}

void cli_note(const struct cli *cli, const char *format, ...)
{
    va_list args;
    if (cli->common.quiet)
        return;
    va_start(args, format);
    free(cli_message(format, args));
    va_end(args);
}

void cli_notes(const struct cli *cli, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        cli_note(cli, "%.*s", (int)length, text);
    }
}
