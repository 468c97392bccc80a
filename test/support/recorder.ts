import type { SqlError } from '../../src/base/messages/sql-error.ts';
import type { Column } from '../../src/procedure/run/sink.ts';
import type { Host } from '../../src/tsql/host.ts';
import { runBatch } from '../../src/tsql/run-batch.ts';
import type { StatementEnd, StatementSink } from '../../src/tsql/statement-sink.ts';

/** Everything that a batch reported, in order and by kind. */
export class Recorder implements StatementSink {
  readonly sets: { columns: readonly Column[]; rows: unknown[][] }[] = [];
  readonly errors: SqlError[] = [];
  readonly messages: { number: number; text: string }[] = [];
  readonly dones: StatementEnd[] = [];
  readonly events: string[] = [];

  columns(columns: readonly Column[]): void {
    this.sets.push({ columns, rows: [] });
    this.events.push('columns');
  }

  row(values: readonly unknown[]): void {
    const set = this.sets.at(-1);
    // The wire has no NULL for such a column: whatever says that it is never NULL has to be right.
    const wrong = set?.columns.find(
      ({ nullable, type }, at) => !nullable && type.fixed && (values[at] ?? null) === null,
    );
    if (wrong !== undefined) throw new Error(`${wrong.name} is NULL in a column that is never NULL`);
    set?.rows.push([...values]);
  }

  endRows(count: number): void {
    this.events.push(`rows ${count}`);
  }

  info({ number, text }: { number: number; text: string }): void {
    this.messages.push({ number, text });
    this.events.push(`info ${number}`);
  }

  done(end: StatementEnd): void {
    this.dones.push(end);
    this.events.push(
      `done ${end.command}${end.count === undefined ? '' : ` ${end.count}`}${end.failed ? ' failed' : ''}`,
    );
  }

  error(error: SqlError): void {
    this.errors.push(error);
    this.events.push(`error ${error.number}`);
  }

  enter(procedure: string): void {
    this.events.push(`enter ${procedure}`);
  }

  leave(status: number | undefined): void {
    this.events.push(`leave ${status}`);
  }
}

/** Runs a batch and returns what it reported. */
export async function batch(host: Host, text: string): Promise<Recorder> {
  const recorder = new Recorder();
  await runBatch(host, text, recorder, new AbortController().signal);
  return recorder;
}
