/** The one way that procedures end whose return code clients must ignore, or that has just this one. */
export const done = { done: { code: 0, meaning: 'Completed.' } } as const;
