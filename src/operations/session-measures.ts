import { type Measures, single } from '../base/log/measures.ts';
import type { ServerView, SessionEntry } from '../procedure/server-view.ts';

/** Bytes that are held against a limit. */
interface Budget {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

/** Who is connected, who waits, and what memory they hold. */
export function measureSessions(
  measures: Measures,
  view: Pick<ServerView, 'sessions' | 'waits'>,
  connected: () => number,
  budgets: () => readonly Budget[],
): void {
  const number = (name: string, help: string, counts: (session: SessionEntry) => boolean) =>
    measures.gauge(name, help, () => single(view.sessions().filter(counts).length));
  measures.gauge('granary_sessions', 'Clients that are connected.', () => single(connected()));
  number('granary_sessions_running', 'Clients whose request is being worked on.', ({ status }) => status === 'running');
  number('granary_transactions_open', 'Clients that are in a transaction of their own.', (of) => of.transactions > 0);
  measures.gauge('granary_sessions_blocked', 'Clients that wait for the lock of another.', async () =>
    single((await view.waits()).length),
  );
  const budget = (name: string, help: string, value: (of: Budget) => number) =>
    measures.gauge(name, help, () => budgets().map((of) => ({ labels: { budget: of.name }, value: value(of) })));
  budget('granary_memory_bytes', 'Memory that is held, by the budget that it counts against.', ({ used }) => used);
  budget('granary_memory_limit_bytes', 'Memory that may be held, by budget.', ({ limit }) => limit);
}
