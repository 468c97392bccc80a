import { readElements, required } from './elements.ts';
import type { Conforming } from './schema.ts';

/** An item as databaseJobAdd (2.2.6.4.2) lists it. */
export interface NewItem {
  readonly ItemId: number;
  readonly InputFile: string;
  readonly OutputFile: string | null;
}

/** Reads the items of a databaseJobAdd document that conforms to the schema; file names are kept as they are written. */
export async function readJobAdd(conforming: Conforming, document: string): Promise<NewItem[]> {
  const items: NewItem[] = [];
  readElements(await conforming(document, 'JobXml'), (element) => {
    if (element.name !== 'item') return;
    items.push({
      ItemId: Number(required(element, 'id')),
      InputFile: required(element, 'in'),
      OutputFile: element.attributes['out'] ?? null,
    });
  });
  return items;
}
