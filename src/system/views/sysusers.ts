import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { LoginEntry } from '../../procedure/server-view.ts';
import { administratorSid } from '../../procedure/sid.ts';
import { datetime, int, smallint, varbinary, varchar } from '../../tds/types/index.ts';
import { created } from '../catalog.ts';
import { sysname } from '../names.ts';
import { databaseRoles, sidOfLogin, usersOf } from '../principals.ts';
import { view } from './view.ts';

const columns = {
  uid: orNull(smallint),
  status: orNull(smallint),
  name: sysname,
  sid: orNull(varbinary(85)),
  roles: orNull(varbinary(2048)),
  createdate: datetime,
  updatedate: datetime,
  altuid: orNull(smallint),
  password: orNull(varbinary(256)),
  gid: orNull(smallint),
  environ: orNull(varchar(255)),
  hasdbaccess: orNull(int),
  islogin: orNull(int),
  isntname: int,
  isntgroup: int,
  isntuser: int,
  issqluser: orNull(int),
  isaliased: orNull(int),
  issqlrole: orNull(int),
  isapprole: orNull(int),
} satisfies Columns;

interface User {
  readonly name: string;
  /** NULL where the number is too great for this old view, as in SQL Server. */
  readonly uid: number | null;
  readonly sid: Uint8Array | null;
  readonly since: Date;
  readonly access: boolean;
  readonly role: boolean;
  readonly kind?: LoginEntry['kind'];
}

const rowOf = ({ name, uid, sid, since, access, role, kind = 'sql' }: User): Row<typeof columns> => ({
  uid,
  status: 0,
  name,
  sid,
  roles: null,
  createdate: since,
  updatedate: since,
  altuid: role ? 1 : null,
  password: null,
  gid: role ? uid : 0,
  environ: null,
  hasdbaccess: Number(access),
  islogin: Number(!role),
  isntname: Number(kind !== 'sql'),
  isntgroup: Number(kind === 'group'),
  isntuser: Number(kind === 'user'),
  issqluser: Number(!role && kind === 'sql'),
  isaliased: 0,
  issqlrole: Number(role),
  isapprole: 0,
});

/** The users and roles of the database, as SQL Server 2000 listed them. */
export const sysusers = view('sys', 'sysusers', columns, async (call) => {
  const since = await created(call);
  const builtIn: readonly User[] = [
    { name: 'public', uid: 0, sid: null, since, access: false, role: true },
    { name: 'dbo', uid: 1, sid: administratorSid, since, access: true, role: false },
    { name: 'guest', uid: 2, sid: Uint8Array.of(0), since, access: false, role: false },
    { name: 'INFORMATION_SCHEMA', uid: 3, sid: null, since, access: false, role: false },
    { name: 'sys', uid: 4, sid: null, since, access: false, role: false },
    ...databaseRoles.map(({ name, id }) => ({ name, uid: id, sid: null, since, access: false, role: true })),
  ];
  const users = (await usersOf(call)).map((user) => ({
    name: user.name,
    uid: null,
    sid: sidOfLogin(user),
    since: user.created,
    kind: user.kind,
    access: true,
    role: false,
  }));
  return [...builtIn, ...users].map(rowOf);
});
