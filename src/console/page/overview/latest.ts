import type { Figures } from '../../api/overview.ts';

/** What a tile is about. */
export type Figure = Exclude<keyof Figures, 'at'>;

/** Figures that are about calls: where none came there are none. */
const latencies: readonly Figure[] = ['median', 'slowest'];

/** What a tile says of now. */
export function latest(figures: Figures, figure: Figure, show: (value: number) => string): string {
  if (latencies.includes(figure) && (figures.calls.at(-1) ?? 0) === 0) return '–';
  return show(figures[figure].at(-1) ?? 0);
}
