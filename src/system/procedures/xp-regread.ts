import { type AnyProcedure, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional, optionalOutput, required } from '../../procedure/param.ts';
import { int, nvarchar } from '../../tds/types/index.ts';

const params = {
  rootkey: required(nvarchar(256), 'HKEY_LOCAL_MACHINE, say.'),
  key: required(nvarchar(4000), 'The key.'),
  value_name: optional(nvarchar(4000), null, 'The value.'),
};

/** SQL Server reads the registry of Windows; if there is no such value, it returns 1 and does not set the output. */
const reading = (name: string): AnyProcedure =>
  systemProcedure({
    name,
    section: systemSection,
    summary: 'Reads the Windows registry, which does not exist here: every value is missing.',
    access: 'none',
    params: {
      ...params,
      value: optionalOutput(nvarchar(4000), 'The value, which stays what it was.'),
      no_output: optional(nvarchar(20), null, 'no_output, where the caller wants no error for a missing value.'),
      // An extended procedure ignores the names of its arguments; callers use both.
      param: optionalOutput(nvarchar(4000), 'The value, as others name it.'),
    },
    outcomes: { missing: { code: 1, meaning: 'Always.' } },
    handle: () => ({ outcome: 'missing' }),
  });

/** Lists of the registry and of folders: empty ones. */
const listing = (name: string, summary: string, columns: Parameters<typeof orNull>[0][], names: readonly string[]) =>
  systemProcedure({
    name,
    section: systemSection,
    summary,
    access: 'none',
    params: { ...params, key: optional(nvarchar(4000), null, 'The key.') },
    outcomes: {
      listed: {
        code: 0,
        meaning: 'Always.',
        sets: { entries: Object.fromEntries(names.map((each, at) => [each, orNull(columns[at] ?? int)])) },
      },
    },
    handle: () => ({ outcome: 'listed', sets: { entries: [] } }),
  });

/** The extended procedures with which tools examine the machine of a SQL Server on Windows. */
export const registryProcedures: readonly AnyProcedure[] = [
  reading('xp_regread'),
  reading('xp_instance_regread'),
  listing(
    'xp_regenumvalues',
    'Lists the values of a key of the registry, which does not exist here.',
    [nvarchar(256), nvarchar(256)],
    ['Value', 'Data'],
  ),
  listing(
    'xp_instance_regenumvalues',
    'Lists the values of a key of the registry, which does not exist here.',
    [nvarchar(256), nvarchar(256)],
    ['Value', 'Data'],
  ),
  listing(
    'xp_instance_regenumkeys',
    'Lists the keys below a key of the registry, which does not exist here.',
    [nvarchar(256)],
    ['Key'],
  ),
];
