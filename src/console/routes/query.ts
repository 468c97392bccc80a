import { SqlError } from '../../base/messages/sql-error.ts';
import { type Answering, answer } from '../answer.ts';
import { type QueryAnswer, runQuery, usualRows } from '../api/query.ts';
import { Gathered } from '../query/gathered.ts';
import { refused } from '../refusal.ts';

/** T-SQL that people write. */
export const queryRoutes: readonly Answering[] = [
  answer(runQuery, async ({ body, apart, role, login, server, signal, log }): Promise<QueryAnswer> => {
    const { database, text, rows = usualRows, writes = false } = body;
    if (writes && role !== 'admin') throw refused(403, 'Only an admin may let a query write.');
    if (writes) log.warn('a query that may write is run from the console', { database });
    // A separate connection, so that nothing of it is left behind; unless it may write, the server keeps it read-only.
    await using client = apart(database, writes);
    const full = new AbortController();
    const gathered = new Gathered(rows, () => full.abort(), server.answers.forRequest(login, signal));
    const began = performance.now();
    let error: SqlError | undefined;
    try {
      const either = AbortSignal.any([signal, full.signal]);
      await client.session((session) =>
        session.connection.batch(text, (token) => gathered.take(token), { signal: either }),
      );
    } catch (thrown) {
      if (thrown instanceof SqlError) error = thrown;
      else if (!full.signal.aborted) throw thrown;
    }
    // One that was thrown and did not come with the answer is that of the login.
    const [first = error === undefined ? null : told(error), ...moreErrors] = gathered.errors;
    return {
      ...gathered.answer,
      milliseconds: Math.round((performance.now() - began) * 100) / 100,
      error: first,
      moreErrors,
    };
  }),
];

const told = ({ message, number, severity, line, procedure }: SqlError) => ({
  message,
  number,
  severity,
  line,
  procedure,
});
