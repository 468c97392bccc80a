import { fold } from '../../base/text/collation.ts';
import type { LoginEntry } from '../../procedure/server-view.ts';
import { principalIdOf, sidOfLogin } from '../../procedure/sid.ts';
import * as t from '../../tds/types/index.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { seeingNulls } from './define.ts';

type Login = Pick<LoginEntry, 'name' | 'sid'>;

/** The logins that are visible to the session: sa, its own, and those that the server shows it. */
const loginsOf = ({ frame, known }: Context): readonly Login[] => [
  { name: 'sa', sid: null },
  ...known.logins,
  { name: frame.host.identity.login, sid: null },
];

/**
 * A function of the login that an argument identifies: of the session's own without an argument, and NULL if there is
 * none.
 */
const about = (
  args: string,
  type: t.AnyType,
  isIt: (given: unknown) => (login: Login) => boolean,
  tell: (login: Login) => unknown,
): FunctionSpec =>
  seeingNulls(args, type, ([given], context) => {
    const all = loginsOf(context);
    const found = given === undefined ? all.at(-1) : given === null ? undefined : all.find(isIt(given));
    return found === undefined ? null : tell(found);
  });

function isCalled(given: unknown): (login: Login) => boolean {
  const wanted = fold(String(given));
  return ({ name }) => fold(name) === wanted;
}
const hasNumber =
  (given: unknown) =>
  ({ name }: Login): boolean =>
    principalIdOf(name) === given;
const hasSid =
  (given: unknown) =>
  (login: Login): boolean =>
    given instanceof Uint8Array && Buffer.compare(sidOfLogin(login), given) === 0;
const nameOf = ({ name }: Login): string => name;

/** The functions that need the list of logins. */
export const loginFunctions: Readonly<Record<string, FunctionSpec>> = {
  SUSER_SNAME: about('binary?', t.nvarchar(128), hasSid, nameOf),
  SUSER_NAME: about('int?', t.nvarchar(128), hasNumber, nameOf),
  SUSER_ID: about('name?', t.int, isCalled, ({ name }) => principalIdOf(name)),
  SUSER_SID: about('name?, int?', t.varbinary(85), isCalled, sidOfLogin),
};
