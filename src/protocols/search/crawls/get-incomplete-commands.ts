import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bigint, datetime, int, nvarchar } from '../../../tds/types/index.ts';

const command = {
  CommandID: bigint,
  ObjectName: nvarchar(1024),
  Description: nvarchar(3072),
  CreatedUtcTime: datetime,
  Completed: int,
  CompletedUtcTime: orNull(datetime),
};

export const getIncompleteCommands = procedure({
  name: 'proc_MSS_GetIncompleteCommands',
  section: 'MS-SQLPGAT2 3.1.5.39',
  summary: 'Lists the commands for an object that have not been executed.',
  access: 'read',
  params: { ObjectName: nullable(nvarchar(1024), 'The object.') },
  outcomes: { done: { code: 0, meaning: 'Completed.', sets: { commands: command } } },
  handle: ({ db }, { ObjectName }) => ({
    outcome: 'done',
    sets: {
      commands: db.rows(
        command,
        sql`
          select command_id as "CommandID", object_name as "ObjectName", description as "Description",
            created_time as "CreatedUtcTime", completed as "Completed", completed_time as "CompletedUtcTime"
          from commands where object_key = ${ObjectName === null ? null : fold(ObjectName)} and completed = 0
          order by command_id`,
      ),
    },
  }),
});
