/**
 * The document without byte order mark and XML declaration. The text is decoded already, so whatever encoding it
 * declares (utf-16, mostly) is of the past, and a parser that believed it would fail.
 */
export function withoutDeclaration(document: string): string {
  const start = document.startsWith('\ufeff') ? 1 : 0;
  if (!/^<\?xml\s/.test(document.slice(start, start + 6))) return document.slice(start);
  const end = document.indexOf('?>', start);
  return end < 0 ? document.slice(start) : document.slice(end + 2);
}

/** Whether a document declares a DTD; looked for by hand, so that no parser sees an entity. */
export function declaresDtd(document: string): boolean {
  let at = 0;
  for (;;) {
    while (/\s/.test(document.charAt(at))) at += 1;
    const end = document.startsWith('<!--', at)
      ? document.indexOf('-->', at + 4)
      : document.startsWith('<?', at)
        ? document.indexOf('?>', at + 2)
        : undefined;
    if (end === undefined) return document.startsWith('<!DOCTYPE', at);
    if (end < 0) return false;
    at = end + (document.startsWith('<!--', at) ? 3 : 2);
  }
}
