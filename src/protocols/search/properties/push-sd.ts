import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { output, required } from '../../../procedure/param.ts';
import { image, int } from '../../../tds/types/index.ts';

export const pushSD = procedure({
  name: 'proc_MSS_PushSD',
  section: 'MS-SQLPGAT2 3.1.5.67',
  summary: 'Stores a security descriptor under a new identifier.',
  access: 'write',
  params: {
    sd: required(image, 'The security descriptor.'),
    sdCheckSum: required(int, 'Its checksum, under which it is found.'),
    type: required(int, '1 for one in the format of MS-DTYP 2.4.6, otherwise 0.'),
    sdid: output(int, 'Set to the identifier.'),
  },
  outcomes: { stored: { code: 0, meaning: 'The descriptor is stored; its identifier is in @sdid.' } },
  async handle({ db }, { sd, sdCheckSum, type }) {
    if (type !== 0 && type !== 1) throw ruleBroken(`The type of a security descriptor is 0 or 1, not ${type}.`);
    const added = await db.first(
      { sdid: int },
      sql`
        insert into security_descriptors (sdid, checksum, type, descriptor)
        select coalesce(max(sdid), 0) + 1, ${sdCheckSum}, ${type}, ${sd} from security_descriptors
        returning sdid as "sdid"`,
    );
    if (added === undefined) throw new Error('an insert yielded no row');
    return { outcome: 'stored', output: { sdid: added.sdid } };
  },
});
