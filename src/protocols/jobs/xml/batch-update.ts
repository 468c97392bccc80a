import type { ItemName } from '../named-item.ts';
import { type Element, readElements, required } from './elements.ts';
import type { Conforming } from './schema.ts';

/** An item that a worker has started on. */
export interface StartedItem extends ItemName {
  readonly Worker: string;
}

/** An item that failed. */
export interface FailedItem extends ItemName {
  readonly ErrorCode: number;
}

/** What databaseBatchUpdate (2.2.6.4.1) asks for. */
export interface BatchUpdate {
  readonly started: readonly StartedItem[];
  readonly failed: readonly FailedItem[];
}

/** Reads a databaseBatchUpdate document that conforms to the schema; of an item named twice in a list the last counts. */
export async function readBatchUpdate(conforming: Conforming, document: string): Promise<BatchUpdate> {
  const started = new Map<string, StartedItem>();
  const failed = new Map<string, FailedItem>();
  let within = '';
  readElements(await conforming(document, 'BatchXml'), (element) => {
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
}

function nameOf(element: Element): ItemName {
  return {
    JobId: BigInt(required(element, 'job')),
    GroupId: Number(required(element, 'group')),
    ItemId: Number(required(element, 'id')),
  };
}
