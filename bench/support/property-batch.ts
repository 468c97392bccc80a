import type { docPropsAdd, RecordValue } from '../../src/protocols/search/records/index.ts';

export type PropertyValue = RecordValue<(typeof docPropsAdd)['fields']>;

const documents = 100;
const properties = 20;

/** The values of a batch of 100 documents of 20 properties each, half of them text. */
export const propertyBatch = (first: number): PropertyValue[] =>
  Array.from({ length: documents * properties }, (_, index) => {
    const DocId = first + Math.floor(index / properties);
    const Pid = 1 + (index % properties);
    const isText = Pid % 2 === 0;
    return {
      DocId,
      Pid,
      llVal: (BigInt(DocId) << 32n) | BigInt(Pid),
      strVal: isText ? `the value of property ${Pid} of document ${DocId}` : null,
      strVal2: null,
    };
  });

/** Where the documents of a batch begin: every other batch brings those of the one before again. */
export const firstDocument = (batch: number): number => 1 + Math.floor(batch / 2) * documents;
