/* shoal data info, convert and the generators of data sets. */
#ifndef SHOAL_CLI_COMMANDS_DATASET_H
#define SHOAL_CLI_COMMANDS_DATASET_H

#include "cli/cli.h"

#include <shoal/dataset.h>

/* Words for the kind of a column and for its encoding, by their enums. */
extern const char *const cli_column_kinds[], *const cli_column_encodings[];

/* A file as data info reads it: as a data set, and as a table. */
struct cli_data_file {
    struct shoal_dataset_params dataset;
    struct shoal_table_params table;
    bool drops_missing;
};

/* What each command makes of it. */
struct cli_uses;
struct cli_uses *cli_uses_find(const struct cli_data_file *file);
/* Whether it is a data set, a table, or anything that a command takes. */
bool cli_uses_dataset(const struct cli_uses *uses);
bool cli_uses_table(const struct cli_uses *uses);
bool cli_uses_any(const struct cli_uses *uses);
/* NULL: nothing was tried; an empty list. */
void cli_uses_print(const struct cli_uses *uses);
void cli_uses_json(const struct cli_uses *uses, cJSON *json);
void cli_uses_free(struct cli_uses **uses);

int cli_dataset_info(const struct cli *cli, const struct shoal_dataset_params *params,
                     const struct cli_uses *uses);
/* Says that a format has no names of columns, which those of `from` lose. */
void cli_note_no_names(const struct cli *cli, const char *out, const char *from);
int cli_dataset_convert(const struct cli *cli, const struct shoal_dataset_params *params, const char *out,
                        enum shoal_precision precision);

int cli_dataset_generate(const struct cli *cli, const struct shoal_dataset_generator *generator,
                         const char *out, enum shoal_precision precision);

#endif
