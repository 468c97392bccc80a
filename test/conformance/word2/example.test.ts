import { forEachEngine } from '../../support/engines.ts';
import { exampleRuns } from '../jobs/example.ts';
import { JobsFixture } from '../jobs/fixture.ts';
import { word2Protocol } from '../jobs/protocols.ts';
import { wordExample } from '../word/example.ts';

forEachEngine((engine) => {
  exampleRuns(new JobsFixture(engine, word2Protocol), wordExample('MS-WORDSSP2 4.1'));
});
