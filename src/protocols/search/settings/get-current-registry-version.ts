import { SqlError } from '../../../base/messages/sql-error.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { convert } from '../../../tds/convert/convert.ts';
import { int, nvarchar, sqlVariant, type TypedValue } from '../../../tds/types/index.ts';
import { nameMatches } from './pattern.ts';

/** The end of the property's name, after that of the component. */
const suffix = '\\CurrentRegistryVersion';

export const getCurrentRegistryVersion = procedure({
  name: 'proc_MSS_GetCurrentRegistryVersion',
  section: 'MS-SQLPGAT2 3.1.5.26',
  summary: 'Returns the registry version that a component has stored.',
  access: 'read',
  params: {
    LikeKey: nullable(nvarchar(100), 'The name of the property, or of the component alone.'),
    CurrentRegistryVersion: output(int, 'Set to the version.'),
  },
  outcomes: {
    found: { code: 0, meaning: 'The version is in @CurrentRegistryVersion.' },
    notFound: { code: 1, meaning: 'The component has stored no version.' },
  },
  async handle({ db }, { LikeKey }) {
    // What is stored under the name of a component alone is the version of something else.
    const version = (await versionOf(db, LikeKey)) ?? (await versionWhere(db, nameMatches(LikeKey)));
    if (version === undefined) return { outcome: 'notFound' };
    return { outcome: 'found', output: { CurrentRegistryVersion: version } };
  },
});

/** The version of a component that is named without the rest of its key, as the example of section 4.1 does. */
async function versionOf(db: Call['db'], component: string | null): Promise<number | undefined> {
  if (component === null || component.includes('%') || component.endsWith(suffix)) return undefined;
  return await versionWhere(db, nameMatches(`${component}${suffix}`));
}

async function versionWhere(db: Call['db'], matches: Sql): Promise<number | undefined> {
  const found = await db.first(
    { Value: sqlVariant },
    sql`
      select value as "Value" from configuration_properties
      where ${matches} and value is not null
      order by case when ${nameMatches(`%${suffix}`)} then 0 else 1 end, name_key limit 1`,
  );
  return found === undefined ? undefined : asInt(found.Value);
}

/** A value as a number; one that is none counts as not found. */
function asInt(value: TypedValue): number | undefined {
  try {
    return int.check(convert(value, sqlVariant, int, { implicit: false }));
  } catch (error) {
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}
