import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { messageOf } from '../../fault.ts';
import type { Link } from '../wire/link.ts';

/** The oldest major version that Granary is tested with. */
const oldestVersion = 14;

/**
 * Features that Granary relies on and a cluster that only speaks PostgreSQL's protocol may lack, each with a statement
 * that tests it.
 */
const features: readonly { readonly name: string; readonly probe: string }[] = [
  {
    name: 'SERIALIZABLE transactions',
    probe: 'begin isolation level serializable; select 1; rollback',
  },
  {
    name: 'LOCK TABLE … NOWAIT in the modes ROW SHARE and EXCLUSIVE',
    probe: `begin; create temporary table granary_probe (a bigint) on commit drop;
      lock table granary_probe in row share mode nowait; lock table granary_probe in exclusive mode nowait; rollback`,
  },
  {
    name: 'rows by their ctid, locked with SKIP LOCKED',
    probe: `begin; create temporary table granary_probe (a bigint) on commit drop;
      update granary_probe set a = 1
        where ctid = any (array(select ctid from granary_probe for no key update skip locked)); rollback`,
  },
  { name: 'functions in PL/pgSQL', probe: 'begin; do language plpgsql $$ begin perform 1; end $$; rollback' },
  { name: 'savepoints', probe: 'begin; savepoint one; savepoint one; rollback to one; release one; rollback' },
  { name: 'cursors', probe: 'begin; declare one no scroll cursor for select 1; fetch 1 from one; close one; rollback' },
  { name: 'advisory locks', probe: 'begin; select pg_advisory_xact_lock(1735549294); rollback' },
];

/** Refuses a server that lacks any of them, and lists all that are missing, before anything is created on it. */
export async function checkRequirements(link: Link): Promise<void> {
  const { rows } = await link.query({ text: "select current_setting('server_version_num')", parameters: [] });
  const version = Math.floor(Number(rows[0]?.[0]) / 10_000);
  if (version < oldestVersion)
    throw ruleBroken(`PostgreSQL ${oldestVersion} or later is needed, and the server is version ${version}.`);
  const missing: string[] = [];
  for (const { name, probe } of features) {
    try {
      await link.exec(probe);
    } catch (error) {
      if (link.broken) throw error;
      await link.rollback();
      missing.push(`${name} (${messageOf(error)})`);
    }
  }
  if (missing.length > 0) throw ruleBroken(`The PostgreSQL server lacks what Granary needs: ${missing.join('; ')}.`);
}
