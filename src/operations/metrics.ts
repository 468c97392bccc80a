import { loadedOnce } from '../base/kept-for.ts';
import type { Count, Distribution, Family, Labels, Measure, Measures } from '../base/log/measures.ts';
import { inTime } from './health.ts';
import { merged, summed } from './merged.ts';
import type { Route } from './route.ts';

/** A figure as the library writes it. */
interface Written {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * Timeout of a figure in milliseconds: two waits may follow one another, and Prometheus abandons a scrape after ten
 * seconds.
 */
const patience = 4_000;

/**
 * `/metrics`: the measures in Prometheus' text format, and the library's own about the process; for the current
 * databases, whoever dropped the others.
 */
export function metricsRoute(measures: Measures, databases: () => Promise<ReadonlySet<string>>): Route {
  const failures = measures.count('granary_scrape_failures_total', 'Figures that could not be read.', ['figure']);
  const registry = loaded(measures, failures);
  return {
    path: '/metrics',
    access: 'open',
    async answer() {
      const { contentType, metrics } = await registry();
      await inTime(databases(), patience).then(
        (there) => measures.keepOnly(there),
        () => failures.of('databases').add(),
      );
      return { status: 200, type: contentType, body: await metrics() };
    },
  };
}

/**
 * Gauges of the library that are named like counters, to which Prometheus' tool objects; their parts are included by
 * type.
 */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** What the counters of the processor would lack, since the library counts from the moment at which it is loaded. */
const usedBefore = ({ user, system }: NodeJS.CpuUsage): readonly (readonly [string, number])[] => [
  ['process_cpu_user_seconds_total', user],
  ['process_cpu_system_seconds_total', system],
  ['process_cpu_seconds_total', user + system],
];

/** The library is loaded at the first request: most servers are never scraped, and memory matters to them. */
const loaded = (measures: Measures, failures: Family<Count>) =>
  loadedOnce(async () => {
    const { Counter, Registry, collectDefaultMetrics } = await import('prom-client');
    const registry = new Registry();
    const used = process.cpuUsage();
    collectDefaultMetrics({ register: registry });
    for (const [name, microseconds] of usedBefore(used)) {
      const metric = registry.getSingleMetric(name);
      if (metric instanceof Counter) metric.inc(microseconds / 1e6);
    }
    for (const name of misnamed) registry.removeSingleMetric(name);
    return { contentType: registry.contentType, metrics: () => withOwn(registry, measures, failures) };
  });

/**
 * The registry's own metrics, then the measures, formatted by the same library from figures that were cheap to keep.
 */
async function withOwn(
  registry: import('prom-client').Registry,
  measures: Measures,
  failures: Family<Count>,
): Promise<string> {
  for (const measure of measures.all()) {
    if (registry.getSingleMetric(measure.name) !== undefined) continue;
    // The library asks only for these members; its own classes count on every call, which is dearer than what is here.
    const metric = { name: measure.name, get: () => written(measure, failures) };
    registry.registerMetric(metric as unknown as import('prom-client').Metric); // its type names the classes, not what it asks for
  }
  return registry.metrics();
}

const typeNames = { count: 'counter', gauge: 'gauge', distribution: 'histogram' } as const;

/**
 * What cannot be read, for example because PostgreSQL is unavailable, is left out: the others matter all the more then.
 */
async function written(measure: Measure, failures: Family<Count>) {
  const { name, help } = measure;
  const read = await inTime(values(measure), patience).catch(() => {
    failures.of(name).add();
    return [];
  });
  return { name, help, type: typeNames[measure.type], aggregator: 'sum', values: read };
}

async function values(measure: Measure): Promise<readonly Written[]> {
  if (measure.type !== 'distribution') return summed(await measure.read());
  const { name } = measure;
  return merged(await measure.read()).flatMap(({ labels, kept }) => buckets(name, labels, kept));
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
