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
/* Finds the uses that commands have for the file: see `uses` of struct report. */
struct cli_uses *cli_uses_find(const struct cli_data_file *file);
/* cli_uses_add adds a command that takes the file. command: the name and the option, "mlp --data"; text: how
 * the command reads the file, allocated by the caller, freed by cli_uses_free; notes: notes on the file,
 * copied, NULL: none. cli_uses_refuse adds a command that does not take the file, with the message of `error`
 * as the reason. */
void cli_uses_add(struct cli_uses *uses, const char *command, char *text, const char *notes);
void cli_uses_refuse(struct cli_uses *uses, const char *command, const struct shoal_error *error);
/* cli_uses_dataset: whether the file is a data set; cli_uses_table: whether it is a table; cli_uses_any:
 * whether a command takes the file. */
bool cli_uses_dataset(const struct cli_uses *uses);
bool cli_uses_table(const struct cli_uses *uses);
bool cli_uses_any(const struct cli_uses *uses);
/* cli_uses_print prints the uses, cli_uses_json adds the uses to `json`. uses NULL: an empty list. */
void cli_uses_print(const struct cli_uses *uses);
void cli_uses_json(const struct cli_uses *uses, cJSON *json);
void cli_uses_free(struct cli_uses **uses);

#endif
