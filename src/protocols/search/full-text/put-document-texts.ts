import { eachEngine, list, sql, table } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { nvarchar } from '../../../tds/types/index.ts';
import { readDocuments } from './document.ts';
import { type IndexedDocument, indexed } from './document-words.ts';
import { tsVector } from './ts-vector.ts';

/** A document as the JSON of `granary.PutDocumentTexts` has it. */
export interface DocumentText {
  readonly DocID: number;
  readonly Url?: string;
  readonly Title?: string;
  readonly Text?: string;
  readonly Properties?: Readonly<Record<string, string | readonly string[]>>;
}

/** Documents as the parameter of `granary.PutDocumentTexts` takes them. */
export const documentsJson = (documents: readonly DocumentText[]): string => JSON.stringify(documents);

export const putDocumentTexts = procedure({
  name: 'PutDocumentTexts',
  schema: 'granary',
  section: 'Granary',
  summary: 'Stores the texts of documents for granary.Find; they are deleted with the documents of the property store.',
  access: 'write',
  params: {
    Documents: required(
      nvarchar('max'),
      'A JSON array of { DocID, Url, Title, Text, Properties: { name: value or values } }.',
    ),
  },
  outcomes: { done: { code: 0, meaning: 'All of the texts are kept, in the place of those that were there.' } },
  prepare: ({ signal }, { Documents }) => indexed(lastOfEach(readDocuments(Documents)), signal),
  async handle({ db, now }, _input, documents: IndexedDocument[]) {
    const ids = documents.map(({ document }) => document.docId);
    if (ids.length === 0) return { outcome: 'done' };
    await db.run(sql`delete from doc_texts where doc_id in ${list('bigint', ids)}`);
    await db.insert(
      'doc_texts',
      ['doc_id', 'url', 'title', 'body', 'indexed'],
      documents.map(({ document: { docId, url, title, text } }) => [docId, url, title, text, now]),
    );
    await db.run(sql`${eachEngine({ sqlite: intoFts5(documents), postgres: intoVectors(documents) })}`);
    return { outcome: 'done' };
  },
});

/** If a document occurs twice, the last one counts. */
const lastOfEach = <T extends { readonly docId: number }>(documents: readonly T[]): T[] => [
  ...new Map(documents.map((document) => [document.docId, document])).values(),
];

const intoFts5 = (documents: readonly IndexedDocument[]) => {
  const rows = documents.map(({ document, title, properties, body }) => [
    document.docId,
    title.join(' '),
    properties.join(' '),
    body.join(' '),
  ]);
  const given = table({ id: 'bigint', title: 'text', properties: 'text', body: 'text' }, rows);
  return sql`insert into doc_words (rowid, title, properties, body) select id, title, properties, body from ${given} t`;
};

const intoVectors = (documents: readonly IndexedDocument[]) => {
  const rows = documents.map((document) => [document.document.docId, tsVector(document)]);
  return sql`
    insert into doc_words (doc_id, words)
    select t.id, t.words::tsvector from ${table({ id: 'bigint', words: 'text' }, rows)} t`;
};
