import { ownPart } from '../../base/text/own-part.ts';
import type { Steps } from '../../base/threads/steps.ts';
import { longestName } from '../../syntax/lexer/tokenize.ts';
import { familyOf, isUnicode } from '../../tds/convert/families.ts';
import { charactersOf } from '../../tds/convert/to-text.ts';
import { collated } from '../../tds/types/collated.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { textOf } from '../../values/precedence.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { madeInSteps, madeOf } from '../evaluate/long-work.ts';

/**
 * The type that an argument is converted to: text keeps its own text type, any is not converted, a name is truncated to
 * the length of names.
 */
type ArgumentKind = 'text' | 'name' | 'any' | AnyType;

const kinds: Readonly<Record<string, ArgumentKind>> = {
  text: 'text',
  name: 'name',
  any: 'any',
  binary: t.varbinary('max'),
  int: t.int,
  tinyint: t.tinyint,
  float: t.float,
  date: t.date,
  datetime2: t.datetime2(7),
  datetimeoffset: t.datetimeoffset(7),
};

type Returns = AnyType | ((args: readonly Compiled[]) => AnyType);
type Apply = (values: readonly unknown[], context: Context, types: readonly AnyType[]) => unknown;
type ApplySteps = (values: readonly unknown[], types: readonly AnyType[]) => Steps<unknown>;

/** A function of values alone: a NULL among them makes the result NULL. `text, int?, any...` are its arguments. */
export const simple = (args: string, returns: Returns, apply: Apply): FunctionSpec =>
  defined(args, returns, { apply, seesNulls: false });

/** The same, but it is also called with NULL arguments. */
export const seeingNulls = (args: string, returns: Returns, apply: Apply): FunctionSpec =>
  defined(args, returns, { apply, seesNulls: true });

/** A function of values so long that others must not wait for all of its work. */
export const stepped = (args: string, returns: Returns, steps: ApplySteps, { nulls = false } = {}): FunctionSpec =>
  defined(args, returns, { steps, seesNulls: nulls });

type Work = ({ readonly apply: Apply } | { readonly steps: ApplySteps }) & { readonly seesNulls: boolean };

function defined(args: string, returns: Returns, work: Work): FunctionSpec {
  const declared = [...args.matchAll(/(\w+)(\??)(\.*)/g)].map(([, name = '', optional, rest]) => {
    const kind = kinds[name];
    if (kind === undefined) throw new Error(`there is no kind of arguments that is called ${name}`);
    return { kind, isOptional: optional !== '', isRest: rest !== '' };
  });
  return {
    min: declared.filter(({ isOptional }) => !isOptional).length,
    max: declared.at(-1)?.isRest ? 255 : declared.length,
    compile(given, context) {
      const all = given.map((arg, index) =>
        argument(arg, (declared[index] ?? declared.at(-1))?.kind ?? 'any', context),
      );
      const types = all.map(({ type }) => type);
      const type = typeof returns === 'function' ? returns(all) : returns;
      const room = familyOf(type.name) === 'text' ? charactersOf(type) : Number.POSITIVE_INFINITY;
      const fitted = (value: unknown): unknown =>
        typeof value === 'string' && value.length > room ? ownPart(value, 0, room) : value;
      const isNull = (values: readonly unknown[]): boolean => !work.seesNulls && values.includes(null);
      const evaluate =
        'apply' in work
          ? madeOf(all, context, (values) => (isNull(values) ? null : fitted(work.apply(values, context, types))))
          : madeInSteps(all, context, function* (values) {
              return isNull(values) ? null : fitted(yield* work.steps(values, types));
            });
      return { type, nullable: true, evaluate };
    },
  };
}

function argument(arg: Compiled, kind: ArgumentKind, context: Context): Compiled {
  if (kind === 'any') return arg;
  if (kind === 'name') return named(argument(arg, 'text', context));
  if (kind !== 'text') return coerce(arg, kind, context);
  const family = familyOf(arg.type.name);
  if (family === 'text') return arg;
  return coerce(arg, family === 'xml' ? t.nvarchar('max') : t.varchar(8000), context);
}

/** A name: a longer text is cut so that it matches nothing, since looking up all of it would keep others waiting. */
const named = (text: Compiled): Compiled => ({
  ...text,
  type: t.nvarchar(longestName + 1),
  evaluate: (env) => {
    const value = text.evaluate(env);
    return typeof value === 'string' ? ownPart(value, 0, longestName + 1) : value;
  },
});

/** A value made from arguments of which none is NULL. */
export function derived(
  type: AnyType,
  args: readonly Compiled[],
  make: (values: readonly unknown[]) => unknown,
): Compiled {
  return {
    type,
    nullable: true,
    evaluate(env) {
      const values = args.map((arg) => arg.evaluate(env));
      return values.includes(null) ? null : make(values);
    },
  };
}

/** The minimum number of arguments of a function. */
interface Least {
  readonly 1: readonly [Compiled, ...Compiled[]];
  readonly 2: readonly [Compiled, Compiled, ...Compiled[]];
}

/** A function that converts its arguments itself. */
export const compiledBy = <N extends keyof Least>(
  min: N,
  max: number,
  compile: (args: Least[N], context: Context) => Compiled,
): FunctionSpec => ({
  min,
  max,
  compile: (args, context) => compile(args as unknown as Least[N], context), // they are counted before
});

/** The text type of an argument, with another length if one is given. */
export function textLike(arg: Compiled | undefined, length?: number): AnyType {
  const type = arg?.type ?? t.varchar(8000);
  const most = isUnicode(type.name) ? 4000 : 8000;
  const own = charactersOf(type);
  const wanted = length ?? own;
  const like = textOf(isUnicode(type.name), own === Number.POSITIVE_INFINITY ? own : Math.min(wanted, most));
  return type.collation === undefined ? like : collated(like, type.collation);
}

/** True of the types whose values may have more bytes than an int counts. */
const isMax = ({ name, maxLength }: AnyType): boolean =>
  maxLength < 0 && ['varchar', 'nvarchar', 'varbinary'].includes(name);

/** The result type of a function that counts in an argument: bigint for varchar(max) and similar types. */
export const countType =
  (place: number) =>
  (args: readonly Compiled[]): AnyType =>
    args[place] !== undefined && isMax(args[place].type) ? t.bigint : t.int;

/** A count in a value of a type, as `countType` returns it. */
export const count = (found: number, type: AnyType): number | bigint => (isMax(type) ? BigInt(found) : found);

/** The result of a function that keeps the text type of its first argument. */
export const likeFirst = ([first]: readonly Compiled[]): AnyType => textLike(first);
