/** A value as the databases underneath hand it over. */
export type StoredValue = null | number | bigint | string | Uint8Array;

/** A value that may be bound in a statement: a boolean is kept as 0 or 1, a Date as milliseconds since 1970 in UTC. */
export type Bindable = StoredValue | boolean | Date;

/** How a column's stored value becomes the value a handler sees; every SQL type has this. */
export interface Stored<Value> {
  fromStore(stored: Exclude<StoredValue, null>): Value;
  /** True where integers beyond 2^53 occur, so that the driver must hand over bigints. */
  readonly wide?: boolean;
}

/** A column that may hold NULL; a bare type is NOT NULL. */
export interface OrNull<Type> {
  readonly orNull: Type;
}

/** The columns a query yields, in order: an object keeps the order its keys were written in. */
export type Shape = Readonly<Record<string, Stored<unknown> | OrNull<Stored<unknown>>>>;

/** One row of a shape. */
export type Row<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends OrNull<Stored<infer T>> ? T | null : S[K] extends Stored<infer T> ? T : never;
};
