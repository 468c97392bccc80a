import { procedure } from '../../../../procedure/declare.ts';
import { optionalOutput, required } from '../../../../procedure/param.ts';
import { int, nvarchar } from '../../../../tds/types/index.ts';
import { done } from '../../outcomes.ts';
import { addContentSource as add } from '../content-sources.ts';
import { readList } from './json-list.ts';

export const addContentSource = procedure({
  name: 'AddContentSource',
  schema: 'granary',
  section: 'Granary',
  summary: 'Adds a content source that is crawled from one or more URLs.',
  access: 'serial',
  reservedFor: 'databaseAdmin',
  params: {
    Name: required(nvarchar(256), 'Its name.'),
    StartAddresses: required(nvarchar('max'), 'Where crawls start: a JSON array of URLs.'),
    ContentSourceID: optionalOutput(int, 'Its identifier.'),
  },
  outcomes: done,
  async handle({ db }, { Name, StartAddresses }) {
    const id = await add(db, Name, readList('StartAddresses', StartAddresses));
    return { outcome: 'done', output: { ContentSourceID: id } };
  },
});
