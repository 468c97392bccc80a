import { config } from '../../src/protocols/config/kind.ts';
import { getNewObjects } from '../../src/protocols/config/objects/get-new-objects.ts';
import { callUnread } from '../support/calls.ts';
import { compareSizes } from '../support/compare-sizes.ts';
import { fillObjects, versionOf } from '../support/fill/objects.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';

const sizes = { small: 10_000, large: 1_000_000 };
const changes = 10;

export const newObjects: Scenario = {
  name: 'new-objects',
  summary: 'proc_getNewObjects with 10 changes, among 1,000,000 objects and among 10,000.',
  async run({ progress, profiles, engine }) {
    await using server = await BenchServer.start({
      engine,
      profiles,
      fill: async (engine) => {
        for (const [name, objects] of Object.entries(sizes)) {
          progress(`filling ${name} with ${objects.toLocaleString('en')} objects`);
          await fillObjects(await engine.create(name, config.name), objects);
        }
      },
    });
    const follow = async (name: keyof typeof sizes) => {
      const connection = await server.open(name);
      const NewestCachedVersion = versionOf(sizes[name] - changes);
      return () => callUnread(connection, getNewObjects, { NewestCachedVersion });
    };
    const comparison = { what: `${changes} changes`, small: await follow('small'), large: await follow('large') };
    return await compareSizes([comparison], 800, 1.5);
  },
};
