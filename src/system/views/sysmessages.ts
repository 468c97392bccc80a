import { messages } from '../../base/messages.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { int, nvarchar, smallint, tinyint } from '../../tds/types/index.ts';
import { view } from './view.ts';

const columns = {
  error: int,
  severity: tinyint,
  dlevel: smallint,
  description: orNull(nvarchar(255)),
  msglangid: smallint,
} satisfies Columns;

const english = 1033;

/** The messages, as SQL Server 2000 listed them: the first 255 characters of each. */
export const sysmessages = view('sys', 'sysmessages', columns, () =>
  Object.entries(messages).map(([number, { severity, text }]) => ({
    error: Number(number),
    severity,
    dlevel: 0,
    description: text.slice(0, 255),
    msglangid: english,
  })),
);
