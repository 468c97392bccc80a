import { cutText } from '../../tds/types/cut.ts';
import { nvarchar } from '../../tds/types/index.ts';
import type { SqlType } from '../../tds/types/sql-type.ts';

const most = 1500;
const text = nvarchar(most);

/**
 * A column of a result set that holds display URLs: a commit brings up to 4,000 characters of one. The engines count a
 * surrogate pair as one character, the column as two.
 */
export const shownText: SqlType<string> = { ...text, fromStore: (stored) => cutText(text.fromStore(stored), most) };
