/** A value as it comes from the database engine. */
export type StoredValue = null | number | bigint | string | Uint8Array;

/**
 * A value that can be bound in a statement: a boolean is stored as 0 or 1, a Date as milliseconds since 1970 in UTC.
 */
export type Bindable = StoredValue | boolean | Date;

/** Converts a column's stored value to the value that a handler sees; every SQL type has this. */
export interface Stored<Value> {
  fromStore(stored: Exclude<StoredValue, null>): Value;
  /** True if integers beyond 2^53 occur, so that the driver must return bigints. */
  readonly wide?: boolean;
}

/** A column that may hold NULL; a bare type is NOT NULL. */
export interface OrNull<Type> {
  readonly orNull: Type;
}

/** The columns of a query, in order: an object keeps its keys in the order in which they were written. */
export type Shape = Readonly<Record<string, Stored<unknown> | OrNull<Stored<unknown>>>>;

/** One row of a shape. */
export type Row<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends OrNull<Stored<infer T>> ? T | null : S[K] extends Stored<infer T> ? T : never;
};
