import type { Figures } from '../../api/overview.ts';

/** What a tile is about. */
export type Figure = Exclude<keyof Figures, 'at'>;

/** Figures about calls: without calls there are none. */
const latencies: readonly Figure[] = ['median', 'slowest'];

/** The current value of a tile. */
export function latest(figures: Figures, figure: Figure, show: (value: number) => string): string {
  if (latencies.includes(figure) && (figures.calls.at(-1) ?? 0) === 0) return '–';
  return show(figures[figure].at(-1) ?? 0);
}
