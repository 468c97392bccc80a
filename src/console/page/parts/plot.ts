import { useRef, useState } from 'preact/hooks';
import { html, type View } from '../html.ts';
import { useChart } from './chart.ts';
import { fromZero } from './figures.ts';
import { moments, steps } from './ticks.ts';

interface PlotProps {
  /** What is plotted, in words: also for screen readers. */
  readonly label: string;
  /** Moments as ISO texts, and the values at them. */
  readonly points: readonly (readonly [at: string, value: number])[];
  readonly unit: string;
  readonly bars?: boolean;
}

const height = 180;

/** Values over time. */
export function Plot({ label, points, unit, bars = false }: PlotProps): View {
  const box = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState('');
  const values = points.map(([, value]) => value);
  /** With room at both ends for half of a bar. */
  const aside = (first: number, last: number): [number, number] => {
    const half = (last - first || 60) / points.length / 2;
    return [first - half, last + half];
  };
  useChart(
    box,
    {
      height,
      at: points.map(([at]) => at),
      values,
      options: (library, colour) => {
        const line = { stroke: colour('--line') };
        const axis = { stroke: colour('--muted'), grid: line, ticks: line };
        const paths = bars ? library.paths.bars?.({ size: [0.7, 40] }) : undefined;
        return {
          tzDate: (seconds) => library.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
          legend: { show: false },
          // The last moment is written under the right edge.
          padding: [null, 32, null, null],
          cursor: { drag: { x: false, y: false } },
          scales: {
            y: { range: (_plot: unknown, _least: number, most: number) => fromZero(most) },
            ...(bars && { x: { range: (_plot: unknown, first: number, last: number) => aside(first, last) } }),
          },
          axes: [
            { ...axis, space: 90, incrs: steps, values: (_plot: unknown, ticks: number[]) => moments(ticks) },
            { ...axis, size: 60 },
          ],
          hooks: {
            setCursor: [
              ({ cursor: { idx } }) => {
                const [at = '', value] = points[idx ?? -1] ?? [];
                setPointed(value === undefined ? '' : `: ${value} at ${at.slice(0, 19).replace('T', ' ')} UTC`);
              },
            ],
          },
          series: [
            {},
            {
              label: unit,
              stroke: colour('--plot'),
              fill: colour('--plot-soft'),
              width: 2,
              ...(paths && { paths, points: { show: false } }),
            },
          ],
        };
      },
    },
    [bars, unit],
  );
  const last = values.at(-1);
  const spoken = last === undefined ? label : `${label}: last ${last}, at most ${Math.max(...values)} ${unit}`;
  return html`<figure class="timeline"><figcaption class="muted small">${label}, ${unit}${pointed}</figcaption>
    <div ref=${box} role="img" aria-label=${spoken}></div></figure>`;
}
