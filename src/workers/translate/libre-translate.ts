import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { FormData, fetch, type RequestInit, type Response } from 'undici';
import { WorkError } from '../documents/work-error.ts';
import { languageOf } from './languages.ts';
import type { Translate, Translation } from './translate.ts';

/** A service with the interface of LibreTranslate. */
interface LibreTranslateOptions {
  readonly url: URL;
  readonly apiKey?: string;
  /** Milliseconds that one document may take. */
  readonly timeout: number;
  /** The most bytes of an answer. */
  readonly largest: number;
}

/** What goes as text; other documents go as files. */
const asText: Readonly<Record<string, string>> = { txt: 'text', html: 'html' };
const asFile = new Set(['docx', 'odt', 'pptx', 'odp', 'epub', 'pdf', 'rtf']);

/** Translates by a service over HTTP that speaks as LibreTranslate does. */
export function libreTranslate(options: LibreTranslateOptions): Translate {
  return async (translation, signal) => {
    const late = AbortSignal.timeout(options.timeout);
    try {
      await translate(options, translation, AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof WorkError) throw error;
      if (late.aborted)
        throw new WorkError('timedOut', `The service did not finish within ${options.timeout / 1000} seconds.`);
      throw new WorkError('unreachable', `The service cannot be reached: ${String(error)}`, { cause: error });
    }
  };
}

async function translate(options: LibreTranslateOptions, translation: Translation, signal: AbortSignal): Promise<void> {
  const { input, output, format } = translation;
  const source = languageOf(translation.from) ?? translation.from;
  const target = languageOf(translation.to) ?? translation.to;
  const kind = asText[format];
  if (kind === undefined && !asFile.has(format)) {
    throw new WorkError('unsupported', `The service does not translate ${format}.`);
  }
  const form = new FormData();
  form.set('source', source);
  form.set('target', target);
  if (options.apiKey !== undefined) form.set('api_key', options.apiKey);
  if (kind !== undefined) {
    form.set('q', await readFile(input, 'utf8'));
    form.set('format', kind);
    const { translatedText } = await answer(options, 'translate', { method: 'POST', body: form, signal });
    await writeFile(output, textOf(translatedText));
    return;
  }
  form.set('file', await openAsBlob(input), `document.${format}`);
  const { translatedFileUrl } = await answer(options, 'translate_file', { method: 'POST', body: form, signal });
  const where = URL.parse(textOf(translatedFileUrl), options.url);
  if (where === null || where.origin !== options.url.origin) {
    throw new WorkError('failed', 'The service returned a translated file that is not on its own server.');
  }
  const response = await checked(await fetch(where, { signal, redirect: 'error' }));
  await writeFile(output, await limited(response, options.largest));
}

async function answer(
  { url, largest }: LibreTranslateOptions,
  path: string,
  request: RequestInit,
): Promise<Record<string, unknown>> {
  const response = await checked(await fetch(new URL(path, url), { ...request, redirect: 'error' }));
  const parsed: unknown = JSON.parse((await limited(response, largest)).toString('utf8'));
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

/** Throws what the service complains of. */
async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = (await limited(response, 65_536)).toString('utf8');
  const said = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? `HTTP ${response.status}`;
  if (response.status === 400) throw new WorkError('unsupported', `The service refuses it: ${said}`);
  if (response.status === 401 || response.status === 403)
    throw new WorkError('accessDenied', `The service says: ${said}`);
  if (response.status === 413) throw new WorkError('tooLarge', `The service says: ${said}`);
  throw new WorkError('unreachable', `The service says: ${said}`);
}

async function limited({ body }: Response, largest: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > largest) throw new WorkError('tooLarge', `The service returned more than ${largest} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string')
    throw new WorkError('failed', 'The service returned something other than a translation.');
  return value;
}
