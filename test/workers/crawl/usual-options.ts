import type { ComponentOptions } from '../../../src/workers/crawl/index.ts';

/** What components are given in tests. */
export const usualOptions = {
  concurrency: 10,
  batchSize: 50,
  pollInterval: 20,
  heartbeat: 1000,
  http: { userAgent: 'Granary/0 (test)', connectTimeout: 30_000, timeout: 60_000, largest: 4 * 1024 * 1024 },
  reader: { timeout: 60_000, memory: 256 },
} satisfies Partial<ComponentOptions>;
