import type { Answering } from './answer.ts';
import { configurationRoutes } from './routes/configuration.ts';
import { jobRoutes } from './routes/jobs.ts';
import { loginRoutes } from './routes/logins.ts';
import { overviewRoutes } from './routes/overview.ts';
import { queryRoutes } from './routes/query.ts';
import { searchRoutes } from './routes/search.ts';
import { sessionRoutes } from './routes/session.ts';
import { sessionListRoutes } from './routes/sessions.ts';
import { wireRoutes } from './routes/wire.ts';

/** Everything that the interface can be asked. */
export const routes: readonly Answering[] = [
  ...sessionRoutes,
  ...overviewRoutes,
  ...wireRoutes,
  ...sessionListRoutes,
  ...loginRoutes,
  ...queryRoutes,
  ...jobRoutes,
  ...configurationRoutes,
  ...searchRoutes,
];
