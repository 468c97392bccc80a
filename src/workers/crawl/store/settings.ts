import type { Caller } from '../../../client/caller.ts';
import { commitConfigTransaction } from '../../../protocols/search/settings/commit-config-transaction.ts';
import { createConfigTransaction } from '../../../protocols/search/settings/create-config-transaction.ts';
import { deleteConfigurationProperties } from '../../../protocols/search/settings/delete-configuration-properties.ts';
import { deleteConfigurationProperty } from '../../../protocols/search/settings/delete-configuration-property.ts';
import { getConfigurationProperties } from '../../../protocols/search/settings/get-configuration-properties.ts';
import { getConfigurationProperty } from '../../../protocols/search/settings/get-configuration-property.ts';
import { setConfigPropertyWithTransaction } from '../../../protocols/search/settings/set-config-property-with-transaction.ts';
import { setConfigurationProperty } from '../../../protocols/search/settings/set-configuration-property.ts';
import { nvarchar } from '../../../tds/types/index.ts';

/** The longest text that a configuration property holds. */
const longest = 4000;

/** The names of the configuration properties that the roles of a crawl share (3.1.1.36). */
export const settingNames = {
  /** The rules of a content source, as JSON. */
  rules: (source: number) => `Granary-crawl-source-${source}`,
  /** What the unvisited pass of a crawl would delete, as JSON. */
  unvisited: (crawl: number) => `Granary-crawl-${crawl}-unvisited`,
  /** There when a crawl may delete however much it has not visited. */
  force: (crawl: number) => `Granary-crawl-${crawl}-force`,
};

/** The names of the parts of a text that is too long for one property: the first has the name itself. */
const partName = (name: string, part: number): string => (part === 0 ? name : `${name}/${part + 1}`);

/** The text of a setting, or undefined. */
export async function readSetting(admin: Caller, name: string): Promise<string | undefined> {
  const { output } = await admin.call(getConfigurationProperty, { Name: name });
  if (output.Value == null) return undefined;
  const first = String(output.Value.value);
  return first.length < longest ? first : await readParts(admin, name);
}

/** All parts are read in one call, so that they are of one moment. */
async function readParts(admin: Caller, name: string): Promise<string> {
  const { sets } = await admin.call(getConfigurationProperties, { Pattern: `${name}%` });
  const parts = new Map(sets.properties.map(({ Name, Value }) => [Name, Value === null ? '' : String(Value.value)]));
  let text = '';
  for (let part = 0; ; part++) {
    const value = parts.get(partName(name, part)) ?? '';
    text += value;
    if (value.length < longest) return text;
  }
}

/** Writes a setting; one that is too long for one property becomes several, all of them at once (3.2.5.6, 3.4.5.4). */
export async function writeSetting(admin: Caller, name: string, text: string): Promise<void> {
  const typed = (value: string) => ({ type: nvarchar(longest), value });
  if (text.length < longest) {
    await admin.call(setConfigurationProperty, { Name: name, Value: typed(text) }, { idempotent: true });
    return;
  }
  const { returns: TransactionID } = await admin.call(createConfigTransaction, {});
  // The last part is shorter than the others, if necessary empty: that is how readers recognise it.
  for (let part = 0; part * longest <= text.length; part++) {
    const Value = typed(text.slice(part * longest, (part + 1) * longest));
    const property = { Name: partName(name, part), Value, TransactionID };
    await admin.call(setConfigPropertyWithTransaction, property, { idempotent: true });
  }
  await admin.call(commitConfigTransaction, { TransactionID }, { idempotent: true });
}

export async function removeSetting(admin: Caller, name: string): Promise<void> {
  await admin.call(deleteConfigurationProperty, { Name: name }, { idempotent: true });
  await admin.call(
    deleteConfigurationProperties,
    { Pattern: `${name}/%`, PropertiesToKeep: null },
    { idempotent: true },
  );
}
