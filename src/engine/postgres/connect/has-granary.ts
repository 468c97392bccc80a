import { parseAddress } from './address.ts';
import { connectAlone } from './find-server.ts';

/** Whether a PostgreSQL database contains a Granary. */
export async function hasGranary(url: string, prefix = 'granary'): Promise<boolean> {
  const { client } = await connectAlone(parseAddress(url), 'granary');
  try {
    const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [prefix]);
    return rows.length > 0;
  } finally {
    await client.end();
  }
}
