import { type MatrixCheck, testMatrix } from './matrix.ts';
import { monoProgram } from './mono.ts';

const checks: Readonly<Record<string, MatrixCheck>> = {
  readers: { rule: 'two readers are open at once', facts: { rows: 3000, sum: 9_003_000 } },
  loop: { rule: 'a command runs for every row of a reader, in the same session', facts: { copied: 300, sessions: 1 } },
  transactions: {
    rule: 'one transaction is that of all commands: 3981, 3988 and 3997 where there are several',
    facts: { numbers: [3981, 3981, 3988, 3997], rows: 2 },
  },
  cancel: { rule: 'a command is cancelled and the reader beside it goes on', facts: { number: -2, rows: 3000 } },
  bulk: { rule: 'SqlBulkCopy copies from a reader of the same connection', facts: { rows: 3000 } },
  async: {
    rule: 'asynchronous commands share a connection, and pooled ones are reset',
    facts: { sum: 210, answers: [0, 0, 0] },
  },
};

const named = (options: string, leftOut: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(checks)
      .filter(([check]) => !leftOut.includes(check))
      .map(([check, { rule, facts }]) => [check, { rule: `MARS, ${options}: ${rule}`, facts }]),
  );

const program = monoProgram('Mars');
testMatrix('mono', program, { CLIENT_OPTIONS: 'Encrypt=False' }, named('Encrypt=False'));
// Mono's TLS takes one write at a time, and its SqlClient does not wait: asynchronous commands at once fail in the client.
const encrypted = { CLIENT_OPTIONS: 'Encrypt=True;TrustServerCertificate=True' };
testMatrix('mono', program, encrypted, named('Encrypt=True', ['async']));
