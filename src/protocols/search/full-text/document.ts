import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { jsonArray } from '../../../procedure/json-array.ts';

/** A document to be indexed. */
export interface FoundableDocument {
  readonly docId: number;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly properties: Readonly<Record<string, readonly string[]>>;
}

/** A longer text is stored and indexed up to this length: a tsvector is limited to 1 MB in PostgreSQL. */
export const longestText = 200_000;
const longestTitle = 2_000;
const longestUrl = 4_000;
const mostProperties = 200;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the JSON array of documents of granary.PutDocumentTexts; SqlError 50000 says what is wrong with it. */
export function readDocuments(json: string): FoundableDocument[] {
  return jsonArray('Documents', json, 'documents').map(readDocument);
}

function readDocument(value: unknown, index: number): FoundableDocument {
  const wrong = (what: string) => ruleBroken(`Document ${index + 1} of @Documents ${what}.`);
  if (!isRecord(value)) throw wrong('is not an object');
  const { DocID, Url = '', Title = '', Text = '', Properties = {} } = value;
  if (typeof DocID !== 'number' || !Number.isInteger(DocID) || DocID < 0 || DocID > 2 ** 31 - 1) {
    throw wrong('has no DocID, which is an int');
  }
  if (typeof Url !== 'string' || typeof Title !== 'string' || typeof Text !== 'string') {
    throw wrong('has a Url, Title or Text that is no text');
  }
  if (!isRecord(Properties)) throw wrong('has Properties that are no object');
  const properties = Object.entries(Properties)
    .slice(0, mostProperties)
    .map(([name, given]): [string, string[]] => [name, [given].flat().map(String)]);
  return {
    docId: DocID,
    url: kept(Url, longestUrl),
    title: kept(Title, longestTitle),
    text: kept(Text, longestText),
    properties: Object.fromEntries(properties),
  };
}

/** The beginning of a text as PostgreSQL can store it: without NUL, and not cut within a character. */
const kept = (text: string, length: number): string => text.slice(0, length).replaceAll('\0', '').toWellFormed();
