import type { IndexedDocument } from './document-words.ts';

/** PostgreSQL's limits of a tsvector: positions up to 16,383, 255 of a word, and 1 MB in all. */
const lastPlace = 16_383;
const mostPlaces = 255;
const mostBytes = 700_000;

/** A document's words as the text of a tsvector: titles weigh A, properties B, the text itself D. */
export function tsVector({ title, properties, body }: IndexedDocument): string {
  const places = new Map<string, string[]>();
  let place = 0;
  let bytes = 0;
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      place = Math.min(place + 1, lastPlace);
      const of = places.get(word);
      if (of === undefined) {
        bytes += Buffer.byteLength(word) + 8;
        if (bytes > mostBytes) return;
        places.set(word, [`${place}${weight}`]);
      } else if (of.length < mostPlaces) {
        bytes += 2;
        of.push(`${place}${weight}`);
      }
    }
    // No phrase spans two fields.
    place = Math.min(place + 2, lastPlace);
  };
  add(title, 'A');
  add(properties, 'B');
  add(body, '');
  return Array.from(places, ([word, at]) => `${quoted(word)}:${at.join(',')}`).join(' ');
}

const quoted = (word: string): string => `'${word.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
