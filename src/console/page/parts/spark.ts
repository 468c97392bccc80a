import { useRef, useState } from 'preact/hooks';
import { html, type View } from '../html.ts';
import { useChart } from './chart.ts';

interface SparkProps {
  /** What is plotted, in words, for screen readers. */
  readonly label: string;
  readonly at: readonly string[];
  readonly values: readonly number[];
  readonly show: (value: number) => string;
}

const height = 56;

/** A small plot of the last hour; pointing at it shows the value there. */
export function Spark({ label, at, values, show }: SparkProps): View {
  const box = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState('');
  const isDrawn = at.length > 1;
  useChart(box, {
    height,
    at: isDrawn ? at : [],
    values,
    options: (_library, colour) => ({
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: true } },
      scales: { y: { range: [0, Math.max(...values, 1) * 1.1] } },
      axes: [{ show: false }, { show: false }],
      padding: [4, 0, 2, 0],
      series: [{}, { stroke: colour('--plot'), fill: colour('--plot-soft'), width: 1.5, points: { show: false } }],
      hooks: {
        setCursor: [
          ({ cursor: { idx } }) =>
            setPointed(typeof idx === 'number' ? `${show(values[idx] ?? 0)} at ${at[idx]?.slice(11, 19)} UTC` : ''),
        ],
      },
    }),
  });
  const said = values.length === 0 ? 'no figures yet' : `1 h peak ${show(Math.max(...values))}`;
  return html`<div class="spark"><div ref=${box} class="plot" role="img" aria-label=${`${label}: ${said}`}></div>
    <p class="muted small">${pointed || (isDrawn ? said : 'collecting…')}</p></div>`;
}
