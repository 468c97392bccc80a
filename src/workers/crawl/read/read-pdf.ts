import { extractLinks, extractText, getDocumentProxy, getMeta } from 'unpdf';
import { CrawlError } from '../fetch/crawl-error.ts';
import { spelledUrl } from '../url/normal-url.ts';
import { Gathered, most, nothingRead, oneLine, type Reading, type ReadRequest } from './reading.ts';

/** Reads a PDF: its properties, its text and its links. */
export async function readPdf({ url, body }: ReadRequest): Promise<Reading> {
  try {
    const document = await getDocumentProxy(body, { verbosity: 0 });
    const { info } = await getMeta(document);
    const { text } = await extractText(document);
    const { links } = await extractLinks(document);
    const gathered = new Gathered();
    for (const page of text) gathered.add(`${page}\n`);
    const fact = (name: string) => oneLine(typeof info[name] === 'string' ? info[name] : '');
    return {
      ...nothingRead,
      title: fact('Title'),
      author: fact('Author'),
      description: fact('Subject'),
      keywords: fact('Keywords'),
      text: gathered.toString(),
      links: links.slice(0, most.links).flatMap((href) => {
        const target = spelledUrl(href, url);
        return target === undefined ? [] : [{ url: target, text: '' }];
      }),
    };
  } catch (error) {
    throw new CrawlError('unreadable', 'The document is not a readable PDF.', { cause: error });
  }
}
