/** An archive that is damaged, or not a backup of Granary. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}
