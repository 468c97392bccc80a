import { sqlError } from '../../base/messages/sql-error.ts';
import type { FunctionCall } from '../../syntax/ast/expression.ts';
import { parseParameters } from '../../syntax/parser/parse.ts';
import { nameInMessage } from '../../tds/convert/families.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { readXmlPath, type XmlPath } from '../../values/xml-path.ts';
import { xmlValueSteps } from '../../values/xml-value.ts';
import { cast } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { madeInSteps } from '../evaluate/long-work.ts';

/** Types that value() does not give. */
const impossible = new Set(['xml', 'text', 'ntext', 'image', 'sql_variant', 'timestamp']);

/** The text of an argument, which must be a constant: 8172. */
function constantText({ args }: FunctionCall, index: number, method: string): string {
  const arg = args[index];
  if (arg?.kind === 'literal' && typeof arg.value === 'string') return arg.value;
  throw sqlError(8172, index, method);
}

/** What a path finds, or undefined, of the xml value that a method is called on; NULL for NULL. */
function finding(
  document: Compiled | undefined,
  path: XmlPath,
  context: Context,
): (env: Parameters<Compiled['evaluate']>[0]) => string | null | undefined {
  if (document === undefined || document.type.name !== 'xml')
    throw sqlError(258, nameInMessage(document?.type.name ?? 'nvarchar'));
  return madeInSteps([document], context, function* ([value]) {
    return typeof value === 'string' ? yield* xmlValueSteps(value, path) : null;
  });
}

function typeNamed(text: string): AnyType {
  try {
    const [param] = parseParameters(`@value ${text}`);
    if (param !== undefined && !impossible.has(param.type.name)) return param.type;
  } catch {
    // what is no type at all is refused as one that cannot be had
  }
  throw sqlError(9500, text);
}

/** The methods of the xml type; their first argument is the value that they are called on. */
export const xmlFunctions: Readonly<Record<string, FunctionSpec>> = {
  '.VALUE': {
    min: 3,
    max: 3,
    compile([document], context, call) {
      const path = readXmlPath(constantText(call, 1, 'value'), 'value()');
      const type = typeNamed(constantText(call, 2, 'value'));
      if (!path.isSingle) throw sqlError(2389, 'value()', "'value()'", 'xdt:untypedAtomic *');
      const found = finding(document, path, context);
      const text = {
        type: t.nvarchar('max'),
        nullable: true,
        evaluate: (env) => found(env) ?? null,
      } satisfies Compiled;
      return cast(text, type, context, false);
    },
  },
  '.EXIST': {
    min: 2,
    max: 2,
    compile([document], context, call) {
      const found = finding(document, readXmlPath(constantText(call, 1, 'exist'), 'exist()'), context);
      const evaluate: Compiled['evaluate'] = (env) => {
        const text = found(env);
        return text === null ? null : text !== undefined;
      };
      return { type: t.bit, nullable: true, evaluate };
    },
  },
};
