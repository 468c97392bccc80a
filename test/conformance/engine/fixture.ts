import type { Database } from '../../../src/engine/db.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { type EngineName, openEngine } from '../../support/engines.ts';
import { shop } from './shop.ts';

export * from './shop.ts';

/** An engine with one database of the shop, both gone at the end. */
export interface Shop extends AsyncDisposable {
  readonly engine: Engine;
  readonly database: Database;
}

export async function openShop(name: EngineName): Promise<Shop> {
  const engine = await openEngine(name, { schemas: [shop] });
  const database = await engine.create('Shop', 'shop');
  return { engine, database, [Symbol.asyncDispose]: () => engine.stop() };
}
