import { availableParallelism, totalmem } from 'node:os';
import { fold } from '../../base/text/collation.ts';
import { orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import { int, nvarchar, smallint } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';

/** The first two numbers of a version in one, as Windows packs them. */
function packed(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 65_536 + minor;
}

const megabyte = 2 ** 20;

function attributes({ version }: ServerView): readonly (readonly [string, number | null, string | null])[] {
  const processors = availableParallelism();
  const memory = Math.floor(totalmem() / megabyte);
  return [
    ['ProductName', null, 'Microsoft SQL Server'],
    ['ProductVersion', packed(version), version],
    ['Language', 1033, 'English (United States)'],
    ['Platform', null, `${process.platform} ${process.arch}`],
    ['Comments', null, 'Granary'],
    ['FileVersion', null, version],
    ['InternalName', null, 'GRANARY'],
    ['ProcessorCount', processors, String(processors)],
    ['PhysicalMemory', memory, `${memory} (${totalmem()})`],
  ];
}

/** xp_msver: what the server and its machine are. */
export const xpMsver = systemProcedure({
  name: 'xp_msver',
  section: systemSection,
  summary: 'Lists what the server and its machine are.',
  access: 'none',
  params: { optname: optional(sysname, null, 'One attribute; without it, all.') },
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: {
        attributes: {
          Index: smallint,
          Name: nvarchar(64),
          Internal_Value: orNull(int),
          Character_Value: orNull(nvarchar(255)),
        },
      },
    },
  },
  handle({ server }, { optname }) {
    const rows = attributes(server).map(([name, number, text], at) => ({
      Index: at + 1,
      Name: name,
      Internal_Value: number,
      Character_Value: text,
    }));
    const isWanted = (name: string) => optname === null || fold(name) === fold(optname);
    return { outcome: 'listed', sets: { attributes: rows.filter(({ Name }) => isWanted(Name)) } };
  },
});
