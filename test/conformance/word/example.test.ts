import { forEachEngine } from '../../support/engines.ts';
import { exampleRuns } from '../jobs/example.ts';
import { JobsFixture } from '../jobs/fixture.ts';
import { wordProtocol } from '../jobs/protocols.ts';
import { wordExample } from './example.ts';

forEachEngine((engine) => {
  exampleRuns(new JobsFixture(engine, wordProtocol), wordExample('MS-WORDSSP 4.1'));
});
