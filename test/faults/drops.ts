import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Accounts } from '../../src/accounts/accounts.ts';
import { systemClock } from '../../src/base/clock.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { createEngine } from '../../src/create-engine.ts';
import { PostgresProcess } from '../cluster/support/postgres-process.ts';
import type { Place } from './place.ts';

const dropper = fileURLToPath(new URL('./dropper.ts', import.meta.url));

/** Kills a process that makes and drops databases, on both engines: a database and the roles on it are both there or neither. */
export async function drops(place: Place, rounds: number): Promise<void> {
  await using store = await PostgresProcess.make();
  await store.start();
  for (let round = 0; round < rounds; round++) {
    for (const engine of ['sqlite', store.url()]) {
      const child = spawn(process.execPath, [dropper, place.data, engine], { stdio: ['ignore', 'pipe', 'inherit'] });
      await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
      if (child.exitCode !== null) place.complain(`it ended by itself with ${child.exitCode}`);
      await delay(place.chance.below(300));
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      place.count('kills');
      await lookAt(place, engine);
    }
  }
}

async function lookAt(place: Place, where: string): Promise<void> {
  await using engine = await createEngine(settingsWith({ data: place.data, engine: where }));
  await engine.start();
  const there = new Set((await engine.list()).map(({ name }) => name));
  const logins = await new Accounts(engine.system, { clock: systemClock }).list();
  const stray = logins.flatMap(({ roles }) => roles.filter(({ database }) => !there.has(database)));
  if (stray.length > 0) place.complain(`${stray.length} roles are on databases that are gone`);
}
