import { type Clock, systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import type { Settings } from '../../src/cli/settings.ts';
import { allKinds } from '../../src/kinds.ts';
import { createServer } from '../../src/main.ts';
import type { StartOptions } from './server.ts';

/** The data that a server begins with, as the first start of another one makes it. */
export interface FirstStart {
  /** Equal contents mean equal data. */
  readonly contents: readonly unknown[];
  make(place: Pick<Settings, 'data' | 'engine'>): Promise<void>;
}

/** The name of a database that was made for a test to come. */
export const spareName = (kind: string, number: number): string => `Spare_${kind}_${number}`;

/** What the first start of a server makes; undefined when a test brings data, a password or kinds of its own. */
export function firstStart(common: Partial<Settings>, options: StartOptions): FirstStart | undefined {
  const { clock = systemClock, kinds = allKinds, spares = {}, settings = {} } = options;
  const isCommon = !('data' in settings || 'engine' in settings || 'saPassword' in settings);
  if (!isCommon || !kinds.every((kind) => allKinds.includes(kind))) return undefined;
  return {
    contents: [kinds.map(({ name }) => name), spares, momentOf(clock)],
    async make(place) {
      await using granary = createServer(settingsWith({ ...common, ...place }), { clock, kinds, log: silentLog });
      await granary.start();
      for (const [kind, count] of Object.entries(spares)) {
        for (let number = 1; number <= count; number++) await granary.engine.create(spareName(kind, number), kind);
      }
    },
  };
}

/** A clock that shows the present shows another moment with every start. */
function momentOf(clock: Clock): Date | 'present' {
  const now = clock.now();
  return Math.abs(now.getTime() - Date.now()) < 60_000 ? 'present' : now;
}
