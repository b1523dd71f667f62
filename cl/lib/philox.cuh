/* For native versions, to be included before the .cl text: computes the product of two 32-bit words by one
 * instruction. The compiler itself would use a second one, which adds 0 to the upper half of the 64-bit product. */
#ifndef SHOAL_PHILOX_CUH
#define SHOAL_PHILOX_CUH

static inline ulong wide_product(uint multiplier, uint word)
{
    ulong product;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(multiplier), "r"(word));
    return product;
}
#define SHOAL_PHILOX_PRODUCT(multiplier, word) wide_product(multiplier, word)

#endif
