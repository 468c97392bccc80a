import { rmSync } from 'node:fs';
import type { Place } from './place.ts';
import { layImage, upToSomeMoment } from './power-cut.ts';

/** Cuts the power during a first start, in several ways: the next start makes of what there is then what there ought to be. */
export async function firstStarts(place: Place, rounds: number): Promise<void> {
  const server = await place.start();
  await server.end();
  const trace = place.shim.trace();
  for (let round = 0; round < rounds; round++) {
    const image = place.beside();
    layImage(upToSomeMoment(trace, place.chance), image, place.chance);
    place.count('images');
    await startOn(place, image, `first start ${round}`);
    rmSync(image, { recursive: true });
  }
}

async function startOn(place: Place, image: string, after: string): Promise<void> {
  try {
    const server = await place.start(image);
    const code = await server.end();
    if (code !== 0) place.complain(`after ${after}: the server ended with ${code}`);
    await place.judge(image, after);
  } catch (error) {
    place.complain(`after ${after}: ${error}`);
  }
}
