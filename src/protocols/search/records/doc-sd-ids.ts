import { block, int16, int32, uint8 } from './field.ts';
import { type Layout, layout, type Packed, type RecordValue, unpack } from './layout.ts';

/** The security descriptor of a document, its fields as 2.2.3.13 writes them. */
export const docSdIds = layout('DocSdIds Update Record', '2.2.3.13', 61, {
  DocId: int32,
  sdid: int32,
  type: int16,
  hasPluggableSecurity: int16,
  duplicateAction: uint8,
  duplicateHashes: block(48),
});

/** The same in the 60 bytes of 2.2.3.14: the flag is the likeliest field to be a byte shorter. */
export const docSdIdsIn60 = layout('DocSdIds Update Record', '2.2.3.14', 60, {
  DocId: int32,
  sdid: int32,
  type: int16,
  hasPluggableSecurity: uint8,
  duplicateAction: uint8,
  duplicateHashes: block(48),
});

/** Reads the records in whichever of the two lengths they came; the blob tells. */
export function unpackDocSdIds(packed: Packed): readonly RecordValue<(typeof docSdIds)['fields']>[] {
  const stride = packed.rows ? (packed.records?.length ?? 0) / packed.rows : undefined;
  const of: Layout<(typeof docSdIds)['fields']> | Layout<(typeof docSdIdsIn60)['fields']> =
    stride === docSdIdsIn60.length ? docSdIdsIn60 : docSdIds;
  return unpack(of, packed);
}
