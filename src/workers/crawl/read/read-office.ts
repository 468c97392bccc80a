import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { CrawlError } from '../fetch/crawl-error.ts';
import { Gathered, nothingRead, oneLine, type Reading, type ReadRequest } from './reading.ts';

/** Where a kind of document keeps its text: the parts, and the elements whose text and ends of lines count. */
interface Form {
  readonly parts: RegExp;
  /** Elements that hold text; undefined where all text of a part counts. */
  readonly text?: ReadonlySet<string>;
  readonly lines: ReadonlySet<string>;
}

const word: Form = {
  parts: /^word\/(document|footnotes|endnotes|header\d*|footer\d*)\.xml$/,
  text: new Set(['w:t']),
  lines: new Set(['w:p', 'w:br', 'w:tab']),
};
const sheet: Form = {
  parts: /^xl\/(sharedStrings|worksheets\/sheet\d+)\.xml$/,
  text: new Set(['t']),
  lines: new Set(['si', 'is', 'row']),
};
const slides: Form = { parts: /^ppt\/slides\/slide\d+\.xml$/, text: new Set(['a:t']), lines: new Set(['a:p', 'a:br']) };
const open: Form = {
  parts: /^content\.xml$/,
  lines: new Set(['text:p', 'text:h', 'text:line-break', 'text:tab', 'text:s', 'table:table-cell']),
};

const forms: readonly (readonly [RegExp, Form])[] = [
  [/wordprocessingml/, word],
  [/spreadsheetml/, sheet],
  [/presentationml/, slides],
  [/opendocument\.(text|spreadsheet|presentation)/, open],
];

/** The form of a media type, or undefined for what is no such document. */
export const officeForm = (mediaType: string): Form | undefined => forms.find(([type]) => type.test(mediaType))?.[1];

const properties = /^(docProps\/core|meta)\.xml$/;

/** The most bytes of a part, and of all: what claims more is no document but a bomb. */
const largestPart = 64 * 1024 * 1024;
const largestWhole = 128 * 1024 * 1024;

/** Reads a document of Office Open XML or OpenDocument: its properties and its text. */
export function readOffice({ body }: ReadRequest, form: Form): Reading {
  const parts = partsOf(body, (name) => form.parts.test(name) || properties.test(name));
  const text = new Gathered();
  const facts = new Map<string, string>();
  for (const [name, part] of parts) {
    if (properties.test(name)) readProperties(part, facts);
    else readText(part, form, text);
  }
  return {
    ...nothingRead,
    title: oneLine(facts.get('dc:title') ?? ''),
    author: oneLine(facts.get('dc:creator') ?? facts.get('meta:initial-creator') ?? ''),
    description: oneLine(facts.get('dc:description') ?? ''),
    keywords: oneLine(facts.get('cp:keywords') ?? facts.get('meta:keyword') ?? ''),
    language: oneLine(facts.get('dc:language') ?? '', 35),
    text: text.toString(),
  };
}

function partsOf(body: Uint8Array, isWanted: (name: string) => boolean): [string, string][] {
  let whole = 0;
  try {
    const files = unzipSync(body, {
      filter({ name, originalSize }) {
        if (!isWanted(name)) return false;
        whole += originalSize;
        if (originalSize > largestPart || whole > largestWhole) {
          throw new CrawlError('tooLarge', 'The document is too large when it is unpacked.');
        }
        return true;
      },
    });
    return Object.entries(files)
      .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
      .map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]);
  } catch (error) {
    if (error instanceof CrawlError) throw error;
    throw new CrawlError('unreadable', 'The document is not a complete archive.', { cause: error });
  }
}

function parse(xml: string, parser: SaxesParser): void {
  parser.on('error', (error) => {
    throw new CrawlError('unreadable', 'A part of the document is not XML.', { cause: error });
  });
  parser.write(xml).close();
}

function readText(xml: string, { text, lines }: Form, into: Gathered): void {
  const parser = new SaxesParser();
  let inside = text === undefined ? 1 : 0;
  parser.on('opentag', ({ name }) => {
    if (text?.has(name)) inside++;
    if (lines.has(name)) into.add('\n');
  });
  parser.on('text', (piece) => {
    if (inside > 0) into.add(piece);
  });
  parser.on('closetag', ({ name }) => {
    if (text?.has(name)) inside--;
  });
  parse(xml, parser);
}

function readProperties(xml: string, facts: Map<string, string>): void {
  const parser = new SaxesParser();
  let current = '';
  parser.on('opentag', ({ name }) => {
    current = name;
  });
  parser.on('text', (piece) => facts.set(current, (facts.get(current) ?? '') + piece));
  parser.on('closetag', () => {
    current = '';
  });
  parse(xml, parser);
}
