import { fold } from '../../base/text/collation.ts';
import { indexOfParams, matchArguments } from '../../procedure/run/match-arguments.ts';
import { done, type SpecialProcedure, textOf } from './special-call.ts';

const params = indexOfParams([{ name: '@key' }, { name: '@value' }, { name: '@read_only' }]);

/** sp_set_session_context @key, @value, @read_only. */
export const setSessionContext: SpecialProcedure = async ({ args, caller }) => {
  const [ofKey, ofValue, ofReadOnly] = matchArguments('sp_set_session_context', params, args);
  const given = (place: number | undefined) => (place === undefined ? undefined : args[place]);
  const key = fold(textOf(given(ofKey), '@key'));
  const value = given(ofValue);
  caller.host.state.setContext(
    key,
    value === undefined || value.value === null ? undefined : { type: value.type, value: value.value },
    Number(given(ofReadOnly)?.value ?? 0) === 1,
  );
  return done;
};
