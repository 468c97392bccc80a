import { stat } from 'node:fs/promises';
import type { OutputNotes, Work, WorkItem } from '../dispatch/work-item.ts';
import { extensionOf, filesOf, settingsOf } from '../documents/item-files.ts';
import type { Place } from '../documents/places/place.ts';
import { putOutput } from '../documents/put-output.ts';
import { checkDocument, type DocumentLimits } from '../documents/recognise.ts';
import { textEncoding } from '../documents/text-encoding.ts';
import { WorkError } from '../documents/work-error.ts';
import { WorkFolder } from '../documents/work-folder.ts';
import { allFormats, type Format, formatOf, pdfOptions, routeOf, targetsOf } from './formats.ts';
import { type OfficeOptions, OfficePool } from './office-pool.ts';

/** What conversions need. */
interface ConvertOptions extends OfficeOptions {
  readonly places: Place;
  readonly limits: DocumentLimits;
}

/** While documents take fewer milliseconds than this, further items are claimed ahead of time. */
const quick = 500;

/** Converts documents by LibreOffice. */
export class ConvertWork implements Work {
  readonly name = 'convert';
  readonly #options: ConvertOptions;
  readonly #office: OfficePool;

  constructor(options: ConvertOptions) {
    this.#options = options;
    this.#office = new OfficePool(options);
  }

  /**
   * While an instance converts one document, others are fetched, stored and reported; with fewer of them, slow disk
   * syncs would leave it idle. Long documents are not held here in advance: another worker may start on them at once.
   */
  get slots(): number {
    const { instances } = this.#options;
    const { usual } = this.#office;
    return usual !== undefined && usual < quick ? instances * 2 + 6 : instances;
  }

  async do(item: WorkItem, signal: AbortSignal, notes: OutputNotes): Promise<void> {
    const { places, limits } = this.#options;
    const settings = settingsOf(item);
    const { to: wanted } = settings;
    const from = known(extensionOf(item.InputFile), 'The name of the input');
    const to = known(wanted ?? extensionOf(item.OutputFile ?? ''), wanted ? 'The target' : 'The name of the output');
    const route = routeOf(from, to);
    if (route === undefined) {
      throw new WorkError(
        'unsupported',
        `${from} can be converted to ${targetsOf(from).join(', ')}, but not to ${to}.`,
      );
    }
    const storing = to === 'pdf' ? { ...route.storing, ...pdfOptions(settings.pdf) } : route.storing;
    const { input, output } = filesOf(item, to, settings.isExtensionAdded);
    await using folder = await WorkFolder.make();
    const source = folder.file(`in.${from}`);
    const target = folder.file(`out.${to}`);
    await places.read(input, source, { largest: limits.largest, signal });
    await checkDocument(source, from, limits);
    const loading = from === 'txt' ? { ...route.loading, ...(await textEncoding(source)) } : route.loading;
    await this.#office.convert({ input: source, output: target, loading, storing }, signal);
    if ((await stat(target).catch(() => undefined)) === undefined) {
      throw new WorkError('notStored', 'LibreOffice wrote no output.');
    }
    await putOutput(places, output, target, { replace: settings.replace, signal, notes, scratch: folder });
  }

  async rest(): Promise<void> {
    await this.#options.places.tidy?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#office[Symbol.asyncDispose]();
  }
}

function known(extension: string, whose: string): Format {
  const format = formatOf(extension);
  if (format !== undefined) return format;
  const said = extension === '' ? 'no extension' : `'${extension.slice(0, 20)}'`;
  throw new WorkError('unsupported', `${whose} has ${said}; supported formats: ${allFormats.join(', ')}.`);
}
