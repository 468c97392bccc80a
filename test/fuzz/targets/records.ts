import * as records from '../../../src/protocols/search/records/index.ts';
import type { Fields, Layout } from '../../../src/protocols/search/records/layout.ts';
import type { Target } from '../target.ts';

/** All that the room exports which is a layout. */
const layouts = (Object.values(records) as readonly unknown[]).filter(
  (each): each is Layout<Fields> => typeof each === 'object' && each !== null && 'fields' in each && 'length' in each,
);

/** The binary records of the search protocol: which layout, how many, the bytes, and the streams that they point into. */
export const recordTargets: readonly Target[] = [
  {
    name: 'records',
    make(random) {
      const at = random.below(layouts.length);
      const rows = random.below(4);
      const length = (layouts[at]?.length ?? 0) * rows + (random.chance(5) ? random.below(9) : 0);
      const bytes = random.bytes(length);
      // Small numbers point into the streams, large ones nowhere.
      if (random.chance(2))
        for (let place = 0; place < bytes.length; place++) if (random.below(3) > 0) bytes[place] = random.below(3);
      return Buffer.concat([Buffer.of(at, rows), bytes]);
    },
    run(input) {
      const of = layouts[(input[0] ?? 0) % layouts.length];
      if (of === undefined) return;
      const blob = input.subarray(2);
      records.unpack(of, {
        rows: input[1] ?? 0,
        records: blob,
        text: 'some text of a stream',
        bytes: Buffer.alloc(40, 1),
      });
    },
  },
];
