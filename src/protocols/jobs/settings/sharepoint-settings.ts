import type { JobSettings, PdfSettings } from './job-settings.ts';

/**
 * SaveFormat of Word Automation Services, as extensions; a format that LibreOffice does not write is refused by name.
 */
const formats: ReadonlyMap<string, string | undefined> = new Map([
  ['automatic', undefined],
  ['document', 'docx'],
  ['documentmacroenabled', 'docm'],
  ['documentstrict', 'strict docx'],
  ['document97', 'doc'],
  ['template', 'dotx'],
  ['templatemacroenabled', 'dotm'],
  ['template97', 'dot'],
  ['mhtml', 'mht'],
  ['pdf', 'pdf'],
  ['rtf', 'rtf'],
  ['xml', 'xml'],
  ['xps', 'xps'],
]);

/** SaveBehavior: whether an existing output is replaced. No output location keeps versions. */
const behaviours: ReadonlyMap<string, boolean> = new Map([
  ['appendifpossible', true],
  ['alwaysoverwrite', true],
  ['appendonly', false],
  ['neveroverwrite', false],
]);

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** FixedFormatBookmark; what Word calls bookmarks has no counterpart. */
const bookmarks: ReadonlyMap<string, boolean> = new Map([
  ['none', false],
  ['headings', true],
]);

/** The unambiguous values in settings written by SharePoint's own object model. Throws if a value is invalid. */
export function sharePointSettings(said: ReadonlyMap<string, string>): JobSettings {
  const text = (...names: readonly string[]) =>
    names.map((name) => said.get(name)?.trim()).find((value) => value !== undefined && value !== '');
  const from = text('InputLanguage', 'SourceLanguage');
  const language = text('OutputLanguage', 'TargetLanguage');
  const format = meaning(said, 'OutputFormat', formats);
  const to = format ?? language;
  const pdf = pdfSettings(said);
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(format === undefined ? {} : { isExtensionAdded: true }),
    ...(pdf === undefined ? {} : { pdf }),
    replace: meaning(said, 'OutputSaveBehavior', behaviours) ?? true,
  };
}

function pdfSettings(said: ReadonlyMap<string, string>): PdfSettings | undefined {
  const isArchive = meaning(said, 'UsePDFA', truths);
  const hasTags = meaning(said, 'IncludeDocumentStructure', truths);
  const kind = said.get('Bookmarks')?.trim().toLowerCase() ?? '';
  const hasBookmarks = bookmarks.get(kind);
  const pdf: PdfSettings = {
    ...(isArchive === true && { isArchive }),
    ...(hasTags !== undefined && { hasTags }),
    ...(hasBookmarks !== undefined && { hasBookmarks }),
  };
  return Object.keys(pdf).length === 0 ? undefined : pdf;
}

function meaning<Value>(
  said: ReadonlyMap<string, string>,
  name: string,
  meanings: ReadonlyMap<string, Value>,
): Value | undefined {
  const value = said.get(name)?.trim() ?? '';
  if (value === '') return undefined;
  if (!meanings.has(value.toLowerCase())) throw new Error(`${name} '${value.slice(0, 100)}' has no meaning.`);
  return meanings.get(value.toLowerCase());
}
