/** The state of a scope whose present rules have been compiled (MS-SQLPADM2 2.2.1.4). */
export const compiled = 4;

/** The state of a scope that has changed since. */
export const waiting = 0;
