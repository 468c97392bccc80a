/** The JSON Schema of a value; OpenAPI uses it unchanged. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The form of a value of the interface: described in JSON Schema, and checked by it. */
export interface Schema<T> {
  readonly json: JsonSchema;
  /** True if the member of an object is optional. */
  readonly isOptional?: boolean;
  /** The checked value; otherwise a Misfit with its position. */
  read(value: unknown, at: string): T;
  /** Converts a text of an address before it is checked; by default the text itself. */
  fromText?(text: string): unknown;
}

/** Named schemas: the members of an object, the parameters of an address. */
export type Fields = Readonly<Record<string, Schema<unknown>>>;

/** The type that a schema describes. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Needed<F extends Fields> = { [N in keyof F]: F[N] extends { readonly isOptional: true } ? never : N }[keyof F];
type Unneeded<F extends Fields> = Exclude<keyof F, Needed<F>>;

/** The type of an object with such members. */
export type InferFields<F extends Fields> = { readonly [N in Needed<F>]: Infer<F[N]> } & {
  readonly [N in Unneeded<F>]?: Infer<F[N]>;
};

/** A value that does not fit its schema. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

const misfit = (at: string, wanted: string): never => {
  throw new Misfit(`${at} must be ${wanted}.`);
};

/** A text of at most this many characters. */
export const text = (maxLength?: number): Schema<string> => ({
  json: { type: 'string', ...(maxLength === undefined ? {} : { maxLength }) },
  read(value, at) {
    if (typeof value !== 'string') return misfit(at, 'a text');
    if (maxLength !== undefined && value.length > maxLength) return misfit(at, `at most ${maxLength} characters long`);
    return value;
  },
});

/** A moment in UTC, as ISO 8601 writes it. */
export const moment = (): Schema<string> => ({ ...text(), json: { type: 'string', format: 'date-time' } });

const bounds = (minimum?: number, maximum?: number): JsonSchema => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
});

/** A number, whole or not. */
export const number = (): Schema<number> => ({
  json: { type: 'number' },
  read: (value, at) => (typeof value === 'number' ? value : misfit(at, 'a number')),
  fromText: (given) => (given.trim() === '' ? given : Number(given)),
});

/** A whole number within bounds. */
export const integer = (minimum?: number, maximum?: number): Schema<number> => ({
  json: { type: 'integer', ...bounds(minimum, maximum) },
  read(value, at) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return misfit(at, 'a whole number');
    if (minimum !== undefined && value < minimum) return misfit(at, `at least ${minimum}`);
    if (maximum !== undefined && value > maximum) return misfit(at, `at most ${maximum}`);
    return value;
  },
  fromText: (given) => (given.trim() === '' ? given : Number(given)),
});

/** True or false. */
export const boolean = (): Schema<boolean> => ({
  json: { type: 'boolean' },
  read: (value, at) => (typeof value === 'boolean' ? value : misfit(at, 'true or false')),
  fromText: (given) => (given === 'true' ? true : given === 'false' ? false : given),
});

/** One of a few words. */
export const oneOf = <const W extends string>(...words: readonly W[]): Schema<W> => ({
  json: { type: 'string', enum: words },
  read: (value, at) => words.find((word) => word === value) ?? misfit(at, `one of ${words.join(', ')}`),
});

/** A value or null. */
export const nullable = <T>(schema: Schema<T>): Schema<T | null> => ({
  json: { anyOf: [schema.json, { type: 'null' }] },
  read: (value, at) => (value === null ? null : schema.read(value, at)),
});

/** A member that may be missing. */
export const optional = <T>(schema: Schema<T>): Schema<T | undefined> & { readonly isOptional: true } => ({
  ...schema,
  isOptional: true,
  read: (value, at) => (value === undefined ? undefined : schema.read(value, at)),
});

/** Values of one kind in a row. */
export const array = <T>(items: Schema<T>): Schema<readonly T[]> => ({
  json: { type: 'array', items: items.json },
  read: (value, at) =>
    Array.isArray(value) ? value.map((each, i) => items.read(each, `${at}[${i}]`)) : misfit(at, 'a list'),
});

/** Values of one kind by name. */
export const record = <T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> => ({
  json: { type: 'object', additionalProperties: values.json },
  read: (value, at) =>
    Object.fromEntries(Object.entries(asObject(value, at)).map(([name, each]) => [name, values.read(each, name)])),
});

/** An object with exactly these members. */
export const object = <F extends Fields>(fields: F): Schema<InferFields<F>> => ({
  json: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])),
    required: Object.keys(fields).filter((name) => fields[name]?.isOptional !== true),
    additionalProperties: false,
  },
  read: (value, at) => readFields(fields, asObject(value, at), at),
});

/** Any JSON value: the values of rows, whose types the database decides. */
export const anything = (): Schema<unknown> => ({ json: {}, read: (value) => value });

function asObject(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return misfit(at, 'an object');
  return Object.fromEntries(Object.entries(value));
}

/** The members of an object, each checked; one that nobody declared is a mistake of the caller. */
export function readFields<F extends Fields>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
  at: string,
): InferFields<F> {
  const unknownName = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknownName !== undefined) return misfit(`${at}.${unknownName}`, 'left out: nothing has that name');
  const read = Object.entries(fields).flatMap(([name, schema]) => {
    const value = schema.read(given[name], `${at}.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  // Each member was read by the schema of its name.
  return Object.fromEntries(read) as InferFields<F>;
}
