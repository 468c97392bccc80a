/** What a component is (3.1.1.35). */
export const componentType = { administration: 0, query: 1, crawl: 2, standalone: 3 } as const;
