import type { OrNull, Row } from '../base/stored.ts';
import type { AnyType, SqlType } from '../tds/types/sql-type.ts';
import type { Call, Preparing } from './call.ts';
import type { Param, ParamKind } from './param.ts';
import type { SystemCall } from './system-call.ts';

/** Marks a column that may hold NULL; a bare type is NOT NULL. */
export const orNull = <T extends AnyType>(type: T): OrNull<T> => ({ orNull: type });

/** The columns of a result set, in wire order: an object keeps the order its keys were written in. */
export type Columns = Readonly<Record<string, AnyType | OrNull<AnyType>>>;
export type Params = Readonly<Record<string, Param>>;

/** One way a call can end: its return code and the result sets that come with it, in wire order. */
export interface Outcome {
  /** The return code, or `int` if the code is itself the answer (a count, for example). */
  readonly code: number | SqlType<number>;
  readonly meaning: string;
  readonly sets?: Readonly<Record<string, Columns>>;
}
export type Outcomes = Readonly<Record<string, Outcome>>;

/**
 * What a procedure needs: no data (it may wait for long without holding a connection), a snapshot to read from, a
 * transaction to write in, or a transaction that excludes other writers. The role reader may call the first two.
 */
export type Access = 'none' | 'read' | 'write' | 'serial';

type Flat<T> = { [K in keyof T]: T[K] } & {};
type In<P> = P extends Param<infer T, infer K> ? (K extends 'required' ? T : T | null) : never;
type KindIs<P, K extends ParamKind> = P extends { readonly kind: K } ? true : false;
type Omittable<P extends Params> = {
  [K in keyof P]: KindIs<P[K], 'required' | 'nullable'> extends true ? never : K;
}[keyof P];
type Written<P extends Params> = {
  [K in keyof P]: KindIs<P[K], 'output' | 'optionalOutput'> extends true ? K : never;
}[keyof P];
type Sets<O> = O extends { readonly sets: infer S extends Readonly<Record<string, Columns>> } ? S : never;

/** What a handler gets: every parameter, with defaults filled in. */
export type HandlerInput<P extends Params> = { readonly [K in keyof P]: In<P[K]> };
/** What a typed client passes: parameters with a default, and outputs, may be left out. */
export type CallInput<P extends Params> = Flat<
  { readonly [K in Exclude<keyof P, Omittable<P>>]: In<P[K]> } & { readonly [K in Omittable<P>]?: In<P[K]> }
>;
/** The output values of a call. */
type Output<P extends Params> = [Written<P>] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [K in Written<P>]?: In<P[K]> };

type Ending<P extends Params, O extends Outcomes, Streamed extends boolean> = {
  [K in keyof O]: Flat<
    { readonly outcome: K } & (Streamed extends true
      ? { readonly output?: Output<P> }
      : { readonly output: Output<P> }) &
      (O[K] extends { readonly code: number } ? unknown : { readonly returns: number }) &
      ([Sets<O[K]>] extends [never]
        ? unknown
        : {
            readonly sets: {
              readonly [N in keyof Sets<O[K]>]: Streamed extends true
                ? Iterable<Row<Sets<O[K]>[N]>> | AsyncIterable<Row<Sets<O[K]>[N]>>
                : readonly Row<Sets<O[K]>[N]>[];
            };
          })
  >;
}[keyof O];

/** What a handler returns: a named outcome with its rows. */
type Reply<P extends Params, O extends Outcomes> = Ending<P, O, true>;
/** What a client gets back: a reply with its rows read. */
export type CallResult<P extends Params, O extends Outcomes> = Ending<P, O, false>;

/** The declaration of a procedure and its implementation: `handle` gets what `prepare` resolves to. */
interface Declaration<P extends Params, O extends Outcomes, Prepared, C extends Call = Call> {
  readonly name: string;
  /** Its schema, if it is neither a protocol's (dbo) nor SQL Server's own (sys): extensions are in granary. */
  readonly schema?: 'granary';
  /** Alternative names: the specification's own misspellings. */
  readonly aliases?: readonly string[];
  readonly section: string;
  readonly summary: string;
  readonly access: Access;
  /** The access that a call with this input needs, if it can be less than `access`: a stage that only reads. */
  accessFor?(input: HandlerInput<NoInfer<P>>): Access;
  /**
   * True if its calls are correct whatever others do meanwhile to rows that they have neither changed nor locked. On
   * PostgreSQL they then run at READ COMMITTED, and long ones run in parallel. 'at once' if that holds only for a call
   * that did not have to wait, because it stores the time at which it ran.
   */
  readonly byRows?: boolean | 'at once';
  /**
   * Whether it begins with SET NOCOUNT ON, so that clients are not sent row counts: the protocols' procedures do by
   * default; SQL Server's own declare it.
   */
  readonly noCount?: boolean;
  /** Present if it is reserved for the admins of the database, or of all databases. */
  readonly reservedFor?: 'databaseAdmin' | 'serverAdmin';
  /** True if its calls leave work for the upkeep of their database, which is then run at once. */
  readonly leavesWork?: boolean;
  /** True if its calls may add work that other calls wait for (arrivals.ts). */
  readonly bringsWork?: boolean;
  readonly params: P;
  readonly outcomes: O;
  /** Processes the input before the transaction begins, so that no other writer waits for it. */
  prepare?(call: Preparing, input: HandlerInput<NoInfer<P>>): Promise<Prepared>;
  /**
   * Answers a call from a snapshot if it has nothing to write, without involving the writer. Undefined if it has to
   * write; then `handle` runs.
   */
  known?(call: C, input: HandlerInput<NoInfer<P>>): Promise<Reply<P, O> | undefined>;
  /** True for system procedures, whose handler gets a SystemCall. */
  readonly isSystem?: boolean;
  handle(call: C, input: HandlerInput<P>, prepared: Prepared): Reply<P, O> | Promise<Reply<P, O>>;
}

/** A stored procedure: everything visible of it is derived from this one object. */
// biome-ignore lint/suspicious/noExplicitAny: what it prepares is between its own two functions.
export type Procedure<P extends Params, O extends Outcomes, C extends Call = Call> = Declaration<P, O, any, C>;

/** Any procedure, regardless of its parameters and outcomes. */
// biome-ignore lint/suspicious/noExplicitAny: a handler is contravariant in its parameters; only `any` names "some procedure".
export type AnyProcedure = Procedure<any, any, any>;

/** What distinguishes result sets on the wire: the names of their columns. */
const wireNames = (sets: Readonly<Record<string, Columns>>): string =>
  JSON.stringify(Object.values(sets).map((columns) => Object.keys(columns)));

/** Declares a system procedure, which has access to the session and the server. */
export function systemProcedure<const P extends Params, const O extends Outcomes>(
  declared: Declaration<P, O, undefined, SystemCall>,
): Procedure<P, O, SystemCall> {
  return Object.freeze({ ...declared, isSystem: true });
}

/** Declares a stored procedure; what the server, client, docs and console know about it is derived from this. */
export function procedure<const P extends Params, const O extends Outcomes, Prepared = undefined>(
  declared: Declaration<P, O, Prepared>,
): Procedure<P, O> {
  const onWire = Object.values(declared.outcomes).map(
    ({ code, sets }) => `${typeof code === 'number' ? code : '*'} ${wireNames(sets ?? {})}`,
  );
  if (new Set(onWire).size < onWire.length) throw new Error(`${declared.name}: two outcomes look alike on the wire`);
  return Object.freeze(declared);
}
