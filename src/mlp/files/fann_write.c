/* Nets as FANN 2.x saves them (http://leenissen.dk/fann, "FANN_FLO_2.1"): settings of training, which get
 * FANN's defaults, sizes of layers with their bias neurons, scales, neurons, and the connections of each
 * neuron: to the neurons of the layer before in their order, then to the bias neuron of that layer.
 *
 * With v the sum of a neuron and s its steepness: FANN_SIGMOID is 1 / (1 + exp(-2 s v)),
 * FANN_SIGMOID_SYMMETRIC tanh(s v), FANN_LINEAR s v. FANN limits s v to +-150 / s, which outputs that are
 * numbers may exceed. Linear layers therefore have a small s, a power of 2, and weights multiplied by 1 / s.
 */
#include "mlp/files/fann.h"

#include "base/error.h"
#include "io/decimal.h"
#include "io/output.h"
#include "mlp/mlp.h"

static const double linear_steepness = 1.0 / 1024;
/* Deviation of an input that is constant in the training rows, so large that every value of the input becomes
 * 0. */
static const double constant_deviation = 1e30;

static void add_real(struct output *output, double value)
{
    char digits[DECIMAL_MOST + 1];
    digits[decimal_write(digits, value, false)] = '\0';
    output_add(output, digits);
}

static void add_settings(struct output *output, uint32_t layers)
{
    output_printf(output, "FANN_FLO_2.1\nnum_layers=%u\n", layers);
    output_add(output, "learning_rate=0.700000\n"
                       "connection_rate=1.000000\n"
                       "network_type=0\n"
                       "learning_momentum=0.000000\n"
                       "training_algorithm=2\n"
                       "train_error_function=1\n"
                       "train_stop_function=0\n"
                       "cascade_output_change_fraction=0.010000\n"
                       "quickprop_decay=-0.000100\n"
                       "quickprop_mu=1.750000\n"
                       "rprop_increase_factor=1.200000\n"
                       "rprop_decrease_factor=0.500000\n"
                       "rprop_delta_min=0.000000\n"
                       "rprop_delta_max=50.000000\n"
                       "rprop_delta_zero=0.100000\n"
                       "cascade_output_stagnation_epochs=12\n"
                       "cascade_candidate_change_fraction=0.010000\n"
                       "cascade_candidate_stagnation_epochs=12\n"
                       "cascade_max_out_epochs=150\n"
                       "cascade_min_out_epochs=50\n"
                       "cascade_max_cand_epochs=150\n"
                       "cascade_min_cand_epochs=50\n"
                       "cascade_num_candidate_groups=2\n"
                       "bit_fail_limit=3.5e-01\n"
                       "cascade_candidate_limit=1000\n"
                       "cascade_weight_multiplier=4.0e-01\n"
                       "cascade_activation_functions_count=10\n"
                       "cascade_activation_functions=3 5 7 8 10 11 14 15 16 17 \n"
                       "cascade_activation_steepnesses_count=4\n"
                       "cascade_activation_steepnesses=2.5e-01 5.0e-01 7.5e-01 1.0 \n");
}

/* Adds a scale. FANN scales x to ((x - mean) / deviation + 1) factor + new_min, which with factor 1 and
 * new_min -1 is the scale of a preparation. factor NULL: all factors are 1, and all shifts 0. */
static void add_scale(struct output *output, const char *side, const double *shift, const double *factor,
                      size_t count)
{
    static const char *const keys[] = {"mean", "deviation", "new_min", "factor"};
    for (int key = 0; key < 4; key++) {
        output_printf(output, "scale_%s_%s=", keys[key], side);
        for (size_t k = 0; k < count; k++) {
            const double deviation = !factor ? 1 : factor[k] == 0 ? constant_deviation : 1 / factor[k];
            add_real(output, key == 0 ? (shift ? shift[k] : 0) : key == 1 ? deviation : key == 2 ? -1 : 1);
            output_add(output, " ");
        }
        output_add(output, "\n");
    }
}

static bool is_scaled(const struct preparation *preparation)
{
    bool is_scaled = false;
    for (size_t k = 0; k < preparation->input_width; k++)
        is_scaled |= preparation->shift[k] != 0 || preparation->factor[k] != 1;
    for (size_t k = 0; k < preparation->target_width && preparation->target_factor; k++)
        is_scaled |= preparation->target_shift[k] != 0 || preparation->target_factor[k] != 1;
    return is_scaled;
}

static double steepness_of(const struct net_layer *layer)
{
    return layer->activation == MLP_LOGISTIC ? layer->slope / 2
           : layer->activation == MLP_TANH   ? 1
                                             : linear_steepness;
}

static void add_neurons(struct output *output, const struct net *net)
{
    output_add(output, "neurons (num_inputs, activation_function, activation_steepness)=");
    for (uint32_t i = 0; i <= net->inputs; i++)
        output_add(output, "(0, 0, 0.0) ");
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        const int function = layer->activation == MLP_LOGISTIC ? FANN_FILE_SIGMOID
                             : layer->activation == MLP_TANH   ? FANN_FILE_SIGMOID_SYMMETRIC
                                                               : FANN_FILE_LINEAR;
        for (uint32_t o = 0; o < layer->outputs; o++) {
            output_printf(output, "(%u, %d, ", layer->inputs + 1, function);
            add_real(output, steepness_of(layer));
            output_add(output, ") ");
        }
        output_printf(output, "(0, %d, 0.0) ", function);
    }
    output_add(output, "\n");
}

static void add_connections(struct output *output, const struct shoal_mlp_model *model)
{
    const struct net *net = model->net;
    size_t before = 0; /* number of the first neuron of the layer before */
    output_add(output, "connections (connected_to_neuron, weight)=");
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        const double larger = layer->activation == MLP_LINEAR ? 1 / linear_steepness : 1;
        for (uint32_t o = 0; o < layer->outputs; o++)
            for (uint32_t i = 0; i <= layer->inputs; i++) {
                const size_t place =
                    i == layer->inputs ? layer->biases + o : layer->weights + (size_t)o * layer->inputs + i;
                output_printf(output, "(%zu, ", before + i);
                add_real(output, model->parameters[place] * larger);
                output_add(output, ") ");
            }
        before += layer->inputs + 1;
    }
    output_add(output, "\n");
}

enum shoal_status model_check_fann(const struct net *net, const char *path, struct shoal_error *error)
{
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const int activation = net->layers[l].activation;
        if (activation != MLP_LOGISTIC && activation != MLP_TANH && activation != MLP_LINEAR)
            return fail(error, SHOAL_UNSUPPORTED,
                        "%s: FANN has no %s, that of layer %u; logistic, tanh and linear are written", path,
                        mlp_activation_names[activation], l + 1);
    }
    return SHOAL_OK;
}

enum shoal_status model_write_fann(const struct shoal_mlp_model *model, const char *path,
                                   struct shoal_error *error)
{
    const struct net *net = model->net;
    const struct preparation *preparation = model->preparation;
    struct output output;
    const enum shoal_status status = model_check_fann(net, path, error);
    if (status)
        return status;
    output_open(&output, path);
    add_settings(&output, net->layer_count + 1);
    output_printf(&output, "layer_sizes=%u ", net->inputs + 1);
    for (uint32_t l = 0; l < net->layer_count; l++)
        output_printf(&output, "%u ", net->layers[l].outputs + 1);
    output_printf(&output, "\nscale_included=%d\n", is_scaled(preparation));
    if (is_scaled(preparation)) {
        add_scale(&output, "in", preparation->shift, preparation->factor, net->inputs);
        add_scale(&output, "out", preparation->target_shift, preparation->target_factor, net->outputs);
    }
    add_neurons(&output, net);
    add_connections(&output, model);
    return output_close(&output, true, error);
}
