#include "compute/program/kernel_names.h"

#include "base/error.h"
#include "base/file.h"
#include "compute/program/comments.h"
#include "compute/program/embedded.h"
#include "compute/program/source.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Table ------------------------------------------------------------------------------------------------- */

static size_t hash_of(struct word word)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < word.length; i++)
        hash = (hash ^ (unsigned char)word.at[i]) * 16777619u;
    return hash;
}

/* Of the word, or the free one for it; there is room. */
static size_t *slot_of(const struct kernel_names *names, struct word word)
{
    const size_t count = 2 * names->room;
    for (size_t i = hash_of(word) % count;; i = (i + 1) % count) {
        const struct kernel_name *name = names->slots[i] ? &names->names[names->slots[i] - 1] : NULL;
        if (!name || (name->length == word.length &&
                      memcmp(names->characters.data + name->at, word.at, word.length) == 0))
            return &names->slots[i];
    }
}

static bool grow(struct kernel_names *names, size_t room)
{
    struct kernel_name *longer = realloc(names->names, room * sizeof *longer);
    if (longer)
        names->names = longer;
    size_t *slots = longer ? calloc(2 * room, sizeof *slots) : NULL;
    if (!slots)
        return false;
    free(names->slots);
    names->slots = slots;
    names->room = room;
    for (size_t i = 0; i < names->count; i++) {
        const struct kernel_name *name = &names->names[i];
        *slot_of(names, (struct word){names->characters.data + name->at, name->length}) = i + 1;
    }
    return true;
}

/* Of bsearch. */
static int compare_words(const void *key, const void *element)
{
    const struct word *word = key;
    const char *name = ((const struct embedded_word *)element)->name;
    const int order = strncmp(word->at, name, word->length);
    return order ? order : name[word->length] ? -1 : 0;
}

/* Part of the kernel dialect; NULL: it is not. */
static const struct embedded_word *find_dialect(struct word word)
{
    return bsearch(&word, embedded_words, embedded_word_count, sizeof *embedded_words, compare_words);
}

static void add(struct kernel_names *names, struct word word, unsigned flags)
{
    enum { FIRST_ROOM = 2048 };
    if (names->failed || find_dialect(word))
        return;
    if (names->count == names->room && !grow(names, names->room ? 2 * names->room : FIRST_ROOM)) {
        names->failed = true;
        return;
    }
    size_t *slot = slot_of(names, word);
    if (*slot == 0) {
        const size_t at = names->characters.length;
        text_append(&names->characters, word.at, word.length);
        names->failed = names->characters.failed;
        names->characters.failed = false;
        if (names->failed)
            return;
        names->names[names->count] = (struct kernel_name){.at = at, .length = word.length};
        *slot = ++names->count;
    }
    names->names[*slot - 1].flags |= flags | NAME_KNOWN;
}

/* Texts ------------------------------------------------------------------------------------------------- */

/* A word, or a mark of one character. Numbers and strings are marks. */
struct token {
    struct word word;
    char mark;
};

/* Behind the string or character that begins at c. One that does not end in its line is an apostrophe in an
 * #error. */
static const char *skip_quoted(const char *c)
{
    const char quote = *c;
    for (const char *end = c + 1; *end && *end != '\n'; end++)
        if (*end == quote)
            return end + 1;
        else if (*end == '\\' && end[1])
            end++;
    return c + 1;
}

/* Reads the next one; false: the text ends. Directives are left out, and `begins` says that c is at the begin
 * of a line. */
static bool next_token(const char **c, bool *begins, struct token *token)
{
    for (; **c; ++*c) {
        if (*begins && *skip_blanks(*c) == '#')
            *c += strcspn(*c, "\n");
        *begins = **c == '\n';
        if (!**c || !isspace((unsigned char)**c))
            break;
    }
    *token = (struct token){.mark = **c};
    if (!**c)
        return false;
    if (starts_word(**c)) {
        token->word = read_word(*c);
        *c += token->word.length;
    } else if (starts_number(*c)) {
        *c += number_length(*c);
    } else if (**c == '"' || **c == '\'') {
        *c = skip_quoted(*c);
    } else {
        ++*c;
    }
    return true;
}

static bool is_upper(struct word word)
{
    bool any = false;
    for (size_t i = 0; i < word.length; i++) {
        if (islower((unsigned char)word.at[i]))
            return false;
        any = any || isupper((unsigned char)word.at[i]);
    }
    return any;
}

/* To behind the bracket that closes `open`; takes the names between where `are_defined`. */
static void skip_brackets(struct kernel_names *names, const char **c, bool *begins, char open,
                          bool are_defined, unsigned flags)
{
    const char close = (char)(open == '(' ? ')' : open == '{' ? '}' : ']');
    struct token token;
    for (long depth = 1; depth > 0 && next_token(c, begins, &token);) {
        if (!token.word.length)
            depth += (token.mark == open) - (token.mark == close);
        else if (are_defined)
            add(names, token.word, flags);
    }
}

/* Functions, types and constants at file scope; what macros define there has its name among their arguments.
 */
static void take_definitions(struct kernel_names *names, const char *text, unsigned flags)
{
    struct token token, before = {.mark = 0}, earlier = before; /* the two before it */
    bool begins = true;
    for (const char *c = text; next_token(&c, &begins, &token); earlier = before, before = token) {
        if (token.word.length) {
            add(names, token.word, flags);
        } else if (strchr("({[", token.mark)) {
            const bool is_call = token.mark == '(' && is_upper(before.word);
            const bool is_enum =
                token.mark == '{' && (word_is(before.word, "enum") || word_is(earlier.word, "enum"));
            skip_brackets(names, &c, &begins, token.mark, is_call || is_enum, flags);
        }
    }
}

/* Objectives of the library and placeholders: a user's text may have the same names, as it replaces them. */
static bool takes_the_place_of_a_text(const char *file, const char *text)
{
    if (strcmp(file_base_name(file), "snippet.clh") == 0)
        return true;
    for (const char *line = text; *line; line = next_line(line)) {
        const char *name = directive(line, "define");
        if (name && word_is(read_word(name), "SHAPE"))
            return true;
    }
    return false;
}

static void take_part(struct kernel_names *names, const char *file, const char *text)
{
    const unsigned flags = strncmp(file, "lib/", 4) == 0 ? NAME_IN_LIBRARY : 0;
    for (const char *c = text; *c;) {
        if (starts_word(*c)) {
            const struct word word = read_word(c);
            add(names, word, NAME_KNOWN);
            c += word.length;
        } else if (starts_number(c)) {
            c += number_length(c);
        } else if (*c == '"' || *c == '\'') {
            c = skip_quoted(c);
        } else {
            c++;
        }
    }
    if (strncmp(file, "cuda/", 5) == 0 || takes_the_place_of_a_text(file, text))
        return;
    for (const char *line = text; *line; line = next_line(line)) {
        const char *name = directive(line, "define");
        if (name && starts_word(*name))
            add(names, read_word(name), flags | NAME_MACRO);
    }
    take_definitions(names, text, flags | NAME_DEFINED);
}

/* A file, perhaps with its includes expanded, as `shoal kernels --dump` writes it: by parts between #line. */
static void take_file(struct kernel_names *names, const char *file, const char *text)
{
    char part[256], next[256] = "";
    unsigned long number;
    bool open;
    char *bare = text_without_comments(text, &open), *begin = bare;
    names->failed = names->failed || !bare;
    snprintf(part, sizeof part, "%s", file);
    for (char *line = bare; bare;) {
        if (!*line || source_marker(line, strcspn(line, "\n"), &number, next)) {
            const char first = *line;
            *line = '\0';
            take_part(names, part, begin);
            *line = first;
            begin = line;
            memcpy(part, next, sizeof part);
        }
        if (!*line)
            break;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    free(bare);
}

/* All kernel files ----------------------------------------------------------------------------------------
 */

/* Found once; `built_in_next` is the file to go on with where memory ran out. */
static struct kernel_names built_in;
static const struct embedded_file *built_in_next = embedded_files;
static pthread_mutex_t built_in_lock = PTHREAD_MUTEX_INITIALIZER;

static void copy(struct kernel_names *names, const struct kernel_names *from)
{
    const size_t size = from->room * sizeof *names->names, slots = 2 * from->room * sizeof *names->slots;
    *names = *from;
    names->characters = (struct text){0};
    text_append(&names->characters, from->characters.data, from->characters.length);
    names->names = malloc(size);
    names->slots = malloc(slots);
    names->failed = from->failed || names->characters.failed || !names->names || !names->slots;
    if (names->failed)
        return;
    memcpy(names->names, from->names, size);
    memcpy(names->slots, from->slots, slots);
}

static void take_built_in(struct kernel_names *names)
{
    pthread_mutex_lock(&built_in_lock);
    built_in.failed = false;
    while (built_in_next->name && !built_in.failed) {
        take_file(&built_in, built_in_next->name, built_in_next->text);
        built_in_next += !built_in.failed;
    }
    copy(names, &built_in);
    pthread_mutex_unlock(&built_in_lock);
}

struct files {
    char **names;
    size_t count;
};

static bool files_add(struct files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->names[i], name) == 0)
            return true;
    char **longer = realloc(files->names, (files->count + 1) * sizeof *longer);
    if (longer)
        files->names = longer;
    if (!longer || !(longer[files->count] = strdup(name)))
        return false;
    files->count++;
    return true;
}

static bool files_add_includes(struct files *files, const char *text)
{
    char name[256];
    for (const char *line = text; *line; line = next_line(line))
        if (source_include(line, strcspn(line, "\n"), name, sizeof name) && !files_add(files, name))
            return false;
    return true;
}

static enum shoal_status take_folder(const struct shoal *shoal, struct kernel_names *names,
                                     struct shoal_error *error)
{
    struct files files = {0};
    enum shoal_status status = SHOAL_OK;
    for (const struct embedded_file *file = embedded_files; file->name && !names->failed; file++)
        names->failed = !files_add(&files, file->name);
    for (size_t i = 0; i < files.count && !names->failed && !status; i++) {
        char *text;
        status = source_of_folder(shoal, files.names[i], &text, error);
        if (!text)
            continue;
        take_file(names, files.names[i], text);
        names->failed = names->failed || !files_add_includes(&files, text);
        free(text);
    }
    for (size_t i = 0; i < files.count; i++)
        free(files.names[i]);
    free(files.names);
    return status;
}

enum shoal_status kernel_names_create(const struct shoal *shoal, struct kernel_names *names,
                                      struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    take_built_in(names);
    if (!names->failed && source_has_folder(shoal))
        status = take_folder(shoal, names, error);
    if (!status && names->failed)
        status = fail_host_memory(error);
    if (status)
        kernel_names_free(names);
    return status;
}

unsigned kernel_names_flags(const struct kernel_names *names, struct word word)
{
    const struct embedded_word *known = find_dialect(word);
    if (known)
        return known->flags | NAME_KNOWN;
    const size_t place = *slot_of(names, word);
    return place ? names->names[place - 1].flags : 0;
}

void kernel_names_free(struct kernel_names *names)
{
    text_free(&names->characters);
    free(names->names);
    free(names->slots);
    *names = (struct kernel_names){.count = 0};
}
