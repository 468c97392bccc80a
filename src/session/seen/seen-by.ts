import { fold } from '../../base/text/collation.ts';
import { everyDatabase } from '../../engine/names.ts';
import type { LoginEntry, ServerView } from '../../procedure/server-view.ts';
import type { Identity } from '../../tsql/host.ts';

/**
 * The server as a login sees it. An administrator sees everything; anyone else sees their own sessions and login, and
 * who has a role on a database that they administer.
 */
export function seenBy(view: ServerView, { through, spid, isAdministrator }: Identity): ServerView {
  if (isAdministrator) return view;
  return {
    name: view.name,
    version: view.version,
    started: view.started,
    isPartial: true,
    threads: view.threads,
    administration: view.administration,
    locks: view.locks,
    databases: () => view.databases(),
    sizes: () => view.sizes(),
    kind: (name) => view.kind(name),
    endSession: (number) => view.endSession(number),
    sessions: () => view.sessions().filter((session) => session.spid === spid),
    waits: async () => (await view.waits()).filter((wait) => wait.spid === spid),
    lockEntries: () => view.lockEntries().filter(({ owner }) => owner.spid === spid),
    logins: async () => visible(await view.logins(), through),
  };
}

function visible(logins: readonly LoginEntry[], through: readonly string[]): LoginEntry[] {
  const viewers = new Set(through.map(fold));
  const isSelf = ({ name }: LoginEntry) => viewers.has(fold(name));
  const own = logins.filter(isSelf).flatMap(({ roles }) => roles);
  const administered = new Set(own.filter(({ role }) => role === 'admin').map(({ database }) => fold(database)));
  return logins.flatMap((entry) => {
    if (isSelf(entry)) return [entry];
    const roles = entry.roles.filter(({ database }) => database !== everyDatabase && administered.has(fold(database)));
    return roles.length === 0 ? [] : [{ ...entry, roles }];
  });
}
