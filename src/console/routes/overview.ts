import type { ServerView } from '../../procedure/server-view.ts';
import { type Answering, answer } from '../answer.ts';
import { overview } from '../api/overview.ts';

/** What one sees first. */
export const overviewRoutes: readonly Answering[] = [
  answer(overview, async ({ server }) => {
    const wrong = await server.wrong();
    const verdict = wrong.length === 0 ? 'All is well.' : `${wrong.length} checks say that something is wrong.`;
    return { verdict, wrong, started: server.view.started.toISOString(), databases: await databases(server.view) };
  }),
];

/** The databases of the protocols with what they take on disk. */
async function databases(view: ServerView) {
  const sizes = new Map((await view.sizes()).map((size) => [size.name, size]));
  const own = (await view.databases()).filter(({ kind }) => kind !== 'system');
  return own.map(({ name, kind, created, isSuspect = false }) => {
    const { bytes = 0, logBytes = 0 } = sizes.get(name) ?? {};
    return { name, kind, created: created.toISOString(), isSuspect, bytes, logBytes };
  });
}
