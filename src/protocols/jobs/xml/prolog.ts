/** A byte order mark and a well-formed XML declaration (XML 1.0, production 23), both optional. */
const declaration =
  /^\ufeff?(?:<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')(?:\s+encoding\s*=\s*(?:"[\w.-]+"|'[\w.-]+'))?(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>)?/;

/**
 * The document without byte order mark and XML declaration. The text is already decoded, so the encoding that it
 * declares (mostly utf-16) no longer applies, and a parser that believed it would fail. An invalid declaration is left
 * for the parser to refuse.
 */
export function withoutDeclaration(document: string): string {
  return document.replace(declaration, '');
}

/** Whether a document declares a DTD; checked by hand, so that no parser sees an entity. */
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
