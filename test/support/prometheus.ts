/** One metric of Prometheus' text format, with its samples. */
export interface Metric {
  readonly type: string;
  readonly help: string;
  readonly samples: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;

/** Reads the text format strictly: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function parseMetrics(text: string): ReadonlyMap<string, Metric> {
  const metrics = new Map<string, { type: string; help: string; samples: Metric['samples'] }>();
  const helps = new Map<string, string>();
  let current = '';
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (helps.has(name)) throw new Error(`HELP of ${name} comes twice.`);
      helps.set(name, rest);
    } else if (keyword === 'TYPE') {
      if (metrics.has(name)) throw new Error(`TYPE of ${name} comes twice.`);
      metrics.set(name, { type: rest, help: helps.get(name) ?? '', samples: [] });
      current = name;
    } else metrics.get(current)?.samples.push(sample(line, current, metrics.get(current)?.type ?? ''));
  }
  return metrics;
}

function sample(line: string, of: string, type: string): Metric['samples'][number] {
  const [, name = '', braces = '', number = ''] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)$/.exec(line) ?? [];
  const endings =
    type === 'histogram' ? ['_bucket', '_sum', '_count'] : type === 'summary' ? ['', '_sum', '_count'] : [''];
  if (!endings.some((ending) => name === `${of}${ending}`)) throw new Error(`Not a sample of ${of}: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = braces.slice(1, -1); rest !== ''; ) {
    const found = label.exec(rest);
    if (found === null) throw new Error(`The labels cannot be read: ${line}`);
    labels[found[1] ?? ''] = found[2] ?? '';
    rest = rest.slice(found[0].length);
  }
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  if (Number.isNaN(value) && number.toLowerCase() !== 'nan') throw new Error(`No number: ${line}`);
  return { name, labels, value };
}
