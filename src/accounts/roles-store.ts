import type { Db } from '../engine/db.ts';
import { sql } from '../engine/sql.ts';
import { keyOf } from './names.ts';
import type { Role } from './role.ts';

/** A role on a database, or on all of them with `*`. */
export interface Grant {
  readonly database: string;
  readonly role: Role;
}

/** Grants a login a role, replacing the one it had there. */
export async function setRole(db: Db, name: string, { database, role }: Grant): Promise<void> {
  await db.run(sql`
    insert into login_roles (login_key, database_key, database_name, role)
    values (${keyOf(name)}, ${keyOf(database)}, ${database}, ${role})
    on conflict (login_key, database_key) do update set role = excluded.role`);
}

/** Revokes all roles on a dropped database, so that a later one of that name starts without any. */
export async function dropRoles(db: Db, database: string): Promise<void> {
  await db.run(sql`delete from login_roles where database_key = ${keyOf(database)}`);
}
