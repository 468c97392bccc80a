import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import { done, type SpecialProcedure, textOf } from './special-call.ts';

/** sp_set_session_context @key, @value, @read_only. */
export const setSessionContext: SpecialProcedure = async ({ args, caller }) => {
  const named = (name: string, at: number) =>
    args.find((arg) => fold(arg.name) === name) ?? (args[at]?.name === '' ? args[at] : undefined);
  const key = fold(textOf(named('@key', 0), '@key'));
  const value = named('@value', 1);
  const { context } = caller.host.state;
  if (context.get(key)?.readOnly) throw sqlError(15_664, key);
  if (value === undefined || value.value === null) context.delete(key);
  else
    context.set(key, {
      value: { type: value.type, value: value.value },
      readOnly: Number(named('@read_only', 2)?.value ?? 0) === 1,
    });
  return done;
};
