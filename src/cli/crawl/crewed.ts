import { jsonLog } from '../../base/log/log.ts';
import type { Client } from '../../client/client.ts';
import type { Invocation } from '../command.ts';
import type { Crew } from './crew.ts';

/** Runs work while a crew runs the components that are free. */
export async function crewed<T>(
  admin: Client,
  { world }: Invocation,
  work: (crew: Crew, ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = world.ending();
  // What fetches and reads documents is loaded only by who does.
  const { Crew } = await import('./crew.ts');
  await using crew = new Crew(
    admin,
    jsonLog((line) => world.stderr.write(line), 'error'),
  );
  await crew.start();
  return await work(crew, ending);
}
