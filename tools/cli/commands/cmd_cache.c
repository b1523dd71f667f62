/* shoal cache: the folder of compiled kernels. */
#include "cli/cli.h"

struct values {
    bool clear;
};

static const struct shoal_option options[] = {
    {"clear", SHOAL_OPTION_FLAG, offsetof(struct values, clear), "", 0, 0, NULL,
     "remove all compiled kernels; tuned values are kept"},
};

static const struct shoal_example examples[] = {
    {"shoal cache", "folder and size of the compiled kernels"},
    {"shoal cache --clear", "remove them; the next run compiles again"},
};

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_cache_info info = {.path = ""};
    struct shoal_error error = {0};
    uint64_t removed = 0;
    int code = cli_open(cli);
    if (code != CLI_OK)
        return code;
    if (values->clear && shoal_cache_clear(cli->shoal, &removed, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    if (shoal_cache_get_info(cli->shoal, &info, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    if (cli->common.json) {
        cJSON *json = cli_json_new("cache");
        cli_json_text(json, "path", *info.path ? info.path : NULL);
        cli_json_uint(json, "entries", info.entries);
        cli_json_uint(json, "bytes", info.bytes);
        cli_json_uint(json, "removed", removed);
        return cli_json_print(json);
    }
    if (!*info.path) {
        puts("The cache is off.");
        return CLI_OK;
    }
    if (values->clear)
        printf("removed  %llu compiled kernels\n", (unsigned long long)removed);
    cli_print("path     %s\nentries  %llu\nsize     %s\n", info.path, (unsigned long long)info.entries,
              cli_bytes(info.bytes).s);
    return CLI_OK;
}

const struct cli_command cli_cache = {
    .name = "cache",
    .summary = "show or clear the compiled kernels kept on disk",
    .description = "Shows the folder of compiled kernels and tuned values. Devices whose driver caches "
                   "compiled kernels itself (PoCL, NVIDIA's OpenCL) have no entries in it.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_CACHE,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
