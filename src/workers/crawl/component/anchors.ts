import type { Client } from '../../../client/client.ts';
import { getAnchorDocIDs } from '../../../protocols/search/anchors/get-anchor-doc-ids.ts';
import { getTopAnchorLinks } from '../../../protocols/search/anchors/get-top-anchor-links.ts';
import { updateAnchorDocPropsBlob } from '../../../protocols/search/anchors/update-anchor-doc-props-blob.ts';
import { updatePropertyStore } from '../../../protocols/search/properties/update-property-store.ts';
import { anchorAdd, pack } from '../../../protocols/search/records/index.ts';
import type { Farm } from '../store/farm.ts';
import { anchorTextPid } from '../store/links-table.ts';
import { propertyRemoval, propertyUpdate, queueType, textValue } from '../store/property-records.ts';
import { contentSignature } from '../url/hash.ts';
import type { Item } from './item.ts';

/** Documents of one item. */
const atATime = 500;
/** The most anchor texts stored for a document. */
const mostTexts = 200;

/** Rows of GetTopAnchorLinks that are not links (3.1.5.62.1). */
const pid = { title: 2147418050, tracker: 2147418052 };

const prefix = 'anchor:';

/** The URL of the item for documents starting with an identifier. */
export const anchorUrl = (target: number): string => prefix + target;
/** The first document of an item. */
export const firstTarget = ({ AccessURL }: Item): number => Number((AccessURL ?? '').slice(prefix.length)) || 0;

/** The links to a document, collected row by row. */
interface Target {
  readonly texts: Set<string>;
  hasTitle: boolean;
  tracked: string;
}

/**
 * Stores the texts of links in the properties of their target documents, for the next range of documents; returns the
 * start of the following range, or undefined after the last.
 */
export async function indexAnchors(
  farm: Farm,
  store: Client,
  component: number,
  mainCrawl: number,
  first: number,
): Promise<number | undefined> {
  const { sets } = await store.call(getAnchorDocIDs, {});
  const targets = sets.documents.map(({ TargetDocID }) => TargetDocID).filter((id) => id >= first);
  const range = targets.slice(0, atATime);
  const last = range.at(-1);
  if (last === undefined) return undefined;
  const found = await targetsIn(store, mainCrawl, range[0] ?? first, last + 1);
  const changed = [...found].filter(([, target]) => signatureOf(target) !== target.tracked);
  for (const [properties, own] of Map.groupBy(changed, ([id]) => farm.propertyStoreOf(id))) {
    if (properties !== undefined) await putTexts(properties, component, own);
  }
  await track(store, changed);
  return targets[atATime];
}

async function targetsIn(store: Client, CrawlID: number, from: number, to: number): Promise<Map<number, Target>> {
  const targets = new Map<number, Target>();
  const range = { CrawlID, MinTargetDocID: from, MaxTargetDocID: to };
  const { sets } = await store.call(getTopAnchorLinks, range);
  for (const { TargetDocID, Pid, AnchorText, AnchorBinary } of sets.links) {
    const target = targets.get(TargetDocID) ?? { texts: new Set(), hasTitle: false, tracked: '' };
    targets.set(TargetDocID, target);
    if (Pid === pid.title) target.hasTitle = AnchorText !== null;
    else if (Pid === pid.tracker) target.tracked = AnchorBinary === null ? '' : Buffer.from(AnchorBinary).toString();
    else if (Pid === anchorTextPid && AnchorText !== null && target.texts.size < mostTexts)
      target.texts.add(AnchorText);
  }
  return targets;
}

/** The texts to store for a document: none for one that must not be found. */
const textsOf = ({ texts, hasTitle }: Target): string[] => (hasTitle ? [...texts].sort() : []);

/** A signature that shows whether the texts have changed; undefined if there are none. */
function signatureOf(target: Target): string {
  const texts = textsOf(target);
  return texts.length === 0 ? '' : contentSignature(Buffer.from(JSON.stringify(texts)));
}

async function putTexts(store: Client, ComponentID: number, targets: readonly [number, Target][]): Promise<void> {
  const values = targets.flatMap(([id, target]) => textsOf(target).map((text) => textValue(id, anchorTextPid, text)));
  const bare = targets
    .filter(([, target]) => textsOf(target).length === 0)
    .map(([DocId]) => ({ DocId, Pid: anchorTextPid }));
  const changes = { ...propertyUpdate(values), ...propertyRemoval(bare) };
  await store.call(updatePropertyStore, { trace: 0, ComponentID, queueType: queueType.anchor, ...changes });
}

async function track(store: Client, targets: readonly [number, Target][]): Promise<void> {
  if (targets.length === 0) return;
  const packed = pack(
    anchorAdd,
    targets.map(([DocId, target]) => {
      const signature = signatureOf(target);
      return { DocId, PropertyTrackerBlob: signature === '' ? null : Buffer.from(signature) };
    }),
  );
  await store.call(updateAnchorDocPropsBlob, {
    trace: 0,
    addRows: packed.rows,
    addBlob: packed.records,
    addDataBlob: packed.bytes,
  });
}
