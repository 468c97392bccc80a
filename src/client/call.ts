import type { AnyProcedure } from '../procedure/declare.ts';
import { isOutput, type Param } from '../procedure/param.ts';
import type { CallRequest, RpcParam } from '../tds/message/rpc.ts';

/**
 * The given parameters, each with its declared type; outputs are always requested. Throws SqlError 8114, 8115, 220 or
 * 8152 if a value does not fit its type: nothing has been sent then.
 */
export function wireParams(procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): RpcParam[] {
  const params: Readonly<Record<string, Param>> = procedure.params;
  return Object.entries(params).flatMap(([name, param]) => {
    const byRef = isOutput(param);
    const given = input[name];
    if (given === undefined && !byRef) return [];
    const value: unknown = given === undefined || given === null ? null : param.type.check(given);
    return [{ name: `@${name}`, type: param.type, value, byRef, useDefault: false }];
  });
}

/** A call of a declared procedure as it is sent. */
export const callRequest = (procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): CallRequest => ({
  procedure: procedure.schema === undefined ? procedure.name : `${procedure.schema}.${procedure.name}`,
  params: wireParams(procedure, input),
});
