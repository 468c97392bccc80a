import { procedure } from '../../../../procedure/declare.ts';
import { optionalOutput, required } from '../../../../procedure/param.ts';
import { int, nvarchar } from '../../../../tds/types/index.ts';
import { done } from '../../outcomes.ts';
import { addScope as add } from '../../scopes/add-scope.ts';
import { readList } from './json-list.ts';

export const addScope = procedure({
  name: 'AddScope',
  schema: 'granary',
  section: 'Granary',
  summary: 'Adds a search scope: everything, or what is below some URLs. Components compile it at their next poll.',
  access: 'serial',
  reservedFor: 'databaseAdmin',
  params: {
    Name: required(nvarchar(256), 'Its name.'),
    Urls: required(
      nvarchar('max'),
      'The folders whose contents are in it: a JSON array of URLs; an empty one for everything.',
    ),
    ScopeID: optionalOutput(int, 'Its identifier.'),
  },
  outcomes: done,
  async handle({ db }, { Name, Urls }) {
    return { outcome: 'done', output: { ScopeID: await add(db, Name, readList('Urls', Urls)) } };
  },
});
