import pg from 'pg';
import { startPostgres } from '../../test/support/postgres.ts';
import type { PropertyValue } from './property-batch.ts';

/** The table of properties as Granary has it on PostgreSQL. */
const createTable = `
  create table doc_props (
    doc_id bigint not null, pid bigint not null, ll_val bigint not null,
    str_val text collate "C", str_val2 text collate "C",
    primary key (doc_id, pid, ll_val));
  create index doc_props_by_pid on doc_props (pid, doc_id)`;

/** A PostgreSQL with fsync on that takes batches of properties through node-postgres, one statement each. */
export class PropertyPeer implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #stop: () => Promise<void>;

  private constructor(client: pg.Client, stop: () => Promise<void>) {
    this.#client = client;
    this.#stop = stop;
  }

  static async start(): Promise<PropertyPeer> {
    const server = await startPostgres({ fsync: true });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(createTable);
    return new PropertyPeer(client, () => server.stop());
  }

  /** Upserts all values of a batch with one prepared statement. */
  async upsert(values: readonly PropertyValue[]): Promise<void> {
    const places = values.map((_, row) => `(${[1, 2, 3, 4, 5].map((column) => `$${row * 5 + column}`).join(', ')})`);
    await this.#client.query({
      name: `upsert ${values.length}`,
      text: `
        insert into doc_props (doc_id, pid, ll_val, str_val, str_val2) values ${places.join(', ')}
        on conflict (doc_id, pid, ll_val) do update set str_val = excluded.str_val, str_val2 = excluded.str_val2`,
      values: values.flatMap(({ DocId, Pid, llVal, strVal, strVal2 }) => [DocId, Pid, llVal, strVal, strVal2]),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
    await this.#stop();
  }
}
