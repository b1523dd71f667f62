#include "cli/output/tables/block.h"

#include "base/text.h"
#include "cli/output/tables/layout.h"
#include "cli/output/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

struct line {
    char *label, *value;
};

struct cli_block {
    struct line *lines;
    size_t count;
};

struct cli_block *cli_block_new(void)
{
    return cli_alloc(sizeof(struct cli_block));
}

char *cli_label(const char *key)
{
    char *label = cli_strdup(key);
    for (char *at = label; (at = strchr(at, '_'));)
        *at = ' ';
    return label;
}

void cli_block_line(struct cli_block *block, const char *label, const char *format, ...)
{
    va_list args;
    char *text = cli_label(label);
    va_start(args, format);
    const struct line line = {.label = cli_sprintf("%s:", text), .value = cli_vsprintf(format, args)};
    va_end(args);
    text_clean(line.value, "");
    free(text);
    block->lines = cli_realloc(block->lines, (block->count + 1) * sizeof *block->lines);
    block->lines[block->count++] = line;
}

void cli_block_print(const struct cli_block *block, FILE *file)
{
    size_t widest = 0;
    for (size_t i = 0; i < block->count; i++)
        if (cli_columns(block->lines[i].label) > widest)
            widest = cli_columns(block->lines[i].label);
    for (size_t i = 0; i < block->count; i++) {
        const struct line *line = &block->lines[i];
        fprintf(file, "%s%*s", line->label, (int)(widest + GAP - cli_columns(line->label)), "");
        cli_wrap(file, line->value, widest + GAP, widest + GAP, cli_width(file));
        putc('\n', file);
    }
}

void cli_block_free(struct cli_block **pointer)
{
    struct cli_block *block = *pointer;
    if (!block)
        return;
    for (size_t i = 0; i < block->count; i++) {
        free(block->lines[i].label);
        free(block->lines[i].value);
    }
    free(block->lines);
    free(block);
    *pointer = NULL;
}
