import { type Answering, answer } from '../answer.ts';
import { figures, overview } from '../api/overview.ts';
import type { FigureName } from '../overview/history.ts';
import { verdictOf } from '../overview/verdict.ts';
import { databasesOf } from './databases.ts';

/** The kinds of databases in which something may be stuck. */
const kinds = ['translation', 'word', 'word2', 'config', 'search-admin', 'search'] as const;

/** Refused calls that are shown. */
const mostRefused = 20;

/** The start page. */
export const overviewRoutes: readonly Answering[] = [
  answer(overview, async ({ server, role, login, client, signal }) => {
    const { view, history, tap, clock } = server;
    // Not everybody may see other users.
    const waits = role === 'admin' ? await server.waits() : [];
    const still = await server.standstills();
    // Nor is what is in databases that a login may not enter.
    const open =
      role === 'admin' || still.length === 0 ? undefined : await databasesOf(client('master'), kinds, signal);
    const standstills = still.filter(({ database }) => !open || open.some(({ name }) => name === database));
    const refused = tap.refused.filter((call) => role === 'admin' || call.login === login);
    return {
      ...verdictOf(await server.wrong(), waits, history.points.at(-1), clock.now().getTime(), standstills.length > 0),
      standstills: standstills.map(({ text, page, link }) => ({ text, page, link })),
      started: view.started.toISOString(),
      databases: await server.databases(),
      refused: refused.slice(0, mostRefused).map(({ at, name, ...call }) => ({
        ...call,
        at: at.toISOString(),
        procedure: name,
      })),
    };
  }),
  answer(figures, async ({ server: { history } }) => {
    const { points } = history;
    const of = (name: FigureName) => points.map((point) => point[name]);
    return {
      at: points.map(({ at }) => new Date(at).toISOString()),
      calls: of('calls'),
      median: of('median'),
      slowest: of('slowest'),
      errors: of('errors'),
      sessions: of('sessions'),
      queue: of('queue'),
      waiting: of('waiting'),
      bytes: of('bytes'),
    };
  }),
];
