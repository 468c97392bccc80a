import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { codeOf, OperatorError, UsageError } from '../errors.ts';

/** A document of a job: names as in a URL, relative to the roots of its group. */
interface Document {
  readonly input: string;
  readonly output: string;
}

/** Documents with roots in common. */
export interface DocumentGroup {
  readonly inputRoot: string;
  readonly outputRoot: string;
  readonly documents: readonly Document[];
}

/** What becomes of documents. */
interface Plan {
  /** The folder of the outputs; if undefined, each is stored next to its input. */
  readonly out: string | undefined;
  /** The name of an output, of that of its input without its extension, and of the extension. */
  outputName(stem: string, extension: string): string;
}

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

/** The URL of a file or folder that a command line names: a path of this machine, or a URL. */
function urlOf(text: string): URL {
  const url = isUrl(text) ? URL.parse(text) : pathToFileURL(resolve(text));
  if (url === null || !/^(file|https?|config):$/.test(url.protocol)) {
    throw new UsageError(
      `'${text}' is not a document: it must be a path, or a URL with file:, http:, https: or config:.`,
    );
  }
  return url;
}

/** The URL of a folder, which ends with a slash. */
export function folderUrl(text: string): URL {
  const url = urlOf(text);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Groups documents by their place, and determines the place of each output. */
export async function documentGroups(files: readonly string[], plan: Plan): Promise<DocumentGroup[]> {
  const inputs = files.map(urlOf);
  for (const [at, url] of inputs.entries()) if (url.protocol === 'file:') await checkFile(files[at] ?? '', url);
  const out = plan.out === undefined ? undefined : folderUrl(plan.out);
  const places = Map.groupBy(inputs, ({ protocol, host }) => `${protocol}//${host}`);
  const seen = new Map<string, string>();
  return [...places.values()].map((urls) => {
    const root = commonFolder(urls);
    const documents = urls.map((url) => {
      const input = url.href.slice(root.length);
      const output = outputOf(input, out !== undefined, plan);
      const target = (out?.href ?? root) + output;
      if (target === url.href)
        throw new UsageError(`${shown(url)} would be replaced by its own output: specify a folder with --out.`);
      const other = seen.get(target);
      if (other !== undefined) throw new UsageError(`${other} and ${shown(url)} would both become ${output}.`);
      seen.set(target, shown(url));
      return { input, output };
    });
    return { inputRoot: root, outputRoot: out?.href ?? root, documents };
  });
}

const shown = (url: URL): string => (url.protocol === 'file:' ? fileURLToPath(url) : url.href);

async function checkFile(named: string, url: URL): Promise<void> {
  const found = await stat(url).catch((error: unknown) => {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read: ${codeOf(error)}`;
    throw new OperatorError(`The document ${named} ${why}.`);
  });
  if (!found.isFile()) throw new OperatorError(`${named} is not a document.`);
}

/** The deepest folder that all are in. */
function commonFolder(urls: readonly URL[]): string {
  const [first = '', ...others] = urls.map(({ href }) => href.slice(0, href.lastIndexOf('/') + 1));
  let folder = first;
  while (others.some((other) => !other.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}

function outputOf(input: string, isFlat: boolean, { outputName }: Plan): string {
  const slash = input.lastIndexOf('/') + 1;
  const name = input.slice(slash);
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ''];
  return (isFlat ? '' : input.slice(0, slash)) + outputName(stem, extension);
}
