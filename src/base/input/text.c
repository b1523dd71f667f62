#include "base/text.h"
#include "base/error.h"
#include "base/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status read_input(const char *path, const char *what, size_t most, char **content, size_t *bytes,
                             struct shoal_error *error)
{
    *content = input_read(path, most, bytes);
    if (*content)
        return SHOAL_OK;
    if (errno == ENOMEM)
        return fail_host_memory(error);
    if (errno == INPUT_TOO_LARGE)
        return fail(error, SHOAL_IO, "cannot read %s %s: it has more than %zu bytes", what, path, most);
    return fail_call(error, SHOAL_IO, "read", errno, "cannot read %s %s: %s", what, path,
                     input_reason(errno));
}

enum shoal_status read_input_text(const char *path, const char *what, char **text, struct shoal_error *error)
{
    size_t bytes;
    enum shoal_status status = read_input(path, what, INPUT_TEXT_MOST, text, &bytes, error);
    if (status || strlen(*text) == bytes)
        return status;
    free(*text);
    *text = NULL;
    return fail(error, SHOAL_IO, "%s %s is not a text file: it has a NUL byte", what, path);
}

enum shoal_status input_to_utf8(char **content, size_t *bytes, bool *is_converted, struct shoal_error *error)
{
    const char *text = *content;
    const bool is_wide =
        *bytes >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
    *is_converted = !is_wide && !text_is_utf8(text, *bytes) && !memchr(text, '\0', *bytes);
    if (!*is_converted)
        return SHOAL_OK;
    char *copy = text_utf8_copy(text, *bytes, bytes);
    free(*content);
    *content = copy;
    return copy ? SHOAL_OK : fail_host_memory(error);
}
