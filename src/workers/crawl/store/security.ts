import type { Client } from '../../../client/client.ts';
import { getSDID } from '../../../protocols/search/properties/get-sdid.ts';
import { pushSD } from '../../../protocols/search/properties/push-sd.ts';
import { hash32 } from '../url/hash.ts';

/** A security descriptor in the format of MS-DTYP 2.4.6. */
const selfRelative = 1;

/**
 * Who may find what everybody could fetch: everybody (S-1-1-0), to read. Self-relative, as MS-DTYP 2.4.6 has it: the
 * header (SE_DACL_PRESENT | SE_SELF_RELATIVE, the list at byte 20), a list of one entry that allows GENERIC_READ, and
 * the SID.
 */
const everybody = Buffer.from(
  ['0100048000000000000000000000000014000000', '02001c0001000000', '0000140000000080', '010100000000000100000000'].join(
    '',
  ),
  'hex',
);

/** The identifiers of security descriptors in a property store: each descriptor is pushed once. */
export class SecurityIds {
  readonly #byStore = new Map<Client, Promise<number>>();

  /** The identifier of the descriptor under which public documents are kept. */
  everybody(store: Client): Promise<number> {
    const known = this.#byStore.get(store) ?? idOf(store, everybody);
    this.#byStore.set(store, known);
    known.catch(() => this.#byStore.delete(store));
    return known;
  }
}

/** Two components may push at the same time: all use the first that exists. */
async function idOf(store: Client, sd: Uint8Array): Promise<number> {
  const sdCheckSum = hash32(sd);
  for (const isPushed of [false, true]) {
    const { sets } = await store.call(getSDID, { sdCheckSum });
    const found = sets.descriptors.find(({ SD }) => Buffer.compare(SD, sd) === 0);
    if (found !== undefined) return found.SDID;
    if (!isPushed) await store.call(pushSD, { sd, sdCheckSum, type: selfRelative });
  }
  throw new Error('A security descriptor was stored but cannot be found.');
}
