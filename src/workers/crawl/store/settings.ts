import type { Caller } from '../../../client/caller.ts';
import { deleteConfigurationProperty } from '../../../protocols/search/settings/delete-configuration-property.ts';
import { getConfigurationProperty } from '../../../protocols/search/settings/get-configuration-property.ts';
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

/** The text of a setting, or undefined. */
export async function readSetting(admin: Caller, name: string): Promise<string | undefined> {
  const { output } = await admin.call(getConfigurationProperty, { Name: name });
  return output.Value == null ? undefined : String(output.Value.value);
}

export async function writeSetting(admin: Caller, name: string, text: string): Promise<void> {
  const Value = { type: nvarchar(longest), value: text };
  await admin.call(setConfigurationProperty, { Name: name, Value }, { idempotent: true });
}

export async function removeSetting(admin: Caller, name: string): Promise<void> {
  await admin.call(deleteConfigurationProperty, { Name: name }, { idempotent: true });
}
