import type { OutputNotes, Work, WorkItem } from '../dispatch/work-item.ts';
import { extensionOf, filesOf, settingsOf } from '../documents/item-files.ts';
import type { Place } from '../documents/places/place.ts';
import { putOutput } from '../documents/put-output.ts';
import { checkDocument, type DocumentLimits, isRecognised } from '../documents/recognise.ts';
import { WorkError } from '../documents/work-error.ts';
import { WorkFolder } from '../documents/work-folder.ts';
import type { Translate } from './translate.ts';

interface TranslateOptions {
  readonly translate: Translate;
  /** Documents at once. */
  readonly concurrency: number;
  readonly places: Place;
  readonly limits: DocumentLimits;
}

/** Translates documents by an engine. */
export class TranslateWork implements Work {
  readonly name = 'translate';
  readonly #options: TranslateOptions;

  constructor(options: TranslateOptions) {
    this.#options = options;
  }

  get slots(): number {
    return this.#options.concurrency;
  }

  async do(item: WorkItem, signal: AbortSignal, notes: OutputNotes): Promise<void> {
    const { translate, places, limits } = this.#options;
    const { from, to, replace } = settingsOf(item);
    if (from === undefined || to === undefined) {
      throw new WorkError('badSettings', 'The settings of the job do not name the languages to translate from and to.');
    }
    const given = extensionOf(item.InputFile);
    const format = given === 'htm' ? 'html' : given;
    if (!isRecognised(format))
      throw new WorkError('unsupported', `Documents of type '${format}' cannot be translated.`);
    const { input, output } = filesOf(item, format);
    await using folder = await WorkFolder.make();
    const source = folder.file(`in.${format}`);
    const target = folder.file(`out.${format}`);
    await places.read(input, source, { largest: limits.largest, signal });
    await checkDocument(source, format, limits);
    await translate({ input: source, output: target, format, from, to }, signal);
    await putOutput(places, output, target, { replace, signal, notes, scratch: folder });
  }

  async rest(): Promise<void> {
    await this.#options.places.tidy?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
