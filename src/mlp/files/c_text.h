/* Private to this folder: text that C files in floating point and C files in integers share: the head
 * comment, names, arrays. */
#ifndef SHOAL_MLP_FILES_C_TEXT_H
#define SHOAL_MLP_FILES_C_TEXT_H

#include "io/output.h"
#include "mlp/files/model.h"

enum { C_NAME_MOST = 48 };

struct c_text {
    const struct shoal_mlp_model *model;
    struct output output;
    char name[C_NAME_MOST]; /* beginning of every identifier, made from the name of the file */
    size_t flash;           /* bytes of the constants added so far */
};

void c_text_open(struct c_text *text, const struct shoal_mlp_model *model, const char *path);
/* Adds a text, with each '@' replaced by the name. */
void c_text_add(struct c_text *text, const char *lines);
/* Adds to the head comment a list of the columns of a row and a list of the outputs. detail: returns the text
 * to add after the name of a column of numbers or of an output, or NULL to add nothing; must not be NULL
 * itself. */
typedef const char *c_text_detail(void *data, bool is_output, size_t index);
void c_text_describe(struct c_text *text, c_text_detail *detail, void *data);
/* c_text_floats and c_text_integers add an array of constants: "static const TYPE NAME_key[count] = {...};".
 */
void c_text_floats(struct c_text *text, const char *key, const double *values, size_t count);
void c_text_integers(struct c_text *text, const char *key, unsigned bytes, bool is_signed,
                     const double *values, size_t count);
/* Writes a number of single precision with its suffix: "1.0f". */
void c_text_float(struct output *output, double value);
/* Adds the function that finds the class from outputs of the type `type`: the largest output, or whether a
 * single output is more than `half`. */
void c_text_class(struct c_text *text, const char *type, const char *half);

#endif
