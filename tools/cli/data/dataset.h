/* Private: shoal data info, shoal data convert, and the generators of data sets. */
#ifndef SHOAL_CLI_DATA_DATASET_H
#define SHOAL_CLI_DATA_DATASET_H

#include "cli/cli.h"

#include <shoal/dataset.h>

/* Words for the kind and for the encoding of a column, indexed by enum shoal_column_kind and enum
 * shoal_encoding. */
extern const char *const cli_column_kinds[], *const cli_column_encodings[];

struct cli_uses;
int cli_dataset_info(const struct cli *cli, const struct shoal_dataset_params *params,
                     const struct cli_uses *uses);
/* Notes that the format of `out` has no column names, so that the names of `from` are lost. */
void cli_note_no_names(const struct cli *cli, const char *out, const char *from);
int cli_dataset_convert(const struct cli *cli, const struct shoal_dataset_params *params, const char *out,
                        enum shoal_precision precision);

int cli_dataset_generate(const struct cli *cli, const struct shoal_dataset_generator *generator,
                         const char *out, enum shoal_precision precision);

#endif
