#include "mlp/training/training.h"

#include "base/error.h"

#include <math.h>

static bool is_share(double value)
{
    return value >= 0 && value < 1;
}

static bool is_size(double value)
{
    return value >= 0 && isfinite(value);
}

enum shoal_status training_check(const struct training *t, struct shoal_error *error)
{
    if (t->optimiser < 0 || t->optimiser >= MLP_OPTIMISERS)
        return fail(error, SHOAL_INVALID, "there is no optimiser %d", (int)t->optimiser);
    if (!is_size(t->rate))
        return fail(error, SHOAL_INVALID, "the rate is 0 or more, not %g", t->rate);
    if (!is_share(t->momentum) || !is_share(t->beta2))
        return fail(error, SHOAL_INVALID, "momentum and beta2 are from 0 to less than 1, not %g and %g",
                    t->momentum, t->beta2);
    if (!is_size(t->epsilon) || !is_size(t->decay) || !is_size(t->l1) || !is_size(t->l2) ||
        !is_size(t->elimination) || !is_size(t->clip))
        return fail(error, SHOAL_INVALID,
                    "epsilon, decay, penalties and the limit of gradients are 0 or more");
    if (t->elimination > 0 && !(t->elimination_scale > 0 && isfinite(t->elimination_scale)))
        return fail(error, SHOAL_INVALID, "the scale of weight elimination is above 0, not %g",
                    t->elimination_scale);
    if ((t->optimiser == MLP_IRPROP_MINUS || t->optimiser == MLP_IRPROP_PLUS) &&
        !(t->up > 1 && isfinite(t->up) && t->down > 0 && t->down < 1 && t->least >= 0 &&
          t->least <= t->greatest && isfinite(t->greatest)))
        return fail(error, SHOAL_INVALID,
                    "iRPROP has a factor above 1, one from 0 to 1, and steps from the least to the greatest");
    if ((t->schedule == TRAINING_STEPS || t->schedule == TRAINING_PLATEAU) &&
        (!(t->factor > 0 && t->factor <= 1) || t->period == 0))
        return fail(error, SHOAL_INVALID,
                    "a rate that falls has a factor above 0, 1 at most, and a period of at least one epoch");
    if (t->schedule == TRAINING_COSINE && t->total_updates <= t->warm_up)
        return fail(
            error, SHOAL_INVALID,
            "schedule: the cosine needs more updates than the warm-up has, and %llu are not more than %llu",
            (unsigned long long)t->total_updates, (unsigned long long)t->warm_up);
    return SHOAL_OK;
}

double training_rate(const struct training *t, uint64_t update, uint64_t epoch, uint64_t plateaus)
{
    if (update < t->warm_up)
        return t->rate * ((double)update + 1) / (double)t->warm_up;
    switch (t->schedule) {
    case TRAINING_STEPS:
        return t->rate * pow(t->factor, (double)(epoch / t->period));
    case TRAINING_COSINE: {
        const double share = (double)(update - t->warm_up) / (double)(t->total_updates - t->warm_up);
        return share >= 1 ? 0 : 0.5 * t->rate * (1 + cos(3.14159265358979324 * share));
    }
    case TRAINING_PLATEAU:
        return t->rate * pow(t->factor, (double)plateaus);
    case TRAINING_CONSTANT:
        break;
    }
    return t->rate;
}

struct training_step training_step_of(const struct training *t, uint64_t update, uint64_t epoch,
                                      uint64_t plateaus)
{
    const double rate = training_rate(t, update, epoch, plateaus), count = (double)update + 1;
    return (struct training_step){.rate = rate,
                                  .correction1 = 1 - pow(t->momentum, count),
                                  .correction2 = sqrt(1 - pow(t->beta2, count)),
                                  .keep = t->optimiser == MLP_ADAMW ? 1 - rate * t->decay : 1};
}

static double penalise(const struct training *t, double w, double *gradient)
{
    double penalty = 0, slope = 0;
    if (t->l1 > 0) {
        penalty += t->l1 * fabs(w);
        slope += w > 0 ? t->l1 : w < 0 ? -t->l1 : 0;
    }
    if (t->l2 > 0) {
        penalty += 0.5 * t->l2 * w * w;
        slope += t->l2 * w;
    }
    if (t->elimination > 0) {
        const double q = w / t->elimination_scale, r = q * q;
        penalty += t->elimination * r / (1 + r);
        slope += t->elimination * 2 * q / (t->elimination_scale * (1 + r) * (1 + r));
    }
    if (gradient)
        *gradient += slope;
    return penalty;
}

double training_penalty(const struct training *t, const struct net *net, const double *parameters,
                        double *gradient)
{
    double penalty = 0;
    if (t->l1 == 0 && t->l2 == 0 && t->elimination == 0)
        return 0;
    for (uint32_t l = 0; l < net->layer_count; l++)
        for (size_t k = net->layers[l].weights; k < net->layers[l].biases; k++)
            penalty += penalise(t, parameters[k], gradient ? &gradient[k] : NULL);
    return penalty;
}

double training_clip(const struct training *t, size_t count, double *gradient)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += gradient[k] * gradient[k];
    const double norm = sqrt(sum);
    if (t->clip > 0 && norm > t->clip)
        for (size_t k = 0; k < count; k++)
            gradient[k] *= t->clip / norm;
    return norm;
}
