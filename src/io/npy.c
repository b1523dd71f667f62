/* The header of NumPy's .npy files (NEP 1): magic, version, length, and a dictionary in Python's syntax. */
#include "base/error.h"
#include "io/table.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 8, HEADER_LIMIT = 65536 };

struct header {
    char type[32];
    bool fortran;
    size_t shape[3];
    unsigned dimensions;
    unsigned seen; /* bits of the keys */
};

static void skip_blanks(const char **text)
{
    *text += strspn(*text, " \t\r\n");
}

static bool take(const char **text, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(text);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

/* Takes a quoted string without escapes, which neither keys nor types of numbers have. */
static bool take_string(const char **text, char *out, size_t size)
{
    skip_blanks(text);
    const char quote = **text;
    if (quote != '\'' && quote != '"')
        return false;
    const char *end = strchr(*text + 1, quote);
    const size_t length = end ? (size_t)(end - *text - 1) : 0;
    if (!end || length >= size)
        return false;
    memcpy(out, *text + 1, length);
    out[length] = '\0';
    *text = end + 1;
    return true;
}

static bool take_size(const char **text, size_t *out)
{
    size_t value = 0;
    skip_blanks(text);
    if (**text < '0' || **text > '9')
        return false;
    for (; **text >= '0' && **text <= '9'; ++*text)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, **text - '0', &value))
            return false;
    take(text, "L"); /* skips the suffix of integers in Python 2 */
    *out = value;
    return true;
}

static bool take_shape(const char **text, struct header *header)
{
    size_t size;
    if (!take(text, "("))
        return false;
    while (!take(text, ")")) {
        if (!take_size(text, &size))
            return false;
        if (header->dimensions < 3)
            header->shape[header->dimensions] = size;
        header->dimensions++;
        if (!take(text, ","))
            return take(text, ")");
    }
    return true;
}

/* Parses the dictionary of the header. Returns the text of an error; NULL: the dictionary is valid. */
static const char *parse(const char *text, struct header *header)
{
    char key[16];
    if (!take(&text, "{"))
        return "its header is not a dictionary";
    while (!take(&text, "}")) {
        if (!take_string(&text, key, sizeof key) || !take(&text, ":"))
            return "its header is not a dictionary";
        unsigned bit = 0;
        if (strcmp(key, "descr") == 0) {
            bit = 1;
            if (take(&text, "["))
                return "its numbers are records; save an array of plain numbers";
            if (!take_string(&text, header->type, sizeof header->type))
                return "the type of its numbers cannot be read";
        } else if (strcmp(key, "fortran_order") == 0) {
            bit = 2;
            header->fortran = take(&text, "True");
            if (!header->fortran && !take(&text, "False"))
                return "fortran_order is neither True nor False";
        } else if (strcmp(key, "shape") == 0) {
            bit = 4;
            if (!take_shape(&text, header))
                return "its shape cannot be read";
        }
        if (!bit || header->seen & bit)
            return "its header has an unknown key, or one twice";
        header->seen |= bit;
        if (!take(&text, ",")) {
            if (!take(&text, "}"))
                return "its header is not a dictionary";
            break;
        }
    }
    skip_blanks(&text);
    if (*text)
        return "its header continues after the dictionary";
    return header->seen == 7 ? NULL : "its header lacks descr, fortran_order or shape";
}

/* Parses "<f8", ">i4" or "|b1": byte order, kind and bytes. False: the type is not supported. */
static bool find_type(const char *text, struct table_type *type)
{
    const char order = text[0], kind = order ? text[1] : '\0', width = kind ? text[2] : '\0';
    const bool is_known = (kind == 'f' && strchr("48", width)) ||
                          (strchr("iu", kind) && strchr("1248", width)) || (kind == 'b' && width == '1');
    if (!width || text[3] || !strchr("<>|=", order) || !is_known)
        return false;
    *type = (struct table_type){.kind = kind, .width = (unsigned)(width - '0'), .is_big = order == '>'};
    return true;
}

static enum shoal_status set_table(struct shoal_table *table, const struct header *header, uint64_t offset,
                                   struct shoal_error *error)
{
    const char *name = table->name;
    struct table_type type;
    if (!find_type(header->type, &type))
        return fail(error, SHOAL_IO,
                    "%s: holds numbers of type '%s'; save it as '<f8' or '<f4', e.g. with a.astype('<f8')",
                    name, header->type);
    size_t columns = header->dimensions == 1 ? 1 : header->shape[1];
    if (header->dimensions < 1 || header->dimensions > 3)
        return fail(
            error, SHOAL_IO,
            "%s: has %u dimensions; a table has two, rows and columns, or one: it is a column, or three: "
            "a row has the numbers of the last two",
            name, header->dimensions);
    if (header->dimensions == 3 &&
        (header->fortran || __builtin_mul_overflow(columns, header->shape[2], &columns)))
        return fail(error, SHOAL_IO,
                    "%s: has three dimensions in Fortran order, or too many numbers; save it in C "
                    "order, e.g. with numpy.ascontiguousarray",
                    name);
    table->info.format = "npy";
    table->info.rows = header->shape[0];
    table->info.columns = columns;
    table->info.depth = header->dimensions == 3 ? header->shape[2] : 0;
    return table_set_binary(table, offset, type, header->fortran ? TABLE_COLUMNS : TABLE_ROWS, "its shape",
                            error);
}

enum shoal_status table_open_npy(struct shoal_table *table, struct shoal_error *error)
{
    unsigned char start[MAGIC + 4];
    uint64_t length, offset;
    if (table->bytes < sizeof start)
        return fail(error, SHOAL_IO, "%s: is not a .npy file: it has %llu bytes", table->name,
                    (unsigned long long)table->bytes);
    enum shoal_status status = table_read_bytes(table, 0, start, sizeof start, error);
    if (status)
        return status;
    if (memcmp(start, "\x93NUMPY", 6) != 0)
        return fail(error, SHOAL_IO, "%s: is not a .npy file: it does not start with its mark", table->name);
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        return fail(error, SHOAL_IO, "%s: is a .npy file of version %u.%u; 1.0 to 3.0 are known", table->name,
                    start[6], start[7]);
    length = start[8] | (uint64_t)start[9] << 8;
    offset = MAGIC + 2;
    if (start[6] > 1) {
        length |= (uint64_t)start[10] << 16 | (uint64_t)start[11] << 24;
        offset += 2;
    }
    if (length > HEADER_LIMIT || offset + length > table->bytes)
        return fail(error, SHOAL_IO, "%s: is a broken .npy file: its header is to have %llu bytes",
                    table->name, (unsigned long long)length);
    char *text = calloc(1, length + 1);
    if (!text)
        return fail_host_memory(error);
    struct header header = {.seen = 0};
    status = table_read_bytes(table, offset, text, length, error);
    const char *wrong = status                   ? NULL
                        : strlen(text) != length ? "its header holds a zero byte"
                                                 : parse(text, &header);
    free(text);
    if (wrong)
        return fail(error, SHOAL_IO, "%s: is a broken .npy file: %s", table->name, wrong);
    return status ? status : set_table(table, &header, offset + length, error);
}
