/* Descriptions of the keys of JSON documents, for the man pages: every key that --json prints has a line in
 * one of the tables of struct json_field. A test compares the tables with the output of the commands. */
#ifndef SHOAL_TOOLS_CLI_HELP_FIELDS_H
#define SHOAL_TOOLS_CLI_HELP_FIELDS_H

struct cli_command;

struct json_field {
    const char *path; /* keys joined by dots, with [] after a list; a word in capitals stands for any key */
    const char *unit; /* unit; "": none */
    const char *meaning;
};

/* End of a list of fields: a NULL path. Paths of the fields of a workload (struct report) are relative to a
 * row: "result.fields.dim" means "rows[].result.fields.dim". */
#define JSON_FIELDS_END                                                                                      \
    {                                                                                                        \
        0, 0, 0                                                                                              \
    }

typedef void json_field_show(const char *prefix, const struct json_field *field);

/* Calls `show` for each field of the command's documents. */
void cli_json_fields(const struct cli_command *command, json_field_show *show);

#endif
