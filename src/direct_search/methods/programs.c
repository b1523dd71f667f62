/* Contracts of cl/direct_search/methods. */
#include "compute/contract.h"
#include "direct_search/device/device.h"

static const struct shoal_entry_desc onchip_entries[] = {
    ENTRY(direct_search_onchip, direct_run, .local_define = "POOL", .local_bytes_per_unit = 8,
          .local_bytes_per_item = DIRECT_ITEM_BYTES,
          .help = "many steps of islands, a work-group for each island"),
};

static const struct shoal_define_desc onchip_defines[] = {
    DIRECT_DEFINE_DESCS(direct_search_onchip),
    DEFINE(direct_search_onchip, COLUMNS, 1, SEARCH_SETTINGS_NUMBERS,
           "columns of the table that an opaque objective reads"),
    DEFINE(direct_search_onchip, IN_LOCAL, 0, 1, "1: members and points are in local memory"),
    DEFINE(direct_search_onchip, POOL, 1, 1 << 20, "local memory of an island in units of 8 bytes"),
    DEFINE(direct_search_onchip, TABLE_ROWS, 1, SEARCH_SETTINGS_NUMBERS, "rows of that table"),
};

const struct shoal_program_desc direct_onchip_program =
    PROGRAM("direct.onchip", direct_search_onchip, 0, onchip_defines, onchip_entries);

static const struct shoal_entry_desc pipeline_entries[] = {
    ENTRY(direct_search_pipeline, direct_make, .local_bytes_per_item = DIRECT_ITEM_BYTES,
          .help = "the points of a step, a work-group for each island"),
    ENTRY(direct_search_pipeline, direct_end, .local_bytes_per_item = DIRECT_ITEM_BYTES,
          .help = "the end of a step: the points that become members"),
};

static const struct shoal_define_desc pipeline_defines[] = {DIRECT_DEFINE_DESCS(direct_search_pipeline)};

const struct shoal_program_desc direct_pipeline_program =
    PROGRAM("direct.pipeline", direct_search_pipeline, 0, pipeline_defines, pipeline_entries);
