/** An archive that is not what it should be. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}
