/** Rounds that are measured; GRANARY_BENCH_ROUNDS has fewer of them, for a quick look. */
export const roundsOf = (usual: number): number => Math.min(usual, numberOf('GRANARY_BENCH_ROUNDS') ?? usual);

/** Milliseconds of a round; GRANARY_BENCH_ROUND_LENGTH makes it shorter, for a quick look. */
export const lengthOf = (usual: number): number => Math.min(usual, numberOf('GRANARY_BENCH_ROUND_LENGTH') ?? usual);

/** Documents of a crawl; GRANARY_BENCH_URLS has fewer of them, or more. */
export const urlsOf = (usual: number): number => numberOf('GRANARY_BENCH_URLS') ?? usual;

function numberOf(variable: string): number | undefined {
  const text = process.env[variable];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${variable} is no number above 0: ${text}`);
  return value;
}
