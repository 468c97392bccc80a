import { SaxesParser, type SaxesTagNS } from 'saxes';
import { sharePointSettings } from './sharepoint-settings.ts';

/** The namespace of the settings that `granary job submit` writes. */
const namespace = 'urn:granary:job-settings';

/** How a PDF is written; defaults are those of LibreOffice. */
export interface PdfSettings {
  /** PDF/A, for archives. */
  readonly isArchive?: boolean;
  /** Whether headings, lists and tables are tagged. */
  readonly hasTags?: boolean;
  /** Whether headings become bookmarks. */
  readonly hasBookmarks?: boolean;
}

/** What the settings of a job specify for its items. */
export interface JobSettings {
  /** The language that is translated from. */
  readonly from?: string;
  /** The format that is converted to, as an extension without its dot; the language that is translated to. */
  readonly to?: string;
  /** False if an existing output is kept. */
  readonly replace: boolean;
  /** True when an output gets the extension of its format, unless its name has it. */
  readonly isExtensionAdded?: boolean;
  readonly pdf?: PdfSettings;
}

/** True for settings that Granary wrote itself, known by their first element. */
export const isOwn = (settings: string | null): boolean =>
  settings !== null && /^\s*(<\?xml[^>]*\?>\s*)?<settings\s[^<>]*xmlns="urn:granary:job-settings"/.test(settings);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<"]/g, (character) => escapes[character] ?? character);

/** The settings as they are stored with a job. */
export function writeSettings({ from, to, replace }: JobSettings): string {
  const attributes = [
    `xmlns="${namespace}"`,
    ...(from === undefined ? [] : [`from="${escaped(from)}"`]),
    ...(to === undefined ? [] : [`to="${escaped(to)}"`]),
    ...(replace ? [] : ['replace="false"']),
  ];
  return `<settings ${attributes.join(' ')}/>`;
}

/**
 * Parses the settings of a job. Of settings that are not Granary's own, only unambiguous values are used. Throws if the
 * text is not XML, or a value is invalid.
 */
export function readSettings(text: string | null): JobSettings {
  if (text === null || text.trim() === '') return { replace: true };
  const said = new Map<string, string>();
  let root: SaxesTagNS | undefined;
  let open: string | undefined;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    root ??= tag;
    open = tag.local;
    for (const { local, uri, value } of Object.values(tag.attributes)) if (uri === '') said.set(local, value);
  });
  parser.on('closetag', () => {
    // The text that follows belongs to a surrounding element, and those have no text of their own.
    open = undefined;
  });
  const add = (value: string) => {
    if (open !== undefined) said.set(open, (said.get(open) ?? '') + value);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text).close();
  return root?.uri === namespace ? ownSettings(root) : sharePointSettings(said);
}

const word = /^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$/;

function ownSettings({ local, attributes }: SaxesTagNS): JobSettings {
  if (local !== 'settings') throw new Error(`<${local}> is not <settings>.`);
  const values = new Map(
    Object.values(attributes).flatMap(({ local: name, uri, value }) => (uri === '' ? [[name, value] as const] : [])),
  );
  for (const [name, value] of values) {
    if (!['from', 'to', 'replace'].includes(name)) throw new Error(`<settings> has no attribute ${name}.`);
    if (name === 'replace' ? !['true', 'false'].includes(value) : !word.test(value)) {
      throw new Error(`${name}="${value.slice(0, 100)}" cannot be understood.`);
    }
  }
  const [from, to] = [values.get('from'), values.get('to')];
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    replace: values.get('replace') !== 'false',
  };
}
