import type { InnerSet, InnerVariable } from '../procedure/relations/tsql-view.ts';
import type { Column } from '../procedure/run/sink.ts';
import { recentTrees } from '../syntax/parser/kept-trees.ts';
import { Frame } from './frame.ts';
import type { Host } from './host.ts';
import { interpreter } from './interpreter.ts';
import { defaultOptions } from './options.ts';
import { SessionState } from './session-state.ts';
import { Failure } from './statements/failure.ts';
import { RowTakingSink } from './statements/row-taking-sink.ts';

/** Collects the result sets of a batch, and its first error. */
class KeepingSink extends RowTakingSink {
  readonly sets: { readonly columns: readonly Column[]; readonly rows: (readonly unknown[])[] }[] = [];

  override columns(columns: readonly Column[]): void {
    this.sets.push({ columns, rows: [] });
  }

  override row(values: readonly unknown[]): void {
    this.sets.at(-1)?.rows.push(values);
  }
}

/** The session in another database, with its own options and state, so that the client's are not affected. */
const within = (host: Host, database: string): Host => ({
  identity: host.identity,
  connection: host.connection,
  clock: host.clock,
  server: host.server,
  options: { ...defaultOptions(), noCount: true },
  state: new SessionState(host.memory),
  transactions: host.transactions,
  memory: host.memory,
  statementMemory: host.statementMemory,
  tempDb: host.tempDb,
  database,
  logins: host.logins,
  use: (name) => host.use(name),
  hasAccess: (name) => host.hasAccess(name),
  rowVersion: (signal) => host.rowVersion(signal),
  serverProperty: (name) => host.serverProperty(name),
  declared: (name) => host.declared({ database, ...name }),
  relation: (name) => host.relation({ database, ...name }),
  read: (where, work, signal, amount) => host.read(where ?? database, work, signal, amount),
  mayChange: (table) => host.mayChange(table),
  write: (table, work, signal) => host.write(table, work, signal),
});

/** Runs a batch for the server itself; returns its result sets, or throws the error that ended it. */
export async function innerBatch(
  host: Host,
  database: string,
  text: string,
  variables: readonly InnerVariable[],
  signal: AbortSignal,
): Promise<readonly InnerSet[]> {
  const sink = new KeepingSink();
  const frame = new Frame(within(host, database), sink, signal);
  for (const { name, type, value } of variables) frame.declare(name, type, value);
  const names = variables.map(({ name }) => name);
  const statements = await recentTrees.read(text, { variables: names }, frame.turn);
  try {
    await frame.within(() => interpreter.statements(statements, frame));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw sink.failure ?? error.error;
  }
  if (sink.failure !== undefined) throw sink.failure;
  return sink.sets;
}
