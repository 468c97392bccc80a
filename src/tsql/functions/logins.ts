import { fold } from '../../base/collation.ts';
import type { LoginEntry } from '../../procedure/server-view.ts';
import { principalIdOf, sidOfLogin } from '../../procedure/sid.ts';
import * as t from '../../tds/types/index.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { seeingNulls } from './define.ts';

type Login = Pick<LoginEntry, 'name' | 'sid'>;

/** The logins that the session may know of: sa, its own, and those that the server shows it. */
const loginsOf = ({ frame, known }: Context): readonly Login[] => [
  { name: 'sa', sid: null },
  ...known.logins,
  { name: frame.host.identity.login, sid: null },
];

/** What is asked of the login that an argument stands for: without one of the session's own, and NULL of nobody. */
const about = (
  args: string,
  type: t.AnyType,
  isIt: (login: Login, given: unknown) => boolean,
  tell: (login: Login) => unknown,
): FunctionSpec =>
  seeingNulls(args, type, ([given], context) => {
    const all = loginsOf(context);
    const found = given === undefined ? all.at(-1) : all.find((login) => given !== null && isIt(login, given));
    return found === undefined ? null : tell(found);
  });

const isCalled = ({ name }: Login, given: unknown): boolean => fold(name) === fold(String(given));
const hasNumber = ({ name }: Login, given: unknown): boolean => principalIdOf(name) === given;
const hasSid = (login: Login, given: unknown): boolean =>
  given instanceof Uint8Array && Buffer.compare(sidOfLogin(login), given) === 0;
const nameOf = ({ name }: Login): string => name;

/** The functions that need the list of logins. */
export const loginFunctions: Readonly<Record<string, FunctionSpec>> = {
  SUSER_SNAME: about('binary?', t.nvarchar(128), hasSid, nameOf),
  SUSER_NAME: about('int?', t.nvarchar(128), hasNumber, nameOf),
  SUSER_ID: about('text?', t.int, isCalled, ({ name }) => principalIdOf(name)),
  SUSER_SID: about('text?, int?', t.varbinary(85), isCalled, sidOfLogin),
};
