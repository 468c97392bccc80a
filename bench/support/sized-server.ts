import type { Database } from '../../src/engine/db.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Bench } from './scenario.ts';
import { BenchServer } from './server.ts';
import { count } from './statistics.ts';

/** How databases of one kind are filled. */
interface Filling {
  readonly kind: string;
  /** What they are filled with: items, sites. */
  readonly what: string;
  fill(database: Database, size: number): Promise<unknown>;
}

/** Starts a server with a database of each size, named after it. */
export function startSized(
  { engine, profiles, progress }: Bench,
  sizes: Readonly<Record<string, number>>,
  { kind, what, fill }: Filling,
): Promise<BenchServer> {
  const fillAll = async (made: Engine) => {
    for (const [name, size] of Object.entries(sizes)) {
      progress(`filling ${name} with ${count(size)} ${what}`);
      await fill(await made.create(name, kind), size);
    }
  };
  return BenchServer.start({ engine, profiles, fill: fillAll });
}
