#include "compute/program/kernel_names.h"

#include "base/error.h"
#include "base/file.h"
#include "compute/program/comments.h"
#include "compute/program/embedded.h"
#include "compute/program/source.h"

#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

/* Table ------------------------------------------------------------------------------------------------- */

/* Compares two names, for tsearch and tfind. */
static int compare_names(const void *a, const void *b)
{
    const struct word one = ((const struct kernel_name *)a)->word,
                      other = ((const struct kernel_name *)b)->word;
    if (one.length != other.length)
        return one.length < other.length ? -1 : 1;
    return memcmp(one.at, other.at, one.length);
}

/* Finds a name in the tree; NULL: the tree does not have the name. */
static struct kernel_name *find(const void *tree, struct word word)
{
    const struct kernel_name key = {.word = word};
    struct kernel_name *const *node = tfind(&key, (void *const *)&tree, compare_names);
    return node ? *node : NULL;
}

/* Inserts a copy of the word into the tree; NULL: there is no memory. */
static struct kernel_name *insert(void **tree, struct word word)
{
    struct kernel_name *name = malloc(sizeof *name + word.length);
    if (!name)
        return NULL;
    *name =
        (struct kernel_name){.word = {.at = memcpy(name + 1, word.at, word.length), .length = word.length}};
    if (!tsearch(name, tree, compare_names)) {
        free(name);
        return NULL;
    }
    return name;
}

/* Compares a word with an element of embedded_words, for bsearch. */
static int compare_words(const void *key, const void *element)
{
    const struct word *word = key;
    const char *name = ((const struct embedded_word *)element)->name;
    const int order = strncmp(word->at, name, word->length);
    return order ? order : name[word->length] ? -1 : 0;
}

/* Finds a word of the kernel dialect; NULL: the word is not part of the dialect. */
static const struct embedded_word *find_dialect(struct word word)
{
    return bsearch(&word, embedded_words, embedded_word_count, sizeof *embedded_words, compare_words);
}

static void add(struct kernel_names *names, struct word word, unsigned flags)
{
    if (names->failed || find_dialect(word))
        return;
    struct kernel_name *name = find(names->own, word);
    if (!name)
        name = insert(&names->own, word);
    if (name)
        name->flags |= flags | NAME_KNOWN;
    names->failed = !name;
}

/* Texts ------------------------------------------------------------------------------------------------- */

/* A token of a text: a word, or a mark of one character. A number or a string counts as a mark. */
struct token {
    struct word word;
    char mark;
};

/* Returns the position after the string or character literal that begins at c. A quote without an end on its
 * line is taken as an apostrophe, as in an #error. */
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

/* Reads the next token, without directives. False: the text ends. *begins: whether *c is at the beginning of
 * a line. */
static bool next_token(const char **c, bool *begins, struct token *token)
{
    for (; **c; ++*c) {
        if (*begins && *skip_blanks(*c) == '#')
            *c += line_length(*c);
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

/* Skips the text up to and including the bracket that closes `open`. are_defined: adds the names between the
 * brackets, with `flags`. */
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

/* Adds the names of functions, types and constants that are defined at file scope. The name of a definition
 * made by a macro is among the arguments of the macro. */
static void take_definitions(struct kernel_names *names, const char *text, unsigned flags)
{
    struct token token, before = {.mark = 0}, earlier = before; /* the two tokens before `token` */
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

/* Whether the file is an objective of the library, or a placeholder. A user's text replaces such a file, so
 * it may use the names of the file. */
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

/* Adds the names of a file. If the file has its includes expanded, as written by `shoal kernels --dump`, a
 * #line begins each part. */
static void take_file(struct kernel_names *names, const char *file, const char *text)
{
    char part[256], next[256] = "";
    unsigned long number;
    bool open;
    char *bare = text_without_comments(text, &open), *begin = bare;
    names->failed = names->failed || !bare;
    snprintf(part, sizeof part, "%s", file);
    for (char *line = bare; bare;) {
        if (!*line || source_marker(line, line_length(line), &number, next)) {
            const char first = *line;
            *line = '\0';
            take_part(names, part, begin);
            *line = first;
            begin = line;
            memcpy(part, next, sizeof part);
        }
        if (!*line)
            break;
        line += line_length(line);
        line += *line == '\n';
    }
    free(bare);
}

/* All kernel files ------------------------------------------------------------------------------------ */

/* The names of the built-in files, found once. built_in_next: the file at which to continue if memory was
 * insufficient. */
static struct kernel_names built_in;
static const struct embedded_file *built_in_next = embedded_files;
static pthread_mutex_t built_in_lock = PTHREAD_MUTEX_INITIALIZER;

static void take_built_in(struct kernel_names *names)
{
    pthread_mutex_lock(&built_in_lock);
    built_in.failed = false;
    while (built_in_next->name && !built_in.failed) {
        take_file(&built_in, built_in_next->name, built_in_next->text);
        built_in_next += !built_in.failed;
    }
    *names = (struct kernel_names){.built_in = built_in.own, .failed = built_in.failed};
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
        if (source_include(line, line_length(line), name, sizeof name) && !files_add(files, name))
            return false;
    return true;
}

static void take_folder(const struct shoal *shoal, struct kernel_names *names)
{
    struct files files = {0};
    struct shoal_error error;
    for (const struct embedded_file *file = embedded_files; file->name && !names->failed; file++)
        names->failed = !files_add(&files, file->name);
    for (size_t i = 0; i < files.count && !names->failed; i++) {
        char *text;
        names->failed = source_of_folder(shoal, files.names[i], &text, &error) == SHOAL_OUT_OF_HOST_MEMORY;
        if (!text)
            continue;
        take_file(names, files.names[i], text);
        names->failed = names->failed || !files_add_includes(&files, text);
        free(text);
    }
    for (size_t i = 0; i < files.count; i++)
        free(files.names[i]);
    free(files.names);
}

enum shoal_status kernel_names_create(const struct shoal *shoal, struct kernel_names *names,
                                      struct shoal_error *error)
{
    take_built_in(names);
    if (!names->failed && source_has_folder(shoal))
        take_folder(shoal, names);
    if (!names->failed)
        return SHOAL_OK;
    kernel_names_free(names);
    return fail_host_memory(error);
}

unsigned kernel_names_flags(const struct kernel_names *names, struct word word)
{
    const struct embedded_word *known = find_dialect(word);
    if (known)
        return known->flags | NAME_KNOWN;
    const struct kernel_name *built = find(names->built_in, word), *own = find(names->own, word);
    return (built ? built->flags : 0) | (own ? own->flags : 0);
}

void kernel_names_free(struct kernel_names *names)
{
    tdestroy(names->own, free);
    *names = (struct kernel_names){0};
}
