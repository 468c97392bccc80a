import { sqlError } from '../../base/messages/sql-error.ts';
import { lowered } from '../../base/text/lowered.ts';

/** The position of each parameter, by its name in lower case, with its @. */
export type ParamIndex = ReadonlyMap<string, number>;

/** The index of parameters whose names have their @. */
export const indexOfParams = (params: readonly { readonly name: string }[]): ParamIndex =>
  new Map(params.map(({ name }, at) => [name.toLowerCase(), at]));

/** For each parameter the place of the argument that it gets, by position or by name, as SQL Server matches them. */
export function matchArguments(
  procedure: string,
  index: ParamIndex,
  args: readonly { readonly name: string }[],
): (number | undefined)[] {
  const given: (number | undefined)[] = [];
  for (let place = 0; place < args.length; place++) {
    const name = args[place]?.name ?? '';
    const at = name === '' ? place : index.get(lowered(name));
    if (at === undefined) throw sqlError(8145, name, procedure);
    if (at >= index.size) throw sqlError(8144, procedure);
    if (given[at] !== undefined) throw sqlError(8143, name || `${[...index.keys()][at]}`);
    given[at] = place;
  }
  return given;
}
