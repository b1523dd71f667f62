/* Private: a model, and the formats of its files.
 *
 * Each model has a preparation. If the file of a model has none, its preparation leaves inputs as they
 * are. */
#ifndef SHOAL_MLP_FILES_MODEL_H
#define SHOAL_MLP_FILES_MODEL_H

#include "dataset/prepare/prepare.h"
#include "mlp/model/net.h"

#include <shoal/mlp_model.h>

struct shoal_mlp_model {
    struct shoal_mlp_model_info info;
    struct net *net;
    double *parameters; /* in the order of mlp/model/net.h */
    struct preparation *preparation;
    struct shoal_mlp_model_column *columns;
    char *creator, *notes;
    /* Arrays to which `info` points. */
    uint32_t *widths;
    int32_t *activations;
    double *slopes;
    const char **output_names, **target_names;
};

/* The parts from which model_create makes a model. All parts are copied. */
struct model_parts {
    const struct net *net;
    const double *parameters;
    const struct preparation *preparation; /* NULL: inputs are taken as they are */
    enum shoal_precision precision;
    const char *creator, *notes; /* NULL: "" */
};
/* Creates a model. SHOAL_INVALID: the preparation has other widths than the net. SHOAL_IO: a parameter is no
 * finite number. */
SHOAL_MUST_CHECK enum shoal_status model_create(const struct model_parts *parts, struct shoal_mlp_model **out,
                                                struct shoal_error *error);

/* Words for enum mlp_loss in files, ended by NULL; words for activations are in mlp_activation_names. */
extern const char *const model_losses[];
/* Index of `word` in `words`; -1: there is no such word. */
int model_word(const char *const *words, const char *word);

/* Makes a preparation that leaves inputs as they are. Outputs are classes "0", "1", ... if the last layer is
 * softmax, else numbers. */
SHOAL_MUST_CHECK enum shoal_status model_plain_preparation(const struct net *net, struct preparation **out,
                                                           struct shoal_error *error);

/* Creates a net with the widths[0 .. layers], of which the first is the number of inputs, and with the
 * activations of `file`. SHOAL_INVALID: activations are missing or do not fit. */
SHOAL_MUST_CHECK enum shoal_status model_net_of(const struct shoal_mlp_model_file *file,
                                                const uint32_t *widths, uint32_t layers, struct net **out,
                                                struct shoal_error *error);

/* Functions of a format. A reader gets the whole content of a file; messages name file->path. */
typedef enum shoal_status model_reader(const struct shoal_mlp_model_file *file, const char *content,
                                       size_t bytes, struct shoal_mlp_model **out, struct shoal_error *error);
/* Checks that the format can store all features of the net. */
typedef enum shoal_status model_net_check(const struct net *net, const char *path, struct shoal_error *error);
SHOAL_MUST_CHECK model_net_check model_check_fann, model_check_c_int8;
typedef enum shoal_status model_writer(const struct shoal_mlp_model *model, const char *path,
                                       struct shoal_error *error);
SHOAL_MUST_CHECK model_reader model_read_safetensors, model_read_fann;
SHOAL_MUST_CHECK enum shoal_status model_open_npy(const struct shoal_mlp_model_file *file,
                                                  struct shoal_mlp_model **out, struct shoal_error *error);
SHOAL_MUST_CHECK model_writer model_write_safetensors, model_write_fann, model_write_npy, model_write_onnx,
    model_write_c_float, model_write_c_int8;

/* Checks that the net can be saved as `path`, except for limits that depend on its parameters. */
SHOAL_MUST_CHECK enum shoal_status model_can_save(const struct net *net, const char *path, const char *form,
                                                  struct shoal_error *error);

/* Reads the parameters of the net `net` from a file, a model or .npy. SHOAL_IO: the file is of another shape.
 */
SHOAL_MUST_CHECK enum shoal_status model_read_parameters(const char *path, const struct net *net,
                                                         double *parameters, struct shoal_error *error);
/* Copies the parameters of a model that was opened from the file `path`. */
SHOAL_MUST_CHECK enum shoal_status model_copy_parameters(const struct shoal_mlp_model *model,
                                                         const char *path, const struct net *net,
                                                         double *parameters, struct shoal_error *error);
/* Reads `count` numbers from a .npy file. */
SHOAL_MUST_CHECK enum shoal_status model_read_flat(const char *path, size_t count, double *parameters,
                                                   struct shoal_error *error);

#endif
