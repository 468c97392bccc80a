import type { ParamDescription } from '../procedure/describe.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import { int } from '../tds/types/index.ts';
import { type CatalogProcedure, catalogOf } from './catalog.ts';

/** A parameter of a procedure as drivers pass it, or its return value, which they number 0. */
export interface CalledParam extends Pick<ParamDescription, 'name' | 'type' | 'ordinal' | 'nullable'> {
  readonly of: CatalogProcedure;
  readonly direction: 'input' | 'output' | 'returned';
  readonly byDefault?: string | undefined;
}

type NameTest = (name: string) => boolean;

/** The parameters of the procedures of some names and schemas, the return value of each first. */
export function* calledParams(
  call: SystemCall,
  isProcedure: NameTest,
  isSchema: NameTest,
  isParam: NameTest,
): Generator<CalledParam> {
  for (const of of catalogOf(call).procedures) {
    if (!isProcedure(of.name) || !isSchema(of.schema)) continue;
    const returned = {
      of,
      name: '@RETURN_VALUE',
      type: int,
      ordinal: 0,
      nullable: false,
      direction: 'returned' as const,
    };
    if (isParam(returned.name)) yield returned;
    for (const { name, type, ordinal, output, byDefault } of of.params) {
      // SQL Server accepts NULL for every parameter; a procedure refuses it when it runs.
      const direction = output ? 'output' : 'input';
      if (isParam(name)) yield { of, name, type, ordinal, nullable: true, direction, byDefault };
    }
  }
}
