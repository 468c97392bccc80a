import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Compiled } from '../../compile.ts';
import { quoted } from '../../sql.ts';
import type { Server } from '../connect/server.ts';
import { InDoubt, translated, Unreachable } from '../errors.ts';
import type { Answer } from '../wire/batch.ts';

/**
 * Begins a transaction that is sent as a whole, commit included: it takes the gate or fails at once, inserts a marker
 * row by which its outcome can be queried if the commit is not answered, and limits its waits for rows.
 */
export const makeMarkers = `
  create table if not exists granary_commits (
    id bigint not null primary key, kept boolean not null default true, at timestamptz not null default now()
  );
  create or replace function granary_enter(number bigint, longest_wait text) returns void language plpgsql as $$
  begin
    lock table granary_gate in row share mode nowait;
    insert into granary_commits (id) values (number);
    perform set_config('lock_timeout', longest_wait, true);
  end $$;`;

const enter = 'select granary_enter($1::bigint, $2::text), pg_current_xact_id()::text';
/** The number of the transaction that began this way. */
export const transactionOf = ({ rows }: Answer): bigint => BigInt(String(rows[0]?.[1]));
const forgetSome = 'delete from granary_commits where id between $1::bigint and $2::bigint';
/** Markers of nodes that no longer exist, whose outcome nobody will query. */
const forgetOld = `delete from granary_commits where at < now() - interval '1 day'`;

/** The markers of answered transactions are deleted after this many transactions. */
const atATime = 512n;

/** Milliseconds between two attempts to ask an unavailable server, and the total time to wait for one. */
const askAgain = 200;
const longestAnswer = 5000;

/** The marker rows of transactions that are sent as a whole. */
export class Markers {
  readonly #server: Server;
  readonly #schema: string;
  /** The starting point is random on every node, so that no two come near each other. */
  readonly #first = BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());
  #next = this.#first;

  constructor(server: Server, schema: string) {
    this.#server = server;
    this.#schema = schema;
  }

  /** The statement that begins the next transaction, and the number of its marker. */
  begin(longestWait: number): { readonly id: bigint; readonly statements: readonly [Compiled, ...Compiled[]] } {
    const id = this.#next++;
    const statements: [Compiled, ...Compiled[]] = [{ text: enter, parameters: [id, String(longestWait)] }];
    const count = id - this.#first;
    if (count === 0n) statements.push({ text: forgetOld, parameters: [] });
    else if (count % atATime === 0n)
      statements.push({ text: forgetSome, parameters: [id - 2n * atATime, id - atATime - 1n] });
    return { id, statements };
  }

  /**
   * Determines whether an unanswered transaction was committed. Throws Unreachable if it was not and never will be,
   * since its marker is now taken, and InDoubt if no server can tell.
   */
  async assureKept(id: bigint, lost: unknown): Promise<void> {
    const since = performance.now();
    do {
      const kept = await this.#ask(id);
      if (kept === true) return;
      if (kept === false) throw new Unreachable(lost);
      await delay(askAgain);
    } while (this.#server.isWorthWaiting(since));
    throw new InDoubt(lost);
  }

  /** Undefined if no server can be asked now. */
  async #ask(id: bigint): Promise<boolean | undefined> {
    const table = `${quoted(this.#schema)}.granary_commits`;
    const claim = `insert into ${table} (id, kept) values ($1, false) on conflict (id) do nothing`;
    try {
      return await this.#server.once({ settings: { statement_timeout: String(longestAnswer) } }, async ({ client }) => {
        // Waits for the transaction if it is still running.
        await client.query(claim, [id]);
        const { rows } = await client.query<{ kept: boolean }>(`select kept from ${table} where id = $1`, [id]);
        return rows[0]?.kept;
      });
    } catch (error) {
      if (error instanceof Unreachable || translated(error, claim) instanceof Unreachable) return undefined;
      throw error;
    }
  }
}
