import type { Answering } from './answer.ts';
import { overviewRoutes } from './routes/overview.ts';
import { sessionRoutes } from './routes/session.ts';

/** Everything that the interface can be asked. */
export const routes: readonly Answering[] = [...sessionRoutes, ...overviewRoutes];
