import type { Turn } from '../../../base/threads/turn.ts';
import { block, int16, int32, uint8 } from './field.ts';
import { layout, type Packed, type RecordValue, unpackInTurns } from './layout.ts';

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

type DocSdIds = RecordValue<(typeof docSdIds)['fields']>;

/** Reads the records in either of the two lengths, and lets other sessions run meanwhile. */
export function unpackDocSdIds(packed: Packed, turn: Turn): Promise<readonly DocSdIds[]> {
  const stride = packed.rows ? (packed.records?.length ?? 0) / packed.rows : undefined;
  if (stride === docSdIdsIn60.length) return unpackInTurns(docSdIdsIn60, packed, turn);
  return unpackInTurns(docSdIds, packed, turn);
}
