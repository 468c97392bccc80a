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
  /** The return code, or `int` where the code is itself the answer (a count, say). */
  readonly code: number | SqlType<number>;
  readonly meaning: string;
  readonly sets?: Readonly<Record<string, Columns>>;
}
export type Outcomes = Readonly<Record<string, Outcome>>;

/**
 * Whether a procedure needs no data (it may wait for long, and holds no connection meanwhile), only reads (on a
 * snapshot), writes, or writes alone. A reader may call the first two.
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

/** What a procedure is declared to be, and how it is answered: what `prepare` resolves to is what `handle` gets. */
interface Declaration<P extends Params, O extends Outcomes, Prepared, C extends Call = Call> {
  readonly name: string;
  /** Where it stands when that is neither with the protocols' (dbo) nor with SQL Server's own (sys): an extension is in granary. */
  readonly schema?: 'granary';
  /** Other names it answers to: the specification's own misspellings. */
  readonly aliases?: readonly string[];
  readonly section: string;
  readonly summary: string;
  readonly access: Access;
  /** What a call with this input does, where that may be less than `access`: a stage that only reads. */
  accessFor?(input: HandlerInput<NoInfer<P>>): Access;
  /**
   * True when its calls are right whatever others do meanwhile to rows that they have neither changed nor locked. On PostgreSQL
   * they need no serializable transaction then, and long ones run side by side. 'at once' where that holds only of a call that
   * waited for nobody: one that writes down the moment it runs at.
   */
  readonly byRows?: boolean | 'at once';
  /**
   * Whether it begins with SET NOCOUNT ON, so that clients do not hear how many rows it sends: a protocol's procedures do,
   * SQL Server's own say so.
   */
  readonly noCount?: boolean;
  /** Present when neither reading nor writing decides who may call it: the admins of the database, or of all databases. */
  readonly reservedFor?: 'databaseAdmin' | 'serverAdmin';
  /** True when its calls leave rows for the upkeep of their database, which then need not wait until it looks by itself. */
  readonly leavesWork?: boolean;
  /** True when its calls may bring what other calls wait for (arrivals.ts). */
  readonly bringsWork?: boolean;
  readonly params: P;
  readonly outcomes: O;
  /** Works something out of the input before the transaction begins, so that no other writer waits for it. */
  prepare?(call: Preparing, input: HandlerInput<NoInfer<P>>): Promise<Prepared>;
  /**
   * What a call that may write answers without that, worked out on a snapshot: the writer is not asked for. Undefined when it
   * has to write, and then `handle` answers.
   */
  known?(call: C, input: HandlerInput<NoInfer<P>>): Promise<Reply<P, O> | undefined>;
  /** True for one of the system's own: its handler gets a SystemCall. */
  readonly isSystem?: boolean;
  handle(call: C, input: HandlerInput<P>, prepared: Prepared): Reply<P, O> | Promise<Reply<P, O>>;
}

/** A stored procedure: everything that the world sees of it derives from this one object. */
// biome-ignore lint/suspicious/noExplicitAny: what it prepares is between its own two functions.
export type Procedure<P extends Params, O extends Outcomes, C extends Call = Call> = Declaration<P, O, any, C>;

/** Any procedure, where its own parameters and outcomes are of no interest. */
// biome-ignore lint/suspicious/noExplicitAny: a handler is contravariant in its parameters; only `any` names "some procedure".
export type AnyProcedure = Procedure<any, any, any>;

/** What tells result sets apart on the wire: the names of their columns. */
const wireNames = (sets: Readonly<Record<string, Columns>>): string =>
  JSON.stringify(Object.values(sets).map((columns) => Object.keys(columns)));

/** Declares a procedure of SQL Server's own, which may know of the session and the server. */
export function systemProcedure<const P extends Params, const O extends Outcomes>(
  declared: Declaration<P, O, undefined, SystemCall>,
): Procedure<P, O, SystemCall> {
  return Object.freeze({ ...declared, isSystem: true });
}

/** Declares a stored procedure; what the server, client, docs and console know of it derives from this. */
export function procedure<const P extends Params, const O extends Outcomes, Prepared = undefined>(
  declared: Declaration<P, O, Prepared>,
): Procedure<P, O> {
  const onWire = Object.values(declared.outcomes).map(
    ({ code, sets }) => `${typeof code === 'number' ? code : '*'} ${wireNames(sets ?? {})}`,
  );
  if (new Set(onWire).size < onWire.length) throw new Error(`${declared.name}: two outcomes look alike on the wire`);
  return Object.freeze(declared);
}
