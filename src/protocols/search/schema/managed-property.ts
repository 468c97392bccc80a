import { type Sql, sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bit, datetime, float, int, nvarchar, smallint } from '../../../tds/types/index.ts';

/** The Managed Properties result set (3.1.5.40.1). */
export const managedProperty = {
  PID: int,
  FriendlyName: nvarchar(64),
  PropertyDescription: orNull(nvarchar(2048)),
  ManagedType: orNull(int),
  FullTextQueriable: orNull(bit),
  Retrievable: orNull(bit),
  Scoped: orNull(bit),
  RespectPriority: orNull(bit),
  RemoveDuplicates: orNull(bit),
  NoDelete: orNull(bit),
  NoMap: orNull(bit),
  Hidden: orNull(bit),
  HasMultipleValues: orNull(bit),
  NoWordBreaker: orNull(bit),
  NameNormalized: orNull(bit),
  IncludeInMD5: orNull(bit),
  Mapped: orNull(bit),
  QueryIndependentRank: orNull(bit),
  UserFlags: smallint,
  WordBreakerOverride: orNull(int),
  Weight: float,
  LengthNormalization: float,
  LastModified: datetime,
  ForceChangeSchemaVersion: orNull(int),
  MaxIndexedStringLength: int,
  MaxNonIndexedStringLength: int,
  MaxRetrievalLength: int,
  DecimalPlaces: int,
  IsInDocProps: orNull(bit),
  IsInPropertyBlobOptimizedResults: orNull(bit),
  IsInFixedColumnOptimizedResults: orNull(bit),
  OverrideHasMultipleValues: orNull(bit),
  SuppressStringNormalizer: orNull(bit),
  Pronunciation: orNull(bit),
  QueryPropertyBlob: orNull(bit),
  NicknameExpansion: orNull(bit),
  IsQIRCustomizationAllowed: orNull(bit),
  DefaultForQIR: orNull(int),
  SplitStringCharacters: orNull(nvarchar(64)),
};

/** Where its columns are kept, in their order; clients ignore those that are 0. */
export const keptManagedProperty: Readonly<Record<keyof typeof managedProperty, Sql>> = {
  PID: sql`pid`,
  FriendlyName: sql`friendly_name`,
  PropertyDescription: sql`description`,
  ManagedType: sql`managed_type`,
  FullTextQueriable: sql`full_text_queriable`,
  Retrievable: sql`retrievable`,
  Scoped: sql`scoped`,
  RespectPriority: sql`respect_priority`,
  RemoveDuplicates: sql`remove_duplicates`,
  NoDelete: sql`no_delete`,
  NoMap: sql`no_map`,
  Hidden: sql`hidden`,
  HasMultipleValues: sql`has_multiple_values`,
  NoWordBreaker: sql`0`,
  NameNormalized: sql`name_normalized`,
  IncludeInMD5: sql`include_in_md5`,
  Mapped: sql`mapped`,
  QueryIndependentRank: sql`query_independent_rank`,
  UserFlags: sql`user_flags`,
  WordBreakerOverride: sql`0`,
  Weight: sql`weight`,
  LengthNormalization: sql`length_normalization`,
  LastModified: sql`last_modified`,
  ForceChangeSchemaVersion: sql`0`,
  MaxIndexedStringLength: sql`max_indexed_string_length`,
  MaxNonIndexedStringLength: sql`max_non_indexed_string_length`,
  MaxRetrievalLength: sql`max_retrieval_length`,
  DecimalPlaces: sql`decimal_places`,
  IsInDocProps: sql`is_in_doc_props`,
  IsInPropertyBlobOptimizedResults: sql`is_in_property_blob`,
  IsInFixedColumnOptimizedResults: sql`is_in_fixed_columns`,
  OverrideHasMultipleValues: sql`override_has_multiple_values`,
  SuppressStringNormalizer: sql`suppress_string_normalizer`,
  Pronunciation: sql`pronunciation`,
  QueryPropertyBlob: sql`query_property_blob`,
  NicknameExpansion: sql`nickname_expansion`,
  IsQIRCustomizationAllowed: sql`is_qir_customization_allowed`,
  DefaultForQIR: sql`default_for_qir`,
  SplitStringCharacters: sql`split_string_characters`,
};

/** The columns as a query selects them from managed_properties. */
export const managedPropertyColumns: Sql = selected(keptManagedProperty);

function selected(columns: Readonly<Record<string, Sql>>): Sql {
  const texts = Object.entries(columns).map(([name, { strings }]) => `${strings.join('')} as "${name}"`);
  return { strings: [texts.join(', ')], values: [] };
}
