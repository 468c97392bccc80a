import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { convert } from '../../tds/convert/convert.ts';
import type { DateOrder } from '../../tds/convert/parse-date.ts';
import { cutTo } from '../../tds/types/cut.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { AnyProcedure } from '../declare.ts';
import { isOutput, type Param } from '../param.ts';
import { indexOfParams, matchArguments, type ParamIndex } from './match-arguments.ts';

/** A value that a caller passes: by name (`@JobId`) or, with an empty name, by position. */
export interface Argument {
  readonly name: string;
  readonly type: AnyType;
  readonly value: unknown;
  /** True when the caller wants the value back. */
  readonly output: boolean;
  /** True when the caller asks for the parameter's default. */
  readonly byDefault: boolean;
  /** How the caller writes dates: SET DATEFORMAT. */
  readonly dateOrder?: DateOrder;
}

/** A caller's arguments, bound to the parameters of a declaration. */
interface Bound {
  readonly input: Readonly<Record<string, unknown>>;
  /** The output parameters that the caller wants back: the declared name, and the argument's place in the call. */
  readonly wanted: readonly { readonly param: string; readonly argument: number }[];
}

interface Plan {
  readonly names: readonly string[];
  readonly params: readonly Param[];
  readonly index: ParamIndex;
}

const plans = new WeakMap<AnyProcedure, Plan>();

/** A declaration's parameters by position and by name, computed once. */
function planOf(procedure: AnyProcedure): Plan {
  let plan = plans.get(procedure);
  if (!plan) {
    const params: Readonly<Record<string, Param>> = procedure.params;
    const names = Object.keys(params);
    plan = {
      names,
      params: Object.values(params),
      index: indexOfParams(names.map((name) => ({ name: `@${name}` }))),
    };
    plans.set(procedure, plan);
  }
  return plan;
}

/** Matches arguments to declared parameters as SQL Server does, converts and checks each value, fills in defaults. */
export function bind(procedure: AnyProcedure, args: readonly Argument[]): Bound {
  const { names, params, index } = planOf(procedure);
  if (args.length > 0 && params.length === 0) throw sqlError(8146, procedure.name);
  if (args.length > params.length && args.every((arg) => arg.name === '')) throw sqlError(8144, procedure.name);
  const given = matchArguments(procedure.name, index, args);
  const input: Record<string, unknown> = {};
  const wanted: { param: string; argument: number }[] = [];
  for (let i = 0; i < params.length; i++) {
    const param = params[i] as Param; // i is below the length of both arrays
    const name = names[i] as string;
    const place = given[i];
    const arg = place === undefined ? undefined : args[place];
    if (arg?.output) {
      if (!isOutput(param)) throw sqlError(8162, `@${name}`);
      wanted.push({ param: name, argument: place as number });
    }
    input[name] =
      arg === undefined || arg.byDefault ? fallback(procedure, name, param) : accept(procedure, name, param, arg);
  }
  return { input, wanted };
}

function fallback(procedure: AnyProcedure, name: string, param: Param): unknown {
  if (!('default' in param)) throw sqlError(201, procedure.name, `@${name}`);
  return param.default;
}

/**
 * A value converted for its parameter; one that is too long is truncated silently, as SQL Server does (8152 is for
 * columns).
 */
function accept(procedure: AnyProcedure, name: string, param: Param, arg: Argument): unknown {
  if (arg.value === null || arg.value === undefined) {
    if (param.kind === 'required') throw nullRefused(procedure, name);
    return null;
  }
  const { type } = param;
  if (arg.type.name === type.name) return type.check(cutTo(type, arg.value));
  const { dateOrder = 'mdy' } = arg;
  return type.check(convert(arg.value, arg.type, type, { implicit: true, verifyLength: false, dateOrder }));
}

const nullRefused = (procedure: AnyProcedure, name: string): SqlError => sqlError(515, name, procedure.name, 'EXECUTE');
