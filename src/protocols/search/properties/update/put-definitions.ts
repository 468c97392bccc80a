import { fold } from '../../../../base/collation.ts';
import type { Db } from '../../../../engine/db.ts';
import { lastOfEach } from '../../records/index.ts';
import type { Changes } from './changes.ts';

const keyOf = (term: string | null): string => (term === null ? '' : fold(term));

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
