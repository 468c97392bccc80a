/** The compatibility level that goes with a product version: 16.0.4000.1 is 160. */
export const compatibilityLevel = (version: string): number => Number.parseInt(version, 10) * 10;
