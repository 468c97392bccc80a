import { useEffect, useRef } from 'preact/hooks';
import { html, type View } from '../html.ts';

interface PlotProps {
  /** What is plotted, in words: also what a screen reader says of it. */
  readonly label: string;
  /** Moments as ISO texts, and the values at them. */
  readonly points: readonly (readonly [at: string, value: number])[];
  readonly unit: string;
  readonly bars?: boolean;
}

const height = 180;

const day = 86_400;

/** Ticks of an axis in UTC: the time of day, with the date where they are far apart. */
function moments(ticks: readonly number[]): string[] {
  const isLong = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) > day;
  return ticks.map((seconds) => {
    const iso = new Date(seconds * 1000).toISOString();
    return isLong ? iso.slice(5, 16).replace('T', ' ') : iso.slice(11, 19);
  });
}

let styled = false;

/** The library and its style, once. */
export async function library() {
  if (!styled) {
    styled = true;
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL('../../lib/uplot.css', import.meta.url).href;
    document.head.append(link);
  }
  return import('uplot');
}

/** Values over time; the library is loaded with the first plot. */
export function Plot({ label, points, unit, bars = false }: PlotProps): View {
  const box = useRef<HTMLDivElement>(null);
  const key = `${points.length} ${points[0]?.[0]} ${points.at(-1)?.[0]} ${points.at(-1)?.[1]}`;
  useEffect(() => {
    const element = box.current;
    if (element === null || points.length === 0) return;
    let plot: { destroy(): void; setSize(size: { width: number; height: number }): void } | undefined;
    let gone = false;
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    void library().then(({ default: UPlot }) => {
      if (gone) return;
      const style = getComputedStyle(element);
      const colour = (name: string) => style.getPropertyValue(name).trim();
      const axis = {
        stroke: colour('--muted'),
        grid: { stroke: colour('--line') },
        ticks: { stroke: colour('--line') },
      };
      const paths = bars ? UPlot.paths.bars?.({ size: [0.7, 40] }) : undefined;
      plot = new UPlot(
        {
          width: element.clientWidth,
          height,
          tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
          legend: { show: false },
          cursor: { drag: { x: false, y: false } },
          axes: [
            { ...axis, space: 90, values: (_plot: unknown, ticks: number[]) => moments(ticks) },
            { ...axis, size: 60 },
          ],
          series: [
            {},
            {
              label: unit,
              stroke: colour('--plot'),
              fill: `${colour('--plot')}33`,
              width: 2,
              ...(paths === undefined ? {} : { paths }),
            },
          ],
        },
        [points.map(([at]) => Date.parse(at) / 1000), points.map(([, value]) => value)],
        element,
      );
      resized.observe(element);
    });
    return () => {
      gone = true;
      resized.disconnect();
      plot?.destroy();
    };
  }, [key, bars, unit]);
  const values = points.map(([, value]) => value);
  const last = values.at(-1);
  const spoken = last === undefined ? label : `${label}: last ${last}, at most ${Math.max(...values)} ${unit}`;
  return html`<figure class="timeline"><figcaption class="muted small">${label}, ${unit}</figcaption>
    <div ref=${box} role="img" aria-label=${spoken}></div></figure>`;
}
