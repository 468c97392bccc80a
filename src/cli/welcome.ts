import { administrator } from '../accounts/accounts.ts';
import { hostAndPort } from '../base/host-and-port.ts';
import type { FirstStart, Granary } from '../main.ts';
import { declarations, type Settings } from './settings.ts';

/** The kind of database that the lines to try speak to. */
const exampleKind = 'translation';

/** What a newcomer needs after the first start: where, who, how, and what to try next. */
export async function welcome({ engine, settings, port }: Granary, { generatedPassword }: FirstStart): Promise<string> {
  const entries = await engine.list();
  const databases = entries.map(({ name }) => name);
  const database = (entries.find(({ kind }) => kind === exampleKind) ?? entries[0])?.name ?? 'master';
  const host = reachable(settings.host);
  const shown = generatedPassword ?? '<password>';
  const password =
    generatedPassword === undefined
      ? 'the one from your settings'
      : `${generatedPassword}   (shown only this once; change it with \`npx granary login password ${administrator}${placeOf(settings)}\`)`;
  // An operator's own certificate is to be verified; a self-signed one is unknown to every client.
  const [made, trust] = settings.tlsCert === undefined ? [', a certificate', ';TrustServerCertificate=True'] : ['', ''];
  return `
The first start of Granary on this data created ${databases.length} databases${made} and a login.

  address     ${hostAndPort(host, port)}
  login       ${administrator}
  password    ${password}
  databases   ${databases.join(', ')}
  connect     Server=${host},${port};Database=${database};User Id=${administrator};Password=${shown};Encrypt=True${trust}

Try it from another terminal, with FreeTDS:
  tsql -H ${host} -p ${port} -U ${administrator} -P '${shown}' -D ${database}
  1> exec dbo.proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0
  2> go
or with Node:
  GRANARY_PORT=${port} GRANARY_PASSWORD='${shown}' npx node examples/first-call.ts

`;
}

/** An address that a client on this machine can use: a wildcard is none. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

/** The flags that lead a command to this data. */
function placeOf({ engine, data }: Settings): string {
  if (engine !== 'sqlite') return ' --engine postgres://…';
  return data === declarations.data.default ? '' : ` --data ${forShell(data)}`;
}

/** A word as a shell must be given it: the folder may have spaces in its name. */
const forShell = (word: string): string => (/^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
