import { Turn } from '../../../base/threads/turn.ts';
import type { FoundableDocument } from './document.ts';
import { placedWords, propertyWord, wordsOf } from './words.ts';

/** A document and the words under which it is found, in the order of the fields of its index. */
export interface IndexedDocument {
  readonly document: FoundableDocument;
  readonly title: readonly string[];
  /** Words of all properties, plain and as words of their property. */
  readonly properties: readonly string[];
  readonly body: readonly string[];
}

/** Properties that every document has: they are searchable like the document's own. */
const ownProperties = ({ title, url }: FoundableDocument): Record<string, readonly string[]> => ({
  title: [title],
  url: [url],
  site: [URL.parse(url)?.hostname ?? ''],
});

/** Properties that many documents share, so that their words identify only the property: `text`, `html`. */
const sharedProperties = new Set(['type', 'extension']);

/** A separator between values, so that no phrase spans two of them; nobody can search for it. */
const gap = '\uE001';

/** Computes the words of documents, and yields to others during long texts. */
export async function indexed(
  documents: readonly FoundableDocument[],
  signal: AbortSignal,
): Promise<IndexedDocument[]> {
  const turn = new Turn(signal);
  const list: IndexedDocument[] = [];
  for (const document of documents) {
    const body: string[] = [];
    for (const { word } of placedWords(document.text)) {
      body.push(word);
      if ((body.length & 255) === 0 && turn.isOver) await turn.giveWay();
    }
    list.push({ document, title: wordsOf(document.title), properties: propertyWords(document), body });
    if (turn.isOver) await turn.giveWay();
  }
  return list;
}

function propertyWords(document: FoundableDocument): string[] {
  const named = [...Object.entries(ownProperties(document)), ...Object.entries(document.properties)];
  return named.flatMap(([name, values], at) =>
    values.flatMap((value) => {
      const words = wordsOf(value);
      // What every document has is already indexed as plain words, or would be noise: `http`, `www`.
      const isOwn = at < Object.keys(ownProperties(document)).length;
      const plain = isOwn || sharedProperties.has(name) ? [] : [gap, ...words];
      return [gap, ...words.map((word) => propertyWord(name, word)), ...plain];
    }),
  );
}
