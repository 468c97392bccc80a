import { nullable, required } from '../../../procedure/param.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';

const component = [nvarchar(100), 'The search component (3.1.1.39).'] as const;
const project = [nvarchar(100), 'Portal_Content or AnchorProject.'] as const;

/** The parameters that several procedures of status changes have; the new ones are those of a record that is added. */
export const ComponentName = nullable(...component);
export const ProjectName = nullable(...project);
export const NewComponentName = required(...component);
export const NewProjectName = required(...project);
export const Level = nullable(int, '1 for master merges, 2 for crawls.');
