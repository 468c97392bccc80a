import type { Distribution, Labels, Measure, Measures } from '../base/measures.ts';
import type { Route } from './route.ts';

/** A figure as the library writes it. */
interface Written {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** `/metrics`: the measures in Prometheus' text format, and those of the process that the library knows itself. */
export function metricsRoute(measures: Measures): Route {
  const registry = loaded(measures);
  return {
    path: '/metrics',
    access: 'open',
    async answer() {
      const { contentType, metrics } = await registry();
      return { status: 200, type: contentType, body: await metrics() };
    },
  };
}

/** The library is loaded when somebody asks: most servers are never scraped, and memory is what they have little of. */
function loaded(measures: Measures) {
  let known: Promise<{ contentType: string; metrics(): Promise<string> }> | undefined;
  return () => {
    known ??= (async () => {
      const { Registry, collectDefaultMetrics } = await import('prom-client');
      const registry = new Registry();
      collectDefaultMetrics({ register: registry });
      return { contentType: registry.contentType, metrics: () => withOwn(registry, measures) };
    })();
    return known;
  };
}

/** What the registry has of its own, then the measures, written by the same library out of figures that were kept cheaply. */
async function withOwn(registry: import('prom-client').Registry, measures: Measures): Promise<string> {
  for (const measure of measures.all()) {
    if (registry.getSingleMetric(measure.name) !== undefined) continue;
    // The library asks only for these members; its own classes count on every call, which is dearer than what is here.
    const metric = { name: measure.name, get: () => written(measure) };
    registry.registerMetric(metric as unknown as import('prom-client').Metric); // its type names the classes, not what it asks for
  }
  return registry.metrics();
}

const typeNames = { count: 'counter', gauge: 'gauge', distribution: 'histogram' } as const;

async function written(measure: Measure) {
  const { name, help } = measure;
  return { name, help, type: typeNames[measure.type], aggregator: 'sum', values: await values(measure) };
}

async function values(measure: Measure): Promise<readonly Written[]> {
  if (measure.type === 'gauge') return [...(await measure.read())];
  if (measure.type === 'count') return measure.family.all().map(({ labels, kept }) => ({ labels, value: kept.value }));
  return measure.family.all().flatMap(({ labels, kept }) => buckets(measure.name, labels, kept));
}

function buckets(name: string, labels: Labels, { bounds, counts, sum, count }: Distribution): Written[] {
  let below = 0;
  const each = counts.map((inBucket, i) => {
    below += inBucket;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: below };
  });
  return [
    ...each,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
