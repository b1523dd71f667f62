/* Pictures of a gas, with the time and a scale of colours below the box. */
#ifndef SHOAL_TOOLS_GAS_PICTURE_H
#define SHOAL_TOOLS_GAS_PICTURE_H

#include "cli/charts/canvas.h"

#include <shoal/gas_picture.h>

/* What a picture looks like. */
struct gas_picture_style {
    enum shoal_gas_colouring colouring;
    size_t pixels; /* along the longer side, if the picture has the shape of the box */
    /* Size of the picture, into which the box then fits; 0: the shape of the box. */
    size_t width, height;
    /* Height of a digit, chosen while width is 0 and kept then: another one may not fit into the height. */
    double label_size;
};

/* Draws the gas as it is now. Below the box are the time and a scale of the colours, unless the box is
 * narrower than 250 pixels. The caller destroys the canvas. */
SHOAL_MUST_CHECK enum shoal_status gas_picture_draw(struct shoal_solver *solver,
                                                    struct gas_picture_style *style, struct canvas *canvas,
                                                    struct shoal_error *error);

#endif
