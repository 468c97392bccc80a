/** The number of the error that there is no procedure of a name: the server knows the protocols alone, or is older. */
export const unknownProcedure = 2812;
