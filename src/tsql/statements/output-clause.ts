import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { SelectItem } from '../../syntax/ast/query.ts';
import type { OutputClause } from '../../syntax/ast/statement.ts';
import * as t from '../../tds/types/index.ts';
import { type Compiled, noRows } from '../evaluate/compiled.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import type { StatementContext } from '../evaluate/statement-context.ts';
import { envOf, type JoinRow } from '../query/joins/join-row.ts';
import type { PlanColumn } from '../query/plan.ts';
import { reading } from '../query/read.ts';
import { sizeOf } from '../query/run.ts';
import { type NamedSource, SelectScope } from '../query/scope.ts';
import { HeldMemory } from '../storage/held-memory.ts';
import { storedTarget } from '../stored/target.ts';
import { sendSet } from './completion.ts';
import { Inserter } from './inserter.ts';
import { targetTable } from './rows.ts';

/** A row before and after a change. */
export interface Change {
  readonly inserted: readonly unknown[] | undefined;
  readonly deleted: readonly unknown[] | undefined;
  /** The rows of further sources, for MERGE. */
  readonly others?: JoinRow;
}

interface Item {
  readonly name: string;
  readonly value: Compiled;
}

type Items = Prepared<readonly Item[]>;

/** What a statement without OUTPUT says. */
const nothing: Items = { compiled: [], pending: [] };

/** OUTPUT of one statement: expressions over inserted and deleted rows, for the client or, with INTO, for a table. */
export class Output {
  /** True when the client gets rows. */
  readonly sendsRows: boolean;
  readonly #items: Items;
  readonly #context: StatementContext;
  readonly #newInserter: (() => Inserter) | undefined;
  #inserter: Inserter | undefined;
  #rows: (readonly unknown[])[] = [];
  /** What these rows take. */
  readonly #held: HeldMemory;

  private constructor(items: Items, context: StatementContext, sendsRows: boolean, newInserter?: () => Inserter) {
    this.#items = items;
    this.#context = context;
    this.sendsRows = sendsRows;
    this.#newInserter = newInserter;
    this.#held = new HeldMemory(context.frame.host.memory);
  }

  /** Compiles OUTPUT for changes of rows that have these columns. */
  static async of(
    clause: OutputClause | undefined,
    columns: readonly PlanColumn[],
    context: StatementContext,
    others: readonly NamedSource[] = [],
  ): Promise<Output> {
    if (clause === undefined) return new Output(nothing, context, false);
    const images = ['inserted', 'deleted'].map((alias): NamedSource => ({ alias, columns }));
    const scope = new SelectScope([...images, ...others], undefined);
    const items = context.prepared(() => clause.items.items.flatMap((item) => compileItem(item, scope, context)));
    const { into, columns: listed = [] } = clause;
    if (into === undefined) return new Output(items, context, true);
    // The rows of a relation would need a transaction of their own.
    if ((await storedTarget(into, context.frame, 'INSERT')) !== undefined)
      throw sqlError(330, 'variable' in into ? into.variable : into.name);
    const target = await targetTable(into, context.frame, 'INSERT');
    return new Output(items, context, false, () => new Inserter(target, listed, context, { explicit: true }));
  }

  /** Computes its rows while the changes can still be undone; INTO inserts them at once. */
  async take<T>(all: readonly T[], changeOf: (each: T) => Change): Promise<void> {
    await this.undo();
    const { turn } = this.#context.run;
    const { compiled: items, pending } = this.#items;
    if (items.length === 0) return;
    const rows: unknown[][] = [];
    await reading(this.#context, async () => {
      for (const each of all) {
        const { inserted, deleted, others = [] } = changeOf(each);
        const env = envOf([inserted ?? null, deleted ?? null, ...others], noRows);
        await answered(pending, env);
        const row = items.map(({ value }) => value.evaluate(env));
        this.#held.take(sizeOf(row));
        rows.push(row);
        if (turn.isOver) await turn.giveWay();
      }
    });
    this.#rows = rows;
    await this.#put(rows);
    if (!this.sendsRows) this.#letGo();
  }

  #letGo(): void {
    this.#rows = [];
    this.#held.free();
  }

  async #put(rows: readonly (readonly unknown[])[]): Promise<void> {
    const inserter = this.#newInserter?.();
    if (inserter === undefined) return;
    const { compiled: items } = this.#items;
    if (items.length !== inserter.width) throw sqlError(213);
    this.#inserter = inserter;
    const { state } = this.#context.frame.host;
    // The identity values of that table are not those of the statement's own rows.
    const { identity } = state;
    const types = items.map(({ value: { bare, type } }) => (bare ? t.varchar(1) : type));
    const { turn } = this.#context.run;
    for (const row of rows) {
      const slow = inserter.add(row.map((value, at) => ({ type: types[at] ?? t.int, value })));
      if (slow !== undefined) await slow;
      if (turn.isOver) await turn.giveWay();
    }
    state.identity = identity;
  }

  /** Removes the rows that INTO has inserted. */
  async undo(): Promise<void> {
    this.#letGo();
    await this.#inserter?.undo();
    this.#inserter = undefined;
  }

  /** Sends its rows to the client. */
  async send(): Promise<void> {
    if (!this.sendsRows) return;
    const columns = this.#items.compiled.map(({ name, value }) => ({ name, type: value.type, nullable: true }));
    try {
      await sendSet(this.#context.frame.sink, columns, this.#rows);
    } finally {
      this.#letGo();
    }
  }
}

function compileItem(item: SelectItem, scope: SelectScope, context: StatementContext): Item[] {
  if (item.kind !== 'star') {
    const value = context.expression(item.expression, scope);
    return [{ name: (item.kind === 'value' ? item.alias : undefined) ?? value.name ?? '', value }];
  }
  const alias = fold(item.qualifier?.at(-1) ?? '');
  const source = scope.sources.find((each) => alias !== '' && each.alias === alias);
  if (source === undefined) throw sqlError(4104, '*');
  return source.columns.map(({ name }) => ({
    name,
    value: context.expression({ kind: 'column', parts: [alias, name] }, scope),
  }));
}
