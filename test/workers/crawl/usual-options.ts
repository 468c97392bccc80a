import type { ComponentOptions } from '../../../src/workers/crawl/index.ts';

/** What components are given in tests. */
export const usualOptions = {
  concurrency: 10,
  batchSize: 50,
  pollInterval: 20,
  heartbeat: 1000,
  http: { userAgent: 'Granary/0 (test)', connectTimeout: 2000, timeout: 5000, largest: 4 * 1024 * 1024 },
  reader: { timeout: 5000, memory: 256 },
} satisfies Partial<ComponentOptions>;
