import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type UPlot from 'uplot';

/** What a chart shows. */
interface Chart {
  readonly height: number;
  /** Moments as ISO texts, and the values at them. */
  readonly at: readonly string[];
  readonly values: readonly number[];
  /** How it is drawn; `colour` gives the value of a name of console.css in the current theme. */
  options(library: typeof UPlot, colour: (name: string) => string): Omit<UPlot.Options, 'width' | 'height'>;
}

let styled = false;

/** The library and its style, once, with the first chart. */
async function library(): Promise<typeof UPlot> {
  if (!styled) {
    styled = true;
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL('../../lib/uplot.css', import.meta.url).href;
    document.head.append(link);
  }
  return (await import('uplot')).default;
}

/** A number that changes with the theme. */
function useTheme(): number {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const note = () => setTheme((before) => before + 1);
    addEventListener('themechange', note);
    return () => removeEventListener('themechange', note);
  }, []);
  return theme;
}

/** Draws values over time into an element: again when they, the theme or one of `inputs` change, and in its width. */
export function useChart(box: RefObject<HTMLDivElement | null>, chart: Chart, inputs: readonly unknown[] = []): void {
  const { height, at, values } = chart;
  // The key represents the points.
  const key = `${at.length} ${at[0]} ${at.at(-1)} ${values.at(-1)}`;
  const theme = useTheme();
  useEffect(() => {
    const element = box.current;
    if (element === null || at.length === 0) return;
    let plot: UPlot | undefined;
    let isGone = false;
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    void library().then((Library) => {
      if (isGone) return;
      const style = getComputedStyle(element);
      const options = chart.options(Library, (name) => style.getPropertyValue(name).trim());
      const seconds = at.map((moment) => Date.parse(moment) / 1000);
      plot = new Library({ width: element.clientWidth, height, ...options }, [seconds, [...values]], element);
      resized.observe(element);
    });
    return () => {
      isGone = true;
      resized.disconnect();
      plot?.destroy();
    };
  }, [key, theme, ...inputs]);
}
