import { zipSync } from 'fflate';

const text = (value: string): Uint8Array => Buffer.from(value, 'utf8');

/** A document of OpenDocument: its kind, its body, and what its settings are. */
function openDocument(kind: 'text' | 'spreadsheet' | 'presentation', body: string): Uint8Array {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const spaces = { office: 'office', text: 'text', table: 'table', draw: 'drawing', style: 'style' };
  const declared = Object.entries(spaces).map(
    ([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  return zipSync({
    mimetype: [text(type), { level: 0 }],
    'META-INF/manifest.xml': text(
      `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
      <manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>
      <manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    ),
    'content.xml': text(
      `<office:document-content ${declared.join(' ')} xmlns:xlink="http://www.w3.org/1999/xlink"
        xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2"><office:body>
      <office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ),
  });
}

/** A text of one paragraph a line. */
export const odt = (...lines: readonly string[]): Uint8Array =>
  openDocument('text', lines.map((line) => `<text:p>${line}</text:p>`).join(''));

/** A text with a picture, of which only the address is in it. */
export const odtWithPicture = (line: string, address: string): Uint8Array =>
  openDocument(
    'text',
    `<text:p>${line}<draw:frame svg:width="5cm" svg:height="5cm" text:anchor-type="as-char"><draw:image
      xlink:href="${address}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`,
  );

/** A sheet of one column. */
export const ods = (...lines: readonly string[]): Uint8Array =>
  openDocument(
    'spreadsheet',
    `<table:table table:name="S">${lines
      .map((line) => `<table:table-row><table:table-cell><text:p>${line}</text:p></table:table-cell></table:table-row>`)
      .join('')}</table:table>`,
  );

/** One slide. */
export const odp = (...lines: readonly string[]): Uint8Array =>
  openDocument(
    'presentation',
    `<draw:page draw:name="p"><draw:frame svg:width="20cm" svg:height="5cm" svg:x="1cm" svg:y="1cm"><draw:text-box>${lines
      .map((line) => `<text:p>${line}</text:p>`)
      .join('')}</draw:text-box></draw:frame></draw:page>`,
  );

/** A text of Word as small as Word takes it. */
export const docx = (...lines: readonly string[]): Uint8Array =>
  zipSync({
    '[Content_Types].xml': text(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels"
      ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml"
      ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    '_rels/.rels': text(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
      Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
      Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': text(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${lines
        .map((line) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`)
        .join('')}</w:body></w:document>`,
    ),
  });

export const rtf = (...lines: readonly string[]): Uint8Array => text(`{\\rtf1\\ansi ${lines.join('\\par ')}\\par}`);

export const html = (...lines: readonly string[]): Uint8Array =>
  text(`<!doctype html><html><body>${lines.map((line) => `<p>${line}</p>`).join('')}</body></html>`);

/** A zip that says it is a text and unpacks to so many bytes: only its directory says so. */
export function bomb(size: number): Uint8Array {
  const whole = Buffer.from(docx('small'));
  for (let at = whole.indexOf('PK\u0001\u0002'); at >= 0; at = whole.indexOf('PK\u0001\u0002', at + 1)) {
    if (whole.subarray(at).includes('word/document.xml')) whole.writeUInt32LE(size, at + 24);
  }
  return whole;
}
