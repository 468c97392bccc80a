import type { PdfSettings } from '../../protocols/jobs/settings/job-settings.ts';

/** The kind of document LibreOffice creates from a file. */
type Family = 'text' | 'sheet' | 'slides';

/** How a document is loaded: as what, and under which filter where LibreOffice would choose another. */
export interface Loading {
  readonly family: Family;
  readonly filter?: string;
  readonly options?: string;
}

/** How it is stored. */
export interface Storing {
  readonly filter: string;
  readonly options?: string;
}

/** The source extensions, each with the kinds it may be loaded as: the first that supports the target is used. */
const sources = {
  doc: [{ family: 'text' }],
  docx: [{ family: 'text' }],
  odt: [{ family: 'text' }],
  rtf: [{ family: 'text' }],
  txt: [{ family: 'text', filter: 'Text (encoded)', options: 'UTF8' }],
  // By default LibreOffice loads it as a web page, which it can store as almost nothing else.
  html: [
    { family: 'text', filter: 'HTML (StarWriter)' },
    { family: 'sheet', filter: 'calc_HTML_WebQuery' },
  ],
  pdf: [
    { family: 'text', filter: 'writer_pdf_import' },
    { family: 'slides', filter: 'impress_pdf_import' },
  ],
  xls: [{ family: 'sheet' }],
  xlsx: [{ family: 'sheet' }],
  ods: [{ family: 'sheet' }],
  ppt: [{ family: 'slides' }],
  pptx: [{ family: 'slides' }],
  odp: [{ family: 'slides' }],
} as const satisfies Readonly<Record<string, readonly Loading[]>>;

const targets: Readonly<Record<Family, Readonly<Record<string, Storing>>>> = {
  text: {
    doc: { filter: 'MS Word 97' },
    docx: { filter: 'MS Word 2007 XML' },
    odt: { filter: 'writer8' },
    rtf: { filter: 'Rich Text Format' },
    txt: { filter: 'Text (encoded)', options: 'UTF8,LF' },
    // Pictures are embedded in the page: an output is one file.
    html: { filter: 'HTML (StarWriter)', options: 'EmbedImages' },
    pdf: { filter: 'writer_pdf_Export' },
  },
  sheet: {
    xls: { filter: 'MS Excel 97' },
    xlsx: { filter: 'Calc MS Excel 2007 XML' },
    ods: { filter: 'calc8' },
    html: { filter: 'HTML (StarCalc)', options: 'EmbedImages' },
    pdf: { filter: 'calc_pdf_Export' },
  },
  slides: {
    ppt: { filter: 'MS PowerPoint 97' },
    pptx: { filter: 'Impress MS PowerPoint 2007 XML' },
    odp: { filter: 'impress8' },
    html: { filter: 'XHTML Impress File' },
    pdf: { filter: 'impress_pdf_Export' },
  },
};

/** The options of the PDF filter, as JSON. */
export function pdfOptions({ isArchive, hasTags, hasBookmarks }: PdfSettings = {}): Pick<Storing, 'options'> {
  const said = {
    // 1 is PDF/A-1, which is what Word means.
    ...(isArchive === true && { SelectPdfVersion: { type: 'long', value: '1' } }),
    ...(hasTags !== undefined && { UseTaggedPDF: { type: 'boolean', value: String(hasTags) } }),
    ...(hasBookmarks !== undefined && { ExportBookmarks: { type: 'boolean', value: String(hasBookmarks) } }),
  };
  return Object.keys(said).length === 0 ? {} : { options: JSON.stringify(said) };
}

/** A kind of document, by its usual extension. */
export type Format = keyof typeof sources;

/** Other names of the same formats. */
const synonyms: Readonly<Record<string, Format>> = { htm: 'html', text: 'txt' };

/** The format of an extension in any spelling: `.PDF`, `htm`; undefined for one that is not supported. */
export function formatOf(extension: string): Format | undefined {
  const bare = extension.replace(/^\./, '').toLowerCase();
  const name = synonyms[bare] ?? bare;
  return allFormats.find((format) => format === name);
}

/** Every format, in the order of the documentation. */
export const allFormats = Object.keys(sources) as Format[]; // the keys of an object literal are its own

/** How one format is converted to another; undefined for a pair that LibreOffice does not support. */
export function routeOf(from: Format, to: Format): { loading: Loading; storing: Storing } | undefined {
  const loadings: readonly Loading[] = sources[from];
  for (const loading of loadings) {
    const storing = targets[loading.family][to];
    if (storing !== undefined) return { loading, storing };
  }
  return undefined;
}

/** The formats that one can be converted to. */
export const targetsOf = (from: Format): Format[] => allFormats.filter((to) => routeOf(from, to) !== undefined);
