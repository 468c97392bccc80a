import { readElements, required } from './elements.ts';
import type { Form } from './form.ts';
import { type Listed, listed } from './listed.ts';
import { type PackedTexts, packTexts, unpackTexts } from './packed.ts';

/** An item as databaseJobAdd (2.2.6.4.2) lists it. */
export interface NewItem {
  readonly ItemId: number;
  readonly InputFile: string;
  readonly OutputFile: string | null;
}

/** The content of a databaseJobAdd document. */
export interface NewItems {
  readonly items: Listed<NewItem>;
  /** The first duplicate id of items. */
  readonly repeated: number | undefined;
}

export interface PackedItems {
  readonly ids: Int32Array<ArrayBuffer>;
  readonly inputs: PackedTexts;
  readonly outputs: PackedTexts;
  readonly repeated: number | undefined;
}

/** databaseJobAdd; file names are stored as written. */
export const jobAddForm: Form<NewItems, PackedItems> = {
  name: 'jobAdd',
  param: 'JobXml',
  read(document) {
    const items: NewItem[] = [];
    readElements(document, (element) => {
      if (element.name !== 'item') return;
      items.push({
        ItemId: Number(required(element, 'id')),
        InputFile: required(element, 'in'),
        OutputFile: element.attributes['out'] ?? null,
      });
    });
    return { items, repeated: firstRepeated(items) };
  },
  pack({ items, repeated }) {
    const all = [...items];
    return {
      ids: Int32Array.from(all, ({ ItemId }) => ItemId),
      inputs: packTexts(all.map(({ InputFile }) => InputFile)),
      outputs: packTexts(all.map(({ OutputFile }) => OutputFile)),
      repeated,
    };
  },
  unpack: (packed) => ({ items: listed(packed.ids.length, () => unpackItems(packed)), repeated: packed.repeated }),
};

function* unpackItems({ ids, inputs, outputs }: PackedItems): Generator<NewItem, void> {
  const [nextInput, nextOutput] = [unpackTexts(inputs), unpackTexts(outputs)];
  for (const ItemId of ids) yield { ItemId, InputFile: nextInput() ?? '', OutputFile: nextOutput() };
}

function firstRepeated(items: readonly NewItem[]): number | undefined {
  const seen = new Set<number>();
  return items.find(({ ItemId }) => seen.size === seen.add(ItemId).size)?.ItemId;
}
