/* From a table to a checked net in four calls.
 *
 *     cc -std=c11 mlp.c $(pkg-config --cflags --libs shoal)
 *     ./a.out net.safetensors iris.csv species
 */
#include <shoal/shoal.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    struct shoal *shoal = NULL;
    struct shoal_mlp *mlp = NULL;
    struct shoal_mlp_params params;
    struct shoal_error error = {0};
    double score, outputs[26], row[64] = {1};

    shoal_mlp_params_init(&params);
    params.generate = count < 4 ? "teacher:5000" : NULL; /* 64 bits, 26 classes */
    params.data = count < 4 ? NULL : arguments[2];
    params.target = count < 4 ? NULL : arguments[3];
    params.hidden = "64";
    params.epochs = 20;
    if (shoal_open(&shoal, NULL, &error) ||
        shoal_mlp_create(shoal_device_at(shoal, 0), &params, &mlp, &error) ||
        shoal_mlp_train(mlp, &score, &error) || (count > 1 && shoal_mlp_save(mlp, arguments[1], &error)) ||
        (count < 4 && shoal_mlp_predict(mlp, row, 1, outputs, &error)))
        fprintf(stderr, "%s\n", error.message);
    else
        printf("score of rows that the net has not seen: %.3f\n", score);
    if (!error.status && count < 4)
        printf("a row of one bit is of class %zu\n", shoal_mlp_model_class(shoal_mlp_trained(mlp), outputs));
    shoal_mlp_destroy(&mlp);
    shoal_close(&shoal);
    return error.status != SHOAL_OK;
}
