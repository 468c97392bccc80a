import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type View } from '../html.ts';
import { library } from './plot.ts';

interface SparkProps {
  /** What is plotted, in words, for those who do not see it. */
  readonly label: string;
  readonly at: readonly string[];
  readonly values: readonly number[];
  readonly show: (value: number) => string;
}

const height = 56;

/** A small plot of the last hour; pointing at it shows the value there. */
export function Spark({ label, at, values, show }: SparkProps): View {
  const box = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(0);
  const [pointed, setPointed] = useState('');
  const key = `${at.length} ${at.at(-1)}`;
  useEffect(() => {
    const note = () => setTheme((before) => before + 1);
    addEventListener('themechange', note);
    return () => removeEventListener('themechange', note);
  }, []);
  // The key stands for the points.
  useEffect(() => {
    const element = box.current;
    if (element === null || at.length < 2) return;
    let plot: { destroy(): void } | undefined;
    let isGone = false;
    void library().then(({ default: UPlot }) => {
      if (isGone) return;
      const colour = getComputedStyle(element).getPropertyValue('--plot').trim();
      const most = Math.max(...values, 1);
      plot = new UPlot(
        {
          width: element.clientWidth,
          height,
          legend: { show: false },
          cursor: { y: false, drag: { x: false, y: false }, points: { show: true } },
          scales: { y: { range: [0, most * 1.1] } },
          axes: [{ show: false }, { show: false }],
          padding: [4, 0, 2, 0],
          series: [{}, { stroke: colour, fill: `${colour}26`, width: 1.5, points: { show: false } }],
          hooks: {
            setCursor: [
              ({ cursor: { idx } }) =>
                setPointed(typeof idx === 'number' ? `${show(values[idx] ?? 0)} at ${at[idx]?.slice(11, 19)}` : ''),
            ],
          },
        },
        [at.map((moment) => Date.parse(moment) / 1000), [...values]],
        element,
      );
    });
    return () => {
      isGone = true;
      plot?.destroy();
    };
  }, [key, theme]);
  const said = values.length === 0 ? 'no figures yet' : `at most ${show(Math.max(...values))} in the last hour`;
  return html`<div class="spark"><div ref=${box} class="plot" role="img" aria-label=${`${label}: ${said}`}></div>
    <p class="muted small">${pointed || (at.length < 2 ? 'gathering figures …' : said)}</p></div>`;
}
