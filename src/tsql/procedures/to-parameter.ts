import type { Argument } from '../../procedure/bind.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';

/** A value as the parameter's type: text is cut and xml takes its form as in a T-SQL variable, any other failure is 8114. */
export function toParameter(arg: Argument, type: AnyType): unknown {
  const text = ['text', 'bytes', 'xml'].includes(familyOf(type.name));
  const { dateOrder = 'mdy' } = arg;
  return convert(arg.value, arg.type, type, { implicit: true, expression: text, dateOrder });
}
