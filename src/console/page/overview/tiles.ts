import type { Figures } from '../../api/overview.ts';
import { html, type View } from '../html.ts';
import { millisecondsOf, sizeOf } from '../parts/figures.ts';
import { Spark } from '../parts/spark.ts';
import { type Figure, latest } from './latest.ts';

const plain = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });
const perSecond = (value: number): string => `${plain(value)}/s`;

const tiles: readonly (readonly [figure: Figure, title: string, show: (value: number) => string])[] = [
  ['calls', 'Calls', perSecond],
  ['median', 'Median latency', millisecondsOf],
  ['slowest', '99th percentile', millisecondsOf],
  ['errors', 'Refused calls', perSecond],
  ['sessions', 'Sessions', plain],
  ['queue', 'Write queue', plain],
  ['waiting', 'Open jobs', plain],
  ['bytes', 'Size on disk', sizeOf],
];

/** The figures of the last hour, each with a small plot. */
export const Tiles = ({ figures }: { readonly figures: Figures }): View => html`
  <section class="tiles" aria-label="Figures of the last hour">
    ${tiles.map(
      ([figure, title, show]) => html`<article key=${figure} class="card tile">
        <h2>${title}</h2>
        <p class="figure">${latest(figures, figure, show)}</p>
        <${Spark} label=${title} at=${figures.at} values=${figures[figure]} show=${show} />
      </article>`,
    )}
  </section>`;
