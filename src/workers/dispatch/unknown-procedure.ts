/** The error number for an unknown procedure: the server has only the specified procedures, or is older. */
export const unknownProcedure = 2812;
