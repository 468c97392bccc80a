import { SaxesParser, type SaxesTagNS } from 'saxes';

/** The namespace of the settings that `granary job submit` writes. */
const namespace = 'urn:granary:job-settings';

/** What the settings of a job say of its items. */
interface JobSettings {
  /** The language that is translated from. */
  readonly from?: string;
  /** The format that is converted to, as an extension without its dot; the language that is translated to. */
  readonly to?: string;
  /** False when an output that is there stays. */
  readonly replace: boolean;
}

/** True for settings that Granary wrote itself, known by their first element. */
export const isOwn = (settings: string | null): boolean =>
  settings !== null && /^\s*(<\?xml[^>]*\?>\s*)?<settings\s[^<>]*xmlns="urn:granary:job-settings"/.test(settings);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<"]/g, (character) => escapes[character] ?? character);

/** The settings as they are kept with a job. */
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
 * Reads the settings of a job. Of those that are not Granary's own only what is plain is taken: the format under
 * OutputFormat, the languages under InputLanguage and OutputLanguage. Throws when the text is no XML, or when Granary's own
 * say what they cannot.
 */
export function readSettings(text: string | null): JobSettings {
  if (text === null || text.trim() === '') return { replace: true };
  const said: [name: string, value: string][] = [];
  let root: SaxesTagNS | undefined;
  let open = '';
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    root ??= tag;
    open = tag.local;
    for (const { local, uri, value } of Object.values(tag.attributes)) if (uri === '') said.push([local, value]);
  });
  parser.on('text', (value) => said.push([open, value]));
  parser.write(text).close();
  return root?.uri === namespace ? ownSettings(root) : othersSettings(new Map(said));
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
  return made(values.get('from'), values.get('to'), values.get('replace') !== 'false');
}

/** The formats that SharePoint names, as extensions. */
const formats: Readonly<Record<string, string>> = { document: 'docx', document97: 'doc', pdf: 'pdf', rtf: 'rtf' };

function othersSettings(said: ReadonlyMap<string, string>): JobSettings {
  const format = formats[said.get('OutputFormat')?.trim().toLowerCase() ?? ''];
  const language = said.get('OutputLanguage')?.trim();
  return made(said.get('InputLanguage')?.trim() || undefined, format ?? (language || undefined), true);
}

const made = (from: string | undefined, to: string | undefined, replace: boolean): JobSettings => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  replace,
});
