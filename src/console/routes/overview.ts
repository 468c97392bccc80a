import { type Answering, answer } from '../answer.ts';
import { figures, overview } from '../api/overview.ts';
import type { FigureName } from '../overview/history.ts';
import { verdictOf } from '../overview/verdict.ts';

/** Refused calls that are shown. */
const mostRefused = 20;

/** What one sees first. */
export const overviewRoutes: readonly Answering[] = [
  answer(overview, async ({ server, role, login }) => {
    const { view, history, tap, clock } = server;
    // Who else is there is not for everybody.
    const waits = role === 'admin' ? await server.waits() : [];
    const refused = tap.refused.filter((call) => role === 'admin' || call.login === login);
    return {
      ...verdictOf(await server.wrong(), waits, history.points.at(-1), clock.now().getTime()),
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
