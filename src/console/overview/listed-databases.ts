import type { ServerView } from '../../procedure/server-view.ts';

/** The databases of the protocols with what they take on disk. */
export async function listedDatabases(view: ServerView) {
  const sizes = new Map((await view.sizes()).map((size) => [size.name, size]));
  const own = (await view.databases()).filter(({ kind }) => kind !== 'system');
  return own.map(({ name, kind, created, isSuspect = false }) => {
    const { bytes = 0, logBytes = 0 } = sizes.get(name) ?? {};
    return { name, kind, created: created.toISOString(), isSuspect, bytes, logBytes };
  });
}
