#include "cli/devices/links.h"

#include "cli/output/tables/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct measured_link {
    struct shoal_device *from, *to;
    struct shoal_link link;
    struct shoal_error error;
};

struct device_links {
    struct shoal_device **devices; /* the host first */
    size_t device_count;
    struct measured_link *list;
    size_t count;
};

static const struct shoal_device_info *info_of(const struct shoal_device *device)
{
    return shoal_device_get_info(device);
}

/* Whether the list already has the card of this device under another id. */
static bool is_alias(const struct device_links *links, const struct shoal_device *device)
{
    const char *other = info_of(device)->alias_of;
    for (size_t i = 0; other && i < links->device_count; i++)
        if (strcmp(info_of(links->devices[i])->id, other) == 0)
            return true;
    return false;
}

static void list_devices(const struct cli *cli, struct device_links *links)
{
    links->devices = cli_alloc((cli->device_count + 1) * sizeof *links->devices);
    for (size_t i = 0; i < shoal_device_count(cli->shoal); i++)
        if (info_of(shoal_device_at(cli->shoal, i))->is_host)
            links->devices[links->device_count++] = shoal_device_at(cli->shoal, i);
    /* Aliases are added last, since an alias may come before the preferred device of its card. */
    for (int aliases = 0; aliases < 2; aliases++)
        for (size_t i = 0; i < cli->device_count; i++) {
            struct shoal_device *device = cli->devices[i];
            if (!info_of(device)->is_host && (info_of(device)->alias_of != NULL) == aliases &&
                !is_alias(links, device))
                links->devices[links->device_count++] = device;
        }
}

static int measure(struct device_links *links, struct shoal_device *from, struct shoal_device *to)
{
    struct measured_link *measured = &links->list[links->count++];
    *measured = (struct measured_link){.from = from, .to = to};
    char *name = cli_sprintf("%s to %s", info_of(from)->id, info_of(to)->id);
    cli_progress_show("%s  measuring", name);
    measured->error.status = shoal_measure_link(from, to, &measured->link, &measured->error);
    cli_progress_end();
    const int code = measured->error.status ? cli_fail("--links", &measured->error) : CLI_OK;
    free(name);
    return code;
}

struct device_links *links_measure(const struct cli *cli, int *code)
{
    struct device_links *links = cli_alloc(sizeof *links);
    list_devices(cli, links);
    const size_t n = links->device_count;
    links->list = cli_alloc(n * n * sizeof *links->list);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            for (int back = 0; back < 2 && !cli_stopped(NULL); back++)
                *code = cli_first_failure(
                    *code, measure(links, links->devices[back ? k : i], links->devices[back ? i : k]));
    *code = cli_first_failure(cli_stop_code(), *code);
    return links;
}

void links_free(struct device_links *links)
{
    if (!links)
        return;
    free(links->devices);
    free(links->list);
    free(links);
}

static void print_table(const struct device_links *links)
{
    static const struct cli_column columns[] = {{.title = "from", .stays = true},
                                                {.title = "to", .stays = true},
                                                {.title = "path", .stays = true},
                                                {.title = "rate", .stays = true, .right = true},
                                                {.title = "8 bytes", .stays = true, .right = true},
                                                {.title = "measured with", .stays = true, .rank = 1}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < links->count; i++) {
        const struct measured_link *measured = &links->list[i];
        cli_table_row(table);
        cli_table_cell(table, "%s", info_of(measured->from)->id);
        cli_table_cell(table, "%s", info_of(measured->to)->id);
        if (measured->error.status) {
            cli_table_span(table, "%s: %s", shoal_status_name(measured->error.status),
                           measured->error.message);
            continue;
        }
        cli_table_cell(table, "%s", shoal_link_path_name(measured->link.path));
        cli_table_cell(table, "%s", cli_roof(measured->link.bytes_per_s, "B/s").s);
        cli_table_cell(table, "%s", cli_roof(measured->link.latency_s, "s").s);
        cli_table_cell(table, "%s", cli_bytes(measured->link.copy_bytes).s);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

void links_print(const struct device_links *links)
{
    putchar('\n');
    if (links->device_count < 2) {
        cli_paragraph(stdout, 0, "Links: the host is the only device.");
        return;
    }
    cli_paragraph(
        stdout, 0,
        "Links: copies from device to device, each waited for. same memory: an ordinary copy; peer: the "
        "target reads the memory of the source; host: through pinned memory of the host; ranks: from one "
        "process to another one.");
    putchar('\n');
    print_table(links);
    if (links->device_count == 2)
        printf("%s is the only device beside the host.\n", info_of(links->devices[1])->id);
}

void links_json(const struct device_links *links, cJSON *json)
{
    cJSON *array = cli_json_array(json, "links");
    for (size_t i = 0; i < links->count; i++) {
        const struct measured_link *measured = &links->list[i];
        const struct shoal_link *link = &measured->link;
        const bool done = measured->error.status == SHOAL_OK;
        cJSON *object = cli_json_object(array, NULL);
        cli_json_text(object, "from", info_of(measured->from)->id);
        cli_json_text(object, "to", info_of(measured->to)->id);
        cli_json_text(object, "path", done ? shoal_link_path_name(link->path) : NULL);
        cli_json_real(object, "bytes_per_s", done ? link->bytes_per_s : NAN);
        cli_json_real(object, "latency_us", done ? 1e6 * link->latency_s : NAN);
        cli_json_uint(object, "copy_bytes", link->copy_bytes);
        cli_json_error(object, "error", &measured->error);
    }
}
