import { readFile } from 'node:fs/promises';

/**
 * How LibreOffice reads a text file: as UTF-8 if it is valid, by its byte order mark if it has one, otherwise in the
 * Windows encoding.
 */
export async function textEncoding(path: string): Promise<{ filter: string; options?: string }> {
  const content = await readFile(path);
  const [first, second] = content;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { filter: 'Text' };
  return { filter: 'Text (encoded)', options: isUtf8(content) ? 'UTF8' : 'MS_1252' };
}

function isUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
