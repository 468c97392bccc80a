/** How far an import of annotations is (3.1.1.10). */
export const importStatus = { done: 1, fullDone: 2, processed: 3 } as const;
