import { loadedOnce } from '../../../base/kept-for.ts';
import { ruleBroken, SqlError, sqlError } from '../../../base/messages/sql-error.ts';
import { nextTurn } from '../../../base/threads/rota.ts';
import { ThreadEnded } from '../../../base/threads/thread.ts';
import type { ThreadScript } from '../../../base/threads/threads.ts';
import type { Preparing } from '../../../procedure/call.ts';
import type { Form } from './form.ts';

/** A request to the thread that parses documents: form and schema of a document, and the document in UTF-16. */
export interface ReadRequest {
  readonly form: Form<unknown, object>['name'];
  readonly schema: string;
  readonly document: ArrayBuffer;
}

/** The response: the packed content, or SQL Server's error for the document. */
export type ReadAnswer = { readonly packed: object } | { readonly refused: Refusal };
type Refusal = Pick<SqlError, 'number' | 'message' | 'severity' | 'state'>;

/**
 * Documents of at least this many characters are parsed in the thread. That many take 8 ms, which others can wait for;
 * starting the thread takes 150 ms, which only the first call after a pause waits for.
 */
const large = 64 * 1024;

/** Characters that are transferred in one turn of the event loop: it takes a millisecond. */
const charactersATurn = 1024 * 1024;

const script: ThreadScript<ReadRequest, ReadAnswer> = { url: new URL('./reader-thread.ts', import.meta.url) };

/**
 * Validates documents of one form against their schema and parses them; large ones in a thread, so that nobody waits
 * for them.
 */
export class DocumentReader<Content, Packed extends object> {
  readonly #form: Form<Content, Packed>;
  readonly #schema: URL;
  /** Loaded with the first document: a server that gets none uses 12 MB less. */
  readonly #validator = loadedOnce(async () => (await import('./validator.ts')).validatorOf(this.#schema));

  constructor(form: Form<Content, Packed>, schema: URL) {
    this.#form = form;
    this.#schema = schema;
  }

  read(document: string, { threads, signal }: Pick<Preparing, 'threads' | 'signal'>): Promise<Content> {
    return document.length < large ? this.readHere(document) : this.readInThread(document, threads, signal);
  }

  async readHere(document: string): Promise<Content> {
    const check = await this.#validator();
    return this.#form.read(check(document, this.#form.param));
  }

  async readInThread(document: string, threads: Preparing['threads'], signal?: AbortSignal): Promise<Content> {
    const { name: form, param, unpack } = this.#form;
    const units = await unitsOf(document, signal);
    try {
      const request = { form, schema: this.#schema.href, document: units };
      const answer = await threads.run(script, request, { signal, transfer: [units] });
      if ('refused' in answer) throw asError(answer.refused);
      // The thread packs the content as the requested form does.
      return unpack(answer.packed as Packed);
    } catch (error) {
      throw error instanceof ThreadEnded ? unread(param, error) : error;
    }
  }
}

async function unitsOf(document: string, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
  const units = new ArrayBuffer(document.length * 2);
  const bytes = Buffer.from(units);
  for (let start = 0; start < document.length; start += charactersATurn) {
    if (start > 0) await nextTurn();
    signal?.throwIfAborted();
    bytes.write(document.slice(start, start + charactersATurn), start * 2, 'utf16le');
  }
  return units;
}

function asError({ number, message, severity, state }: Refusal): SqlError {
  return new SqlError(number, message, { severity, state });
}

function unread(param: string, error: ThreadEnded): SqlError {
  if (error.isOutOfMemory) return sqlError(701, 'default');
  return ruleBroken(`@${param} could not be read: the thread that reads large documents has ended.`, error);
}
