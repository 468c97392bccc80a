import type { Steps } from '../../base/steps.ts';
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

/** What an argument is converted to: text keeps its own text type, any stays as it is. */
type ArgumentKind = 'text' | 'any' | AnyType;

/** A function of values alone. */
interface Simple {
  readonly args: readonly ArgumentKind[];
  /** How many of the last arguments may be left out. */
  readonly optional?: number;
  /** True when more arguments of the last kind may follow. */
  readonly rest?: boolean;
  readonly returns: AnyType | ((args: readonly Compiled[]) => AnyType);
  /** True when the function sees NULL arguments; otherwise a NULL makes the result NULL. */
  readonly nulls?: boolean;
  apply(values: readonly unknown[], context: Context, types: readonly AnyType[]): unknown;
}

/** A function of values so long that others must not wait for all of its work. */
interface Stepped extends Omit<Simple, 'apply'> {
  readonly steps: (values: readonly unknown[], types: readonly AnyType[]) => Steps<unknown>;
}

/** Makes a function's compile step from a description. */
export function simple(definition: Simple | Stepped): FunctionSpec {
  const { args: kinds, optional = 0, rest = false, returns, nulls = false } = definition;
  return {
    min: kinds.length - optional,
    max: rest ? 255 : kinds.length,
    compile(given, context) {
      const args = given.map((arg, index) => argument(arg, kinds[Math.min(index, kinds.length - 1)] ?? 'any', context));
      const types = args.map(({ type }) => type);
      const type = typeof returns === 'function' ? returns(args) : returns;
      const room = familyOf(type.name) === 'text' ? charactersOf(type) : Number.POSITIVE_INFINITY;
      const fitted = (value: unknown): unknown =>
        typeof value === 'string' && value.length > room ? value.slice(0, room) : value;
      const isNull = (values: readonly unknown[]): boolean => !nulls && values.includes(null);
      const evaluate =
        'apply' in definition
          ? madeOf(args, context, (values) =>
              isNull(values) ? null : fitted(definition.apply(values, context, types)),
            )
          : madeInSteps(args, context, function* (values) {
              return isNull(values) ? null : fitted(yield* definition.steps(values, types));
            });
      return { type, nullable: true, evaluate };
    },
  };
}

function argument(arg: Compiled, kind: ArgumentKind, context: Context): Compiled {
  if (kind === 'any') return arg;
  if (kind !== 'text') return coerce(arg, kind, context);
  const family = familyOf(arg.type.name);
  if (family === 'text') return arg;
  return coerce(arg, family === 'xml' ? t.nvarchar('max') : t.varchar(8000), context);
}

/** The text type of an argument, of another length where one is given. */
export function textLike(arg: Compiled | undefined, length?: number): AnyType {
  const type = arg?.type ?? t.varchar(8000);
  const most = isUnicode(type.name) ? 4000 : 8000;
  const own = charactersOf(type);
  const wanted = length ?? own;
  const like = textOf(isUnicode(type.name), own === Number.POSITIVE_INFINITY ? own : Math.min(wanted, most));
  return type.collation === undefined ? like : collated(like, type.collation);
}
