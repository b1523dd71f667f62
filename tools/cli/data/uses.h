/* shoal data info: which commands can use a file. */
#ifndef SHOAL_CLI_DATA_USES_H
#define SHOAL_CLI_DATA_USES_H

#include "cli/cli.h"

#include <shoal/dataset.h>

/* A file, read as a data set and as a table. */
struct cli_data_file {
    struct shoal_dataset_params dataset;
    struct shoal_table_params table;
    bool drops_missing;
};

struct cli_uses;
/* Asks every command that reads files: see `uses` of struct report. */
struct cli_uses *cli_uses_find(const struct cli_data_file *file);
/* Adds a command with the option that takes the file: `text`, allocated, says what the command takes the file
 * for; `notes` may be NULL. Or adds the failure that says why the command does not take the file. */
void cli_uses_add(struct cli_uses *uses, const char *command, char *text, const char *notes);
void cli_uses_refuse(struct cli_uses *uses, const char *command, const struct shoal_error *error);
/* Whether the file is a data set, whether it is a table, and whether any command can use it. */
bool cli_uses_dataset(const struct cli_uses *uses);
bool cli_uses_table(const struct cli_uses *uses);
bool cli_uses_any(const struct cli_uses *uses);
/* Print the uses, or add them to `json`. uses NULL: no command was asked, and the list is empty. */
void cli_uses_print(const struct cli_uses *uses);
void cli_uses_json(const struct cli_uses *uses, cJSON *json);
void cli_uses_free(struct cli_uses **uses);

#endif
