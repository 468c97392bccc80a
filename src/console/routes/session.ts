import { sqlError } from '../../base/messages/sql-error.ts';
import { loginItself, type Vouched } from '../../base/vouched.ts';
import { type Answering, type Asked, answer, type ConsoleRole } from '../answer.ts';
import { logIn, logInWithWindows, logOut, waysToLogIn, whoAmI } from '../api/session.ts';
import { whoHas } from '../check-password.ts';
import { refused } from '../refusal.ts';
import { roleOf } from '../role-of.ts';
import type { Visit } from '../visits.ts';

/** Logging in and out. */
export const sessionRoutes: readonly Answering[] = [
  answer(logIn, async ({ body, server, door }) => {
    const { login: name, password, newPassword } = body;
    const principal = await whoHas(server, name, password, door.address);
    if (principal === undefined) {
      server.log.warn('login refused', { login: name, address: door.address, number: 18456, console: true });
      throw refused(401, sqlError(18456, name).message);
    }
    if (newPassword !== undefined) await server.accounts.setPassword(principal.login, newPassword);
    else if (principal.mustChangePassword) throw sqlError(18488, name);
    return entered(server, door, loginItself(principal.login));
  }),
  answer(logInWithWindows, async ({ server, door }) => entered(server, door, await door.negotiate())),
  answer(waysToLogIn, async ({ server: { windows } }) => ({ windows: windows?.hasKerberos === true })),
  answer(whoAmI, async ({ server, door, login, role }) => ({
    ...told(server, door, role, door.visit),
    login,
  })),
  answer(logOut, async ({ door }) => {
    await door.leave();
    return { ended: true };
  }),
];

async function entered(server: Asked['server'], door: Asked['door'], who: Vouched) {
  const visit = await door.enter(who);
  return told(server, door, (await roleOf(server, who)) ?? 'none', visit);
}

function told(server: Asked['server'], door: Asked['door'], role: ConsoleRole, visit: Visit | undefined) {
  const { view, release, engine } = server;
  const ends = visit === undefined ? server.clock.now() : door.ends(visit);
  const of = { login: visit?.who.login ?? '', csrf: visit?.csrf ?? '', expires: ends.toISOString() };
  return { ...of, role, server: view.name, release, engine };
}
