import { nullable } from '../../../procedure/param.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';

/** The parameters that several procedures of status changes have. */
export const ComponentName = nullable(nvarchar(100), 'The search component (3.1.1.39).');
export const ProjectName = nullable(nvarchar(100), 'Portal_Content or AnchorProject.');
export const Level = nullable(int, '1 for master merges, 2 for crawls.');
