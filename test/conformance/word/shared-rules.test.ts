import { forEachEngine } from '../../support/engines.ts';
import { addingRules } from '../jobs/adding-rules.ts';
import { JobsFixture } from '../jobs/fixture.ts';
import { listingRules } from '../jobs/listing-rules.ts';
import { wordProtocol } from '../jobs/protocols.ts';
import { workingRules } from '../jobs/working-rules.ts';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, wordProtocol);
  addingRules(fixture);
  listingRules(fixture);
  workingRules(fixture);
});
