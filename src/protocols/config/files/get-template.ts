import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { optional } from '../../../procedure/param.ts';
import { bigint, imageStream, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { fileBytes } from './chunks.ts';

const file = { Id: uniqueidentifier, Length: bigint };

export const getTemplate = procedure({
  name: 'proc_getTemplate',
  section: 'MS-WSSCFGD2 3.1.5.39',
  summary: 'Returns the contents of one site template, or of all.',
  access: 'read',
  params: {
    ObjId: optional(uniqueidentifier, null, 'The site template, or NULL for all.'),
    RequestGuid,
  },
  outcomes: {
    done: { code: 0, meaning: 'A row for each template.', sets: { Template: { FileImage: imageStream } } },
  },
  async handle({ db }, { ObjId }) {
    // Listed whole before the first is sent: while a file is on its way, its chunks are the query that is open.
    const files = await db.all(
      file,
      ObjId === null
        ? sql`select object_id as "Id", length as "Length" from files order by object_id`
        : sql`select object_id as "Id", length as "Length" from files where object_id = ${ObjId}`,
    );
    const rows = files.map(({ Id, Length }) => ({ FileImage: fileBytes(db, Id, Number(Length)) }));
    return { outcome: 'done', sets: { Template: rows } };
  },
});
