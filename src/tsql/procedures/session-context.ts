import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import { indexOfParams, matchArguments } from '../../procedure/match-arguments.ts';
import { done, type SpecialProcedure, textOf } from './special-call.ts';

const params = indexOfParams([{ name: '@key' }, { name: '@value' }, { name: '@read_only' }]);

/** sp_set_session_context @key, @value, @read_only. */
export const setSessionContext: SpecialProcedure = async ({ args, caller }) => {
  const [ofKey, ofValue, ofReadOnly] = matchArguments('sp_set_session_context', params, args);
  const given = (place: number | undefined) => (place === undefined ? undefined : args[place]);
  const key = fold(textOf(given(ofKey), '@key'));
  const value = given(ofValue);
  const { context } = caller.host.state;
  if (context.get(key)?.readOnly) throw sqlError(15_664, key);
  if (value === undefined || value.value === null) context.delete(key);
  else
    context.set(key, {
      value: { type: value.type, value: value.value },
      readOnly: Number(given(ofReadOnly)?.value ?? 0) === 1,
    });
  return done;
};
