import { sqlError } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { type HandlerInput, procedure } from '../../../procedure/declare.ts';
import { nullable, output, required } from '../../../procedure/param.ts';
import { bit, int, nvarchar, tinyint, uniqueidentifier } from '../../../tds/types/index.ts';
import { addCrawledProperty, findCrawledProperty } from './crawled-property-of.ts';
import { managedProperty, managedPropertyColumns } from './managed-property.ts';
import { addManagedProperty, findManagedProperty } from './managed-property-of.ts';
import { ensureMapping, firstMapping, type Mapping } from './mapping-of.ts';

const params = {
  Propset: required(uniqueidentifier, 'The property set of the crawled property.'),
  PropertyName: required(nvarchar(440), 'Its name.'),
  PropertyNameIsEnum: nullable(bit, '1 when the name is a number written as text.'),
  VariantType: required(int, 'Its variant type.'),
  FriendlyName: nullable(nvarchar(64), 'The name of the managed property.'),
  ManagedType: nullable(int, 'Its type (2.2.1.13), if it is added.'),
  FullTextQueriable: nullable(bit, '1 when its data is kept in the full-text catalog.'),
  Retrievable: nullable(bit, '1 when its data is kept in the metadata index.'),
  Scoped: nullable(bit, '1 when its data is kept in the scope index.'),
  MaxIndexedStringLength: nullable(int, 'The most characters of strVal.'),
  MaxNonIndexedStringLength: nullable(int, 'The most characters of strVal2.'),
  crawledPropId: output(int, 'Set to the identifier of the crawled property.'),
  pid: output(int, 'Set to the managed property that it is mapped to, or to -1.'),
  MappingOrder: output(int, 'Set to its place among those that are mapped to the managed property.'),
  IsMappedToContent: output(bit, 'Set to 1 when its data goes to the contents.'),
  IsSampleCacheFull: output(bit, 'Set to 1 when enough samples were taken.'),
  crawledPropExists: output(bit, 'Set to 0 when the crawled property was added now.'),
  managedPropExists: output(bit, 'Set to 1 when the managed property was there before.'),
  ManagedPropDecimalPlaces: nullable(tinyint, 'Its decimal places, if it is added.'),
};
type Input = HandlerInput<typeof params>;

export const addAndReturnCrawledProperty = procedure({
  name: 'proc_MSS_AddAndReturnCrawledProperty',
  section: 'MS-SQLPGAT2 3.1.5.1',
  summary: 'Adds a crawled property and, if requested, a managed property that it is mapped to; returns both.',
  access: 'write',
  params,
  outcomes: {
    done: { code: 0, meaning: 'The managed property, if there is one.', sets: { property: managedProperty } },
  },
  async handle(call, input) {
    const { db, now } = call;
    const { Propset: propset, PropertyName: name, VariantType: variantType, PropertyNameIsEnum } = input;
    const named = { propset, name, variantType, isEnum: PropertyNameIsEnum === true };
    const found = await findCrawledProperty(db, named);
    const crawled = found ?? (await addCrawledProperty(db, named, now));
    const { mapping, existed } = await managed(call, input, crawled.id);
    const rows = db.rows(
      managedProperty,
      sql`select ${managedPropertyColumns} from managed_properties where pid = ${mapping?.pid ?? null}`,
    );
    const output = {
      crawledPropId: crawled.id,
      pid: mapping?.pid ?? -1,
      MappingOrder: mapping?.order ?? input.MappingOrder,
      IsMappedToContent: crawled.isMappedToContent,
      IsSampleCacheFull: crawled.isSampleCacheFull,
      crawledPropExists: found !== undefined,
      managedPropExists: existed,
    };
    return { outcome: 'done', output, sets: { property: rows } };
  },
});

/**
 * The managed property that the crawled one is mapped to; made, with the mapping, when its data is to be kept anywhere.
 */
async function managed(
  { db, now }: Call,
  input: Input,
  crawledProperty: number,
): Promise<{ mapping: Mapping | undefined; existed: boolean }> {
  const fullTextQueriable = input.FullTextQueriable === true;
  const retrievable = input.Retrievable === true;
  const scoped = input.Scoped === true;
  if (!fullTextQueriable && !retrievable && !scoped) {
    const mapping = await firstMapping(db, crawledProperty);
    return { mapping, existed: mapping !== undefined };
  }
  const name = input.FriendlyName;
  if (name === null) throw sqlError(515, 'FriendlyName', 'dbo.ManagedProperties', 'INSERT');
  const found = await findManagedProperty(db, name);
  const property = {
    name,
    type: input.ManagedType,
    fullTextQueriable,
    retrievable,
    scoped,
    maxIndexedStringLength: input.MaxIndexedStringLength ?? 450,
    maxNonIndexedStringLength: input.MaxNonIndexedStringLength ?? 2048,
    decimalPlaces: input.ManagedPropDecimalPlaces ?? 0,
  };
  const pid = found ?? (await addManagedProperty(db, property, now));
  return { mapping: await ensureMapping(db, pid, crawledProperty, now), existed: found !== undefined };
}
