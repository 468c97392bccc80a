import { type ConvertOptions, convert, refuseForbidden } from '../../tds/convert/convert.ts';
import { convertSteps } from '../../tds/convert/convert-steps.ts';
import { collated, isCollatable } from '../../tds/types/collated.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { commonType } from '../../values/precedence.ts';
import type { Compiled } from './compiled.ts';
import { unlessRefused } from './compiled.ts';
import type { Context } from './context.ts';
import { madeInSteps, madeOf } from './long-work.ts';

/** An implicit conversion to another type, as operators and assignments do. */
export function coerce(compiled: Compiled, to: AnyType, context: Context): Compiled {
  return converted(compiled, to, context, { implicit: true, expression: true });
}

/** An expression under CAST or CONVERT; with `attempt` the result is NULL if the value does not convert. */
export function cast(compiled: Compiled, to: AnyType, context: Context, attempt: boolean, style?: number): Compiled {
  const options: ConvertOptions = style === undefined ? { implicit: false } : { implicit: false, style };
  const strict = converted(compiled, to, context, options);
  if (!attempt) return strict;
  return {
    type: to,
    nullable: true,
    evaluate: (env) => unlessRefused(() => strict.evaluate(env)) ?? null,
  };
}

/** The common type of expressions, ignoring NULLs without a type. */
export function commonOf(expressions: readonly Compiled[]): AnyType | undefined {
  const typed = expressions.filter(({ bare }) => bare === undefined).map(({ type }) => type);
  return typed.length === 0 ? undefined : typed.reduce(commonType);
}

/** Text that is converted to another text type keeps its collation. */
const inherited = (from: AnyType, to: AnyType): AnyType =>
  from.collation !== undefined && to.collation === undefined && isCollatable(to) ? collated(to, from.collation) : to;

function converted(compiled: Compiled, wanted: AnyType, context: Context, options: ConvertOptions): Compiled {
  const { type: from } = compiled;
  const to = inherited(from, wanted);
  if (compiled.bare) {
    compiled.deduce?.(to);
    return { type: to, nullable: true, evaluate: () => null };
  }
  if (from.declaration === to.declaration && options.style === undefined) return compiled;
  if (from.name !== 'sql_variant' || options.implicit) refuseForbidden(from, to, options.implicit);
  const full: ConvertOptions = { ...options, dateOrder: context.frame.host.options.dateFormat };
  const { name, nullable } = compiled;
  return {
    type: to,
    nullable,
    ...(name === undefined ? {} : { name }),
    evaluate:
      to.name === 'xml'
        ? madeInSteps([compiled], context, ([value]) => convertSteps(value, from, to, full))
        : madeOf(
            [compiled],
            context,
            ([value]) => convert(value, from, to, full),
            ([value]) => convertSteps(value, from, to, full),
          ),
  };
}
