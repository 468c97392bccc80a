import type { Row } from '../../../../base/stored.ts';
import type { Db } from '../../../../engine/db.ts';
import { list, sql } from '../../../../engine/sql.ts';
import { bigint, int } from '../../../../tds/types/index.ts';
import { lastOfEach } from '../../records/index.ts';
import type { Changes } from './changes.ts';

/** The properties for the times when the URL of a document was first seen, and when its content last changed. */
const firstSeen = 321;
const lastChanged = 322;

const known = {
  urlSignature: bigint,
  schemaSignature: int,
  contentSignature: bigint,
  firstTime: bigint,
  changeTime: bigint,
};
type Known = Row<typeof known>;
type Signature = Changes['signatures'][number];

/** A signature with its URL. */
interface Noted extends Signature {
  readonly firstTime: bigint;
  readonly changeTime: bigint;
  /** False for a URL that is only remembered: nobody is to be told of it. */
  readonly isTold: boolean;
}

/**
 * Records the signatures of documents: a new URL gets the two times, if the queue contains whole documents; a known one
 * gets a new time of change if its content changed under the same schema.
 */
export async function noteSignatures(
  db: Db,
  signatures: Changes['signatures'],
  wholeDocuments: boolean,
): Promise<void> {
  if (signatures.length === 0) return;
  const state = await knownAmong(db, signatures);
  const noted = signatures.map((signature) => {
    const one = compare(signature, state.get(signature.UrlSignature), wholeDocuments);
    state.set(signature.UrlSignature, knownAfter(one));
    return one;
  });
  await db.insert(
    'alert_history',
    ['url_signature', 'doc_id', 'schema_signature', 'content_signature', 'first_time', 'change_time'],
    lastOfEach(noted, ({ UrlSignature }) => UrlSignature).map((n) => [
      n.UrlSignature,
      n.DocId,
      n.SchemaSignature,
      n.ContentSignature,
      n.firstTime,
      n.changeTime,
    ]),
    ['url_signature'],
  );
  await tell(
    db,
    lastOfEach(
      noted.filter(({ isTold }) => isTold),
      ({ DocId }) => DocId,
    ),
  );
}

async function knownAmong(db: Db, signatures: readonly Signature[]): Promise<Map<bigint, Known>> {
  const urls = list(
    'bigint',
    signatures.map(({ UrlSignature }) => UrlSignature),
  );
  const rows = await db.all(
    known,
    sql`
      select url_signature as "urlSignature", schema_signature as "schemaSignature",
        content_signature as "contentSignature", first_time as "firstTime", change_time as "changeTime"
      from alert_history where url_signature in ${urls}`,
  );
  return new Map(rows.map((row) => [row.urlSignature, row]));
}

function compare(signature: Signature, before: Known | undefined, wholeDocuments: boolean): Noted {
  const { CrawlTime, SchemaSignature, ContentSignature } = signature;
  if (before === undefined) {
    return { ...signature, firstTime: CrawlTime, changeTime: CrawlTime, isTold: wholeDocuments };
  }
  const isNews = before.schemaSignature === SchemaSignature && before.contentSignature !== ContentSignature;
  const changeTime = isNews ? CrawlTime : before.changeTime;
  return { ...signature, firstTime: before.firstTime, changeTime, isTold: true };
}

/** What the next record of the same URL is compared with. */
const knownAfter = ({ UrlSignature, SchemaSignature, ContentSignature, firstTime, changeTime }: Noted): Known => ({
  urlSignature: UrlSignature,
  schemaSignature: SchemaSignature,
  contentSignature: ContentSignature,
  firstTime,
  changeTime,
});

/** Writes the two times into the properties of the documents, each as its one value. */
async function tell(db: Db, noted: readonly Noted[]): Promise<void> {
  const documents = list(
    'bigint',
    noted.map(({ DocId }) => DocId),
  );
  await db.run(sql`delete from doc_props where doc_id in ${documents} and pid in (${firstSeen}, ${lastChanged})`);
  await db.insert(
    'doc_props',
    ['doc_id', 'pid', 'll_val'],
    noted.flatMap(({ DocId, firstTime, changeTime }) => [
      [DocId, firstSeen, firstTime],
      [DocId, lastChanged, changeTime],
    ]),
    ['doc_id', 'pid', 'll_val'],
  );
}
