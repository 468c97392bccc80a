import type { Client } from '../../src/client/client.ts';
import { searchProperty } from '../../src/protocols/search/kinds/search-property.ts';
import { setCrawlComponentStatus } from '../../src/protocols/search/properties/set-crawl-component-status.ts';
import { updatePropertyStore } from '../../src/protocols/search/properties/update-property-store.ts';
import { docPropsAdd, pack } from '../../src/protocols/search/records/index.ts';
import { noChanges } from '../../src/workers/crawl/store/property-records.ts';
import { timeOf } from '../support/load.ts';
import { firstDocument, type PropertyValue, propertyBatch } from '../support/property-batch.ts';
import { PropertyPeer } from '../support/property-peer.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { mean, time } from '../support/statistics.ts';

const warmUp = 10;
const rounds = 60;
const component = 0;
const ready = 1;

export const propertyStore: Scenario = {
  name: 'property-store',
  summary:
    'proc_MSS_UpdatePropertyStore with 100 documents of 20 properties, each batch twice, and the same upserts in one ' +
    'statement of PostgreSQL.',
  async run({ engine, progress, profiles }) {
    await using peer = await PropertyPeer.start();
    await using server = await BenchServer.start({ engine, profiles });
    await using client = await server.connect(searchProperty.firstDatabase);
    await client.call(setCrawlComponentStatus, {
      ComponentID: component,
      ModifiedByComponentID: component,
      Status: ready,
    });
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < warmUp + rounds; round++) {
      const batch = propertyBatch(firstDocument(round));
      ours.push(await timeOf(() => update(client, batch)));
      theirs.push(await timeOf(() => peer.upsert(batch)));
    }
    const our = mean(ours.slice(warmUp));
    const their = mean(theirs.slice(warmUp));
    progress(`${time(our)}, PostgreSQL ${time(their)}`);
    return [
      {
        what: 'a batch of 100 documents of 20 properties',
        figure: time(our),
        against: `${time(their)} in one statement of PostgreSQL`,
        value: their / our,
        unit: 'times',
        demand: { atLeast: 1 },
      },
    ];
  },
};

/** Packs a batch as crawl components do, and sends it. */
async function update(client: Client, batch: readonly PropertyValue[]): Promise<void> {
  const { rows, records, text } = pack(docPropsAdd, batch);
  await client.call(updatePropertyStore, {
    trace: 0,
    ComponentID: component,
    queueType: 1,
    ...noChanges,
    addRows: rows,
    addBlob: records,
    addStringBlob: text,
  });
}
