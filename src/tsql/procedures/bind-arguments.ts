import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Argument } from '../../procedure/bind.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';

/** A parameter that arguments are matched with. */
interface Declared {
  readonly name: string;
  readonly type: AnyType;
}

/** For each parameter the argument it gets, by position or by name, and where that stands in the call. */
export function matchArguments(
  procedure: string,
  params: readonly Declared[],
  args: readonly Argument[],
  first = 0,
): ({ arg: Argument; place: number } | undefined)[] {
  const given: ({ arg: Argument; place: number } | undefined)[] = params.map(() => undefined);
  args.forEach((arg, index) => {
    const at = arg.name === '' ? index : params.findIndex((param) => fold(param.name) === fold(arg.name));
    if (at < 0) throw sqlError(8145, arg.name, procedure);
    if (at >= params.length) throw sqlError(8144, procedure);
    if (given[at] !== undefined) throw sqlError(8143, params[at]?.name ?? '');
    given[at] = { arg, place: first + index };
  });
  return given;
}

/** A value as the parameter's type: text is cut as in a T-SQL variable, any other failure is 8114. */
export function toParameter(arg: Argument, type: AnyType): unknown {
  const text = familyOf(type.name) === 'text' || familyOf(type.name) === 'bytes';
  const { dateOrder = 'mdy' } = arg;
  return convert(arg.value, arg.type, type, { implicit: true, expression: text, dateOrder });
}
