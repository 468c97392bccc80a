import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from './place.ts';
import { layImage } from './power-cut.ts';

/** Kills servers under load, one after another on the same data. */
export async function kills(place: Place, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const server = await place.start();
    const load = await place.load(server, 1 + place.chance.below(200));
    await delay(place.chance.below(50));
    await server.end('SIGKILL');
    await load.stop();
    place.count('kills');
    const copy = place.beside({ copied: true });
    await place.judge(copy, `kill ${round}`);
    rmSync(copy, { recursive: true });
  }
}

/** Cuts the power under load: lays down what the disk may then hold, in several ways, and opens each. */
export async function powerCuts(place: Place, rounds: number): Promise<void> {
  const server = await place.start();
  const load = await place.load(server, 50 + place.chance.below(500));
  await delay(place.chance.below(50));
  // A rest of about a second: the log is copied then, and begun anew.
  if (place.chance.below(2) === 1) {
    await load.stop();
    await delay(900 + place.chance.below(300));
  }
  await server.end('SIGKILL');
  await load.stop();
  const trace = place.shim.trace();
  place.count('megabytes recorded', Math.round(trace.length / 2 ** 20));
  for (let round = 0; round < rounds; round++) {
    const image = place.beside();
    layImage(trace, image, place.chance);
    place.count('images');
    await place.judge(image, `power cut ${round}`);
    rmSync(image, { recursive: true });
  }
}
