import { createHash } from 'node:crypto';
import { fold } from '../../../../base/text/collation.ts';
import type { Db } from '../../../../engine/db.ts';
import { lastOfEach } from '../../records/index.ts';
import type { Changes } from './changes.ts';

/** The most characters of a term that is its own key: a row of an index of PostgreSQL has room for 2,704 bytes. */
const longestKey = 800;

/** What a term is known by in its document: a longer one by a digest, in capitals, which no fold has. */
function keyOf(term: string | null): string {
  const key = term === null ? '' : fold(term);
  if (key.length <= longestKey) return key;
  return createHash('sha256').update(key).digest('hex').toUpperCase();
}

/** Sets the terms that documents define. */
export async function putDefinitions(db: Db, definitions: Changes['definitions']): Promise<void> {
  const last = lastOfEach(definitions, ({ DocId, Term }) => `${DocId} ${keyOf(Term)}`);
  await db.insert(
    'definitions',
    ['doc_id', 'term_key', 'term', 'sentence', 'term_offset', 'is_acronym'],
    last.map((d) => [d.DocId, keyOf(d.Term), d.Term, d.Sentence, d.TermInSentenceOffset, d.IsAcronym]),
    ['doc_id', 'term_key'],
  );
}
