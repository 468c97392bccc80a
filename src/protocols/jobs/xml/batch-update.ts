import type { ItemName } from '../named-item.ts';
import { type Element, readElements, required } from './elements.ts';
import type { Form } from './form.ts';
import { type Listed, listed } from './listed.ts';
import { type PackedTexts, packTexts, unpackTexts } from './packed.ts';

/** An item that a worker has started on. */
interface StartedItem extends ItemName {
  readonly Worker: string;
}

/** An item that failed. */
interface FailedItem extends ItemName {
  readonly ErrorCode: number;
}

/** What databaseBatchUpdate (2.2.6.4.1) asks for. */
export interface BatchUpdate {
  readonly started: Listed<StartedItem>;
  readonly failed: Listed<FailedItem>;
}

interface PackedNames {
  readonly jobs: BigInt64Array<ArrayBuffer>;
  readonly groups: Int16Array<ArrayBuffer>;
  readonly items: Int32Array<ArrayBuffer>;
}

export interface PackedUpdate {
  readonly started: PackedNames;
  readonly workers: PackedTexts;
  readonly failed: PackedNames;
  readonly errors: Int32Array<ArrayBuffer>;
}

/** databaseBatchUpdate; if an item occurs twice in a list, the last one counts. */
export const batchUpdateForm: Form<BatchUpdate, PackedUpdate> = {
  name: 'batchUpdate',
  param: 'BatchXml',
  read(document) {
    const started = new Map<string, StartedItem>();
    const failed = new Map<string, FailedItem>();
    let within = '';
    readElements(document, (element) => {
      if (element.name !== 'item') {
        within = element.name;
        return;
      }
      const item = nameOf(element);
      const key = `${item.JobId}/${item.GroupId}/${item.ItemId}`;
      if (within === 'start') started.set(key, { ...item, Worker: required(element, 'wsi').toLowerCase() });
      else failed.set(key, { ...item, ErrorCode: Number(required(element, 'error')) });
    });
    return { started: [...started.values()], failed: [...failed.values()] };
  },
  pack({ started, failed }) {
    return {
      started: packNames([...started]),
      workers: packTexts(Array.from(started, ({ Worker }) => Worker)),
      failed: packNames([...failed]),
      errors: Int32Array.from(failed, ({ ErrorCode }) => ErrorCode),
    };
  },
  unpack: ({ started, workers, failed, errors }) => ({
    started: listed(started.items.length, () => unpackStarted(started, workers)),
    failed: listed(failed.items.length, () => unpackFailed(failed, errors)),
  }),
};

function nameOf(element: Element): ItemName {
  return {
    JobId: BigInt(required(element, 'job')),
    GroupId: Number(required(element, 'group')),
    ItemId: Number(required(element, 'id')),
  };
}

function packNames(names: readonly ItemName[]): PackedNames {
  return {
    jobs: BigInt64Array.from(names, ({ JobId }) => JobId),
    groups: Int16Array.from(names, ({ GroupId }) => GroupId),
    items: Int32Array.from(names, ({ ItemId }) => ItemId),
  };
}

function* unpackNames({ jobs, groups, items }: PackedNames): Generator<ItemName, void> {
  for (const [place, ItemId] of items.entries()) {
    yield { JobId: jobs[place] ?? 0n, GroupId: groups[place] ?? 0, ItemId };
  }
}

function* unpackStarted(names: PackedNames, workers: PackedTexts): Generator<StartedItem, void> {
  const nextWorker = unpackTexts(workers);
  for (const name of unpackNames(names)) yield { ...name, Worker: nextWorker() ?? '' };
}

function* unpackFailed(names: PackedNames, errors: Int32Array): Generator<FailedItem, void> {
  let place = 0;
  for (const name of unpackNames(names)) yield { ...name, ErrorCode: errors[place++] ?? 0 };
}
