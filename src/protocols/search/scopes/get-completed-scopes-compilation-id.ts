import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { componentType } from '../status-changes/component-type.ts';
import { scopesSystem } from './scopes-system.ts';

export const getCompletedScopesCompilationId = procedure({
  name: 'proc_MSS_GetCompletedScopesCompilationId',
  section: 'MS-SQLPGAT2 3.1.5.18',
  summary: 'Returns the latest scope compilation that a kind of component has completed.',
  access: 'read',
  params: {
    ComponentRole: nullable(int, 'What the component is: 0 administration, 1 query, 2 crawl, 3 standalone.'),
    CompilationID: output(int, 'Set to the identifier of the compilation.'),
  },
  outcomes: { done: { code: 0, meaning: 'The identifier is in @CompilationID.' } },
  async handle({ db }, { ComponentRole }) {
    const { compilationChangeId, lastCompilationId } = await scopesSystem(db);
    const CompilationID = ComponentRole === componentType.crawl ? compilationChangeId : lastCompilationId;
    return { outcome: 'done', output: { CompilationID } };
  },
});
