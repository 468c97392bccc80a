/** Crawl Error Levels (2.2.1.10). */
export const errorLevel = { success: 0, warning: 1, error: 2 } as const;

/** The most important items (2.2.1.9). */
export const mostImportant = 2;
