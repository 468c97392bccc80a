/** As much of a page is searched for the encoding that it names. */
const searched = 2048;

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown label is ignored.
    return undefined;
  }
}

function byteOrderMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return undefined;
}

function named(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, searched)).toString('latin1');
  const label =
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/.exec(start)?.[1];
  // A document whose declaration could be read byte by byte is not UTF-16, whatever it declares (HTML 13.2.3.2).
  return label !== undefined && /^(utf-16|ucs-2|iso-10646-ucs-2|unicode)/i.test(label) ? 'utf-8' : label;
}

/**
 * The text of a document: in the encoding of its byte order mark, its header or its own declaration; otherwise UTF-8,
 * or Windows-1252 if it is not valid UTF-8.
 */
export function decodeText(body: Uint8Array, charset: string | undefined): string {
  for (const label of [byteOrderMark(body), charset, named(body)]) {
    const decoder = label === undefined ? undefined : decoderOf(label);
    if (decoder !== undefined) return decoder.decode(body);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // It is not UTF-8: then it is what pages of that time were.
    return new TextDecoder('windows-1252').decode(body);
  }
}
