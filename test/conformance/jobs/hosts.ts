import type { Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log/log.ts';
import { Threads } from '../../../src/base/threads/threads.ts';
import type { Transaction } from '../../../src/engine/db.ts';
import type { Call } from '../../../src/procedure/call.ts';
import type { AnyProcedure, Columns, Outcome } from '../../../src/procedure/declare.ts';
import type { Param } from '../../../src/procedure/param.ts';
import type { Argument } from '../../../src/procedure/run/bind.ts';
import { execute } from '../../../src/procedure/run/execute.ts';
import type { Sink } from '../../../src/procedure/run/sink.ts';
import { type AnyType, roundToDatetime } from '../../../src/tds/types/index.ts';
import type { TestClient } from '../../support/client.ts';
import type { Expected } from './model.ts';

/** Something that answers calls: what came of one is told as the model tells what it expects. */
export interface Host {
  call(procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): Promise<Expected>;
}

const facts = () => ({
  database: 'Jobs',
  kind: 'jobs',
  login: 'sa',
  signal: new AbortController().signal,
  log: silentLog,
});

/** Runs procedures without a wire: inside one open transaction, say, where nothing goes to disk. */
export class InProcessHost implements Host {
  readonly #transaction: Pick<Transaction, 'run'>;
  readonly #clock: Clock;

  constructor(transaction: Pick<Transaction, 'run'>, clock: Clock) {
    this.#transaction = transaction;
    this.#clock = clock;
  }

  async call(procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): Promise<Expected> {
    const params: Readonly<Record<string, Param>> = procedure.params;
    const args = Object.entries(params)
      .filter(([name]) => name in input)
      .map(
        ([name, { type }]): Argument => ({
          name: `@${name}`,
          type,
          value: input[name],
          output: false,
          byDefault: false,
        }),
      );
    const gathered = new GatheringSink();
    const run = <T>(work: (db: Call['db']) => Promise<T>) => this.#transaction.run(work);
    try {
      const { status } = await execute(
        procedure,
        args,
        { read: run, write: run },
        {
          preparing: () => ({ ...facts(), threads: new Threads(silentLog), until: async () => false }),
          call: (db) => this.#callWith(db),
        },
        gathered,
      );
      return told(procedure, status, gathered.rows);
    } catch (error) {
      return failed(error);
    }
  }

  #callWith(db: Call['db']): Call {
    return {
      db,
      now: roundToDatetime(this.#clock.now()),
      ...facts(),
    };
  }
}

/** Runs procedures through a real driver. */
export class DriverHost implements Host {
  readonly #client: TestClient;

  constructor(client: TestClient) {
    this.#client = client;
  }

  async call(procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): Promise<Expected> {
    try {
      const { status, sets } = await this.#client.callLoosely(procedure, input);
      return told(procedure, status ?? Number.NaN, sets[0]);
    } catch (error) {
      return failed(error);
    }
  }
}

class GatheringSink implements Sink {
  rows: Record<string, unknown>[] | undefined;
  #names: readonly string[] = [];

  columns(columns: Parameters<Sink['columns']>[0]): void {
    this.rows = [];
    this.#names = columns.map(({ name }) => name);
  }
  row(values: readonly unknown[]): void {
    this.rows?.push(Object.fromEntries(this.#names.map((name, place) => [name, values[place]])));
  }
  endRows(): void {}
  info(): void {}
}

function told(procedure: AnyProcedure, status: number, rows: readonly Record<string, unknown>[] | undefined): Expected {
  if (rows === undefined) return { status };
  const columns = columnsOf(procedure);
  return { status, rows: rows.map((row) => plainRow(columns, row)) };
}

function columnsOf(procedure: AnyProcedure): Columns {
  const [outcome] = Object.values(procedure.outcomes) as Outcome[];
  const [columns] = Object.values(outcome?.sets ?? {});
  if (!columns) throw new Error(`${procedure.name} declares no result set`);
  return columns;
}

/** A row as the model writes it: bigint, lower-case GUIDs, bytes in hexadecimal. */
export function plainRow(columns: Columns, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const type: AnyType = 'orNull' in column ? column.orNull : column;
      return [name, plain(type.name, row[name] ?? null)];
    }),
  );
}

function plain(type: AnyType['name'], value: unknown): unknown {
  if (value === null) return null;
  if (type === 'bigint') return BigInt(value as string | bigint);
  if (type === 'uniqueidentifier') return String(value).toLowerCase();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value;
}

function failed(error: unknown): Expected {
  if (error instanceof Error && 'number' in error && typeof error.number === 'number') return { error: error.number };
  throw error;
}
