import { byName } from '../../base/by-name.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';
import { versionParts } from '../login/reported-version.ts';

const name = nvarchar(128);
const text = (value: string | null): TypedValue => ({ type: name, value });
const number = (value: number): TypedValue => ({ type: int, value });

/** SERVERPROPERTY's answers by lower-case property; a name that is not here is not known. */
const properties: Readonly<Record<string, (server: ServerView) => TypedValue>> = byName({
  buildclrversion: () => text('v4.0.30319'),
  collation: () => text('Latin1_General_CI_AS_KS_WS'),
  // The style's bits over the number of Latin1_General: 0xd008 for CI_AS, whose style leaves out kana and width too.
  collationid: () => number(0x1008),
  comparisonstyle: () => number(1),
  computernamephysicalnetbios: (server) => text(machine(server)),
  edition: () => text('Standard Edition (64-bit)'),
  editionid: () => number(-1534726760),
  engineedition: () => number(2),
  hadrmanagerstatus: () => number(2),
  instancename: () => text(null),
  isadvancedanalyticsinstalled: () => number(0),
  isclustered: () => number(0),
  isfulltextinstalled: () => number(0),
  ishadrenabled: () => number(0),
  isintegratedsecurityonly: () => number(0),
  islocaldb: () => number(0),
  ispolybaseinstalled: () => number(0),
  issingleuser: () => number(0),
  isxtpsupported: () => number(0),
  lcid: () => number(1033),
  licensetype: () => text('DISABLED'),
  machinename: (server) => text(machine(server)),
  processid: () => number(process.pid),
  productbuild: (server) => text(String(versionParts(server.version).build)),
  productbuildtype: () => text(null),
  productlevel: () => text('RTM'),
  productmajorversion: (server) => text(String(versionParts(server.version).major)),
  productminorversion: (server) => text(String(versionParts(server.version).minor)),
  productupdatelevel: () => text(null),
  productversion: (server) => text(server.version),
  resourceversion: (server) => text(server.version),
  servername: (server) => text(server.name),
  sqlcharset: () => ({ type: int, value: 1 }),
  sqlcharsetname: () => text('iso_1'),
  sqlsortorder: () => ({ type: int, value: 0 }),
  sqlsortordername: () => text('bin_ascii_8'),
});

const machine = (server: ServerView): string => server.name.split('\\')[0] ?? server.name;

/** What SERVERPROPERTY answers, or undefined for a property that is not known. */
export const serverProperty = (server: ServerView, property: string): TypedValue | undefined =>
  properties[property.trim().toLowerCase()]?.(server);
