/** States of scopes, as MS-SQLPADM2 2.2.1.4 numbers them: one whose present rules have been compiled. */
export const compiled = 4;

/** One that was added and waits for its first compilation. */
export const needsCompile = 3;
