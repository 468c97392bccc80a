import { config } from '../../src/protocols/config/kind.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { hostile, ids } from './sample-data.ts';

/** Where the pages of the sample data begin. */
export const jobs = `/jobs/${translation.firstDatabase}`;
export const configuration = `/configuration/${config.firstDatabase}`;
export const search = `/search/${searchAdmin.firstDatabase}`;

/** Every page of jobs, configuration and search, and a text that it shows once it has come to an end. */
export const shown: Readonly<Record<string, string>> = {
  [jobs]: hostile.markup,
  [`${jobs}?search=nothing+like+it`]: 'No matching jobs',
  [`${jobs}/1`]: hostile.markup,
  [`${jobs}/1/groups/1`]: hostile.scripts,
  [`${jobs}/limits`]: 'all partitions',
  [`${configuration}/objects`]: 'SharePoint Farm',
  [`${configuration}/objects?search=img`]: hostile.markup,
  [`${configuration}/objects/${ids.child}`]: hostile.markup,
  [`${configuration}/changes`]: hostile.scripts,
  [`${configuration}/files`]: hostile.markup,
  [`${configuration}/timer-jobs`]: 'Runs now',
  [`${configuration}/timer-history/${ids.child}`]: hostile.markup,
  [`${configuration}/sites`]: 'WSS_Content',
  [`${configuration}/sites/${ids.application}/${ids.content}`]: '/sites/Zażółć',
  [`${configuration}/products`]: 'Contoso Server',
  [`${search}/sources`]: 'http://contoso.example/',
  [`${search}/crawls`]: 'No crawls yet',
  [`${search}/find?text=gherkin`]: hostile.link,
  [`${search}/url?url=${encodeURIComponent('http://contoso.example/missing')}`]: hostile.scripts,
  [`${search}/errors/1`]: 'http://contoso.example/missing',
};
