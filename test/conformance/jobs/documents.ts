import type { Named } from './model.ts';

/** The namespaces of the two documents: `translation/2010/11` or `word/2009/08`. */
export type Family = 'translation/2010/11' | 'word/2009/08';

const namespace = (family: Family, name: string) => `http://schemas.microsoft.com/office/server/${family}/${name}`;

const attributes = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');

/** A databaseJobAdd document. */
export function jobAdd(
  family: Family,
  items: readonly { readonly ItemId: number; readonly InputFile: string; readonly OutputFile: string | null }[],
): string {
  const listed = items.map(
    ({ ItemId, InputFile, OutputFile }) => `<item${attributes({ id: ItemId, in: InputFile, out: OutputFile })} />`,
  );
  return `<group xmlns="${namespace(family, 'databaseJobAdd')}">${listed.join('')}</group>`;
}

/** A databaseBatchUpdate document. */
export function batchUpdate(
  family: Family,
  started: readonly (Named & { readonly Worker: string })[],
  failed: readonly (Named & { readonly ErrorCode: number })[] = [],
): string {
  const key = ({ JobId, GroupId, ItemId }: Named) => ({ job: JobId, group: GroupId, id: ItemId });
  const starts = started.map((item) => `<item${attributes({ ...key(item), wsi: item.Worker })} />`);
  const fails = failed.map((item) => `<item${attributes({ ...key(item), error: item.ErrorCode })} />`);
  return `<batch xmlns="${namespace(family, 'databaseBatchUpdate')}"><start>${starts.join('')}</start><failed>${fails.join('')}</failed></batch>`;
}
