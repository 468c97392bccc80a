import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { find } from './find.ts';
import { mergeTexts } from './merge-texts.ts';
import { putDocumentTexts } from './put-document-texts.ts';

/** The texts of documents, an extension: the specifications leave these to an index outside the databases. */
export const fullText: Area = {
  procedures: [find, mergeTexts, putDocumentTexts],
  relations: [],
  migrations: migrationsIn('search/full-text', new URL('./migrations/', import.meta.url)),
};
