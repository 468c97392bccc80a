import type { SqlType } from '../tds/types/sql-type.ts';

/** How a parameter is passed: whether it may be NULL, left out, and set by the procedure. */
export type ParamKind = 'required' | 'nullable' | 'optional' | 'output' | 'optionalOutput';

/** A parameter as the specification declares it. */
// biome-ignore lint/suspicious/noExplicitAny: a SqlType is invariant in its value; only `any` names "some parameter".
export interface Param<T = any, K extends ParamKind = ParamKind> {
  readonly kind: K;
  readonly type: SqlType<T>;
  readonly doc: string;
  /** Present when a caller may leave the parameter out. */
  readonly default?: T | null;
}

/** A parameter that a caller must give and that is never NULL. */
export const required = <T>(type: SqlType<T>, doc: string): Param<T, 'required'> => ({ kind: 'required', type, doc });

/** A parameter that a caller must give and that may be NULL. */
export const nullable = <T>(type: SqlType<T>, doc: string): Param<T, 'nullable'> => ({ kind: 'nullable', type, doc });

/** A parameter that a caller may leave out (or give as NULL). */
export const optional = <T>(type: SqlType<T>, byDefault: T | null, doc: string): Param<T, 'optional'> => ({
  kind: 'optional',
  type,
  doc,
  default: byDefault,
});

/** A parameter that the procedure sets; a caller must name it. */
export const output = <T>(type: SqlType<T>, doc: string): Param<T, 'output'> => ({ kind: 'output', type, doc });

/** A parameter that the procedure may set; a caller may leave it out. */
export const optionalOutput = <T>(type: SqlType<T>, doc: string): Param<T, 'optionalOutput'> => ({
  kind: 'optionalOutput',
  type,
  doc,
  default: null,
});

/** True for a parameter whose value goes back to the caller. */
export const isOutput = (param: Param): boolean => param.kind === 'output' || param.kind === 'optionalOutput';
