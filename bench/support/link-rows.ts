import { columnsOf } from '../../src/procedure/relations/columns-of.ts';
import { isStored, type StoredRelation } from '../../src/procedure/relations/relation.ts';
import type { Column } from '../../src/procedure/run/sink.ts';
import { linkRelations } from '../../src/protocols/search/gather/relations/links.ts';

const table = linkRelations.find(({ name }) => name === 'MSSTranTempTable0');
if (table === undefined || !isStored(table)) throw new Error('the table of links is not there');

/** The table of the Links set (MS-SQLPGAT2 3.1.1.5). */
export const links: StoredRelation = table;

/** The columns that a client fills: all but the one that the engine numbers. */
export const linkColumns: readonly Column[] = columnsOf(links.columns).filter(
  ({ name }) => !links.stored[name]?.identity,
);

/** What a link says that differs from the one before it; numbers and addresses are as long as those of a large farm. */
function linkValue({ name, type, nullable }: Column, at: number): unknown {
  switch (name) {
    case 'CrawlID':
      return 7;
    case 'AccessURL':
      return `http://portal.example/sites/team${at % 997}/shared documents/report-${at}.docx`;
    case 'DisplayURL':
      return at % 2 === 0 ? null : `http://portal.example/sites/team${at % 997}/report-${at}.docx`;
    case 'AnchorText':
      return `Report ${at} of team ${at % 997}`;
    case 'Host':
      return 'portal.example';
    case 'LastModifiedTime':
      return BigInt(at) * 10_000_000n;
    case 'CachedBlob':
      return at % 8 === 0 ? Buffer.alloc(60, at) : null;
    default:
      if (type.name !== 'int') return null;
      return nullable && at % 5 === 0 ? null : (at * 7919) % 2_000_000_000;
  }
}

/** So many links, each a row of `linkColumns`. */
export function* linkRows(count: number): Generator<readonly unknown[], void> {
  for (let at = 0; at < count; at++) yield linkColumns.map((column) => linkValue(column, at));
}
