#include "io/output.h"

#include "base/error.h"
#include "base/packed/pack.h"
#include "io/decimal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18 };

enum shoal_status output_failed(const char *path, int code, struct shoal_error *error)
{
    return code == ENOMEM
               ? fail_host_memory(error)
               : fail_call(error, SHOAL_IO, "write", code, "%s: cannot be written: %s", path, strerror(code));
}

void output_open(struct output *output, const char *path)
{
    *output = (struct output){.text = {.data = NULL}};
    file_writer_open(&output->writer, path, FILE_OF_USER);
    if (pack_is_asked_for(path))
        file_writer_pack(&output->writer);
}

static void flush(struct output *output, size_t least)
{
    if (output->text.length < least)
        return;
    file_writer_add(&output->writer, output->text.data, output->text.length);
    output->text.length = 0;
}

void output_add(struct output *output, const char *string)
{
    text_add(&output->text, string);
    flush(output, PIECE);
}

void output_printf(struct output *output, const char *format, ...)
{
    char line[512];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (length >= 0 && (size_t)length < sizeof line) {
        output_add(output, line);
        return;
    }
    char *longer = length < 0 ? NULL : malloc((size_t)length + 1);
    if (longer) {
        va_start(list, format);
        vsnprintf(longer, (size_t)length + 1, format, list);
        va_end(list);
        output_add(output, longer);
    }
    output->text.failed |= !longer;
    free(longer);
}

void output_real(struct output *output, double value)
{
    char digits[DECIMAL_MOST];
    decimal_write(digits, value, false);
    output_add(output, digits);
}

void text_add_json_string(struct text *text, const char *string)
{
    char *copy = strdup(string), escaped[8];
    text->failed |= !copy;
    if (!copy)
        return;
    text_clean(copy, "\b\t\n\f\r");
    text_add(text, "\"");
    for (const char *c = copy; *c; c++) {
        const bool is_control = (unsigned char)*c < 0x20;
        if (is_control)
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            snprintf(escaped, sizeof escaped, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
        text_add(text, escaped);
    }
    text_add(text, "\"");
    free(copy);
}

void output_json_string(struct output *output, const char *string)
{
    text_add_json_string(&output->text, string);
    flush(output, PIECE);
}

void text_add_csv_field(struct text *text, const char *field, bool is_first)
{
    const bool is_plain = *field && !strpbrk(field, ",;\t\"\r\n") && *field != ' ' &&
                          field[strlen(field) - 1] != ' ' && (!is_first || *field != '#');
    if (is_plain) {
        text_add(text, field);
        return;
    }
    text_add(text, "\"");
    for (const char *c = field; *c; c++) {
        const char one[3] = {*c, *c == '"' ? '"' : '\0', '\0'};
        text_add(text, one);
    }
    text_add(text, "\"");
}

enum shoal_status output_close(struct output *output, bool keep, struct shoal_error *error)
{
    const char *path = output->writer.path;
    const bool failed = output->text.failed;
    flush(output, 1);
    const int code = file_writer_close(&output->writer, keep && !failed);
    text_free(&output->text);
    if (failed)
        return fail_host_memory(error);
    return code ? output_failed(path, code, error) : SHOAL_OK;
}
