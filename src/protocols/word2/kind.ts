import type { Kind } from '../../procedure/kind.ts';
import { jobRelations } from '../jobs/relations.ts';
import { jobRules } from '../jobs/rules.ts';
import { jobSchema } from '../jobs/schema.ts';
import { jobTallies } from '../jobs/tallies.ts';
import { tryItemsAgain } from '../jobs/try-items-again.ts';
import { jobUpkeep } from '../jobs/upkeep.ts';
import { wordClaims } from '../word/claims.ts';
import { word } from '../word/kind.ts';
import { asInVersion1 } from './as-in-version-1.ts';
import { jobsExpire } from './jobs-expire.ts';

/** Document-conversion jobs of 2013 (MS-WORDSSP2), in the tables of version 1. */
export const word2: Kind = {
  name: 'word2',
  firstDatabase: 'WordAutomationServices',
  procedures: [...asInVersion1(word.procedures), jobsExpire, ...Object.values(wordClaims), tryItemsAgain],
  relations: jobRelations,
  schema: jobSchema('word2', new URL('../word/migrations/', import.meta.url)),
  upkeep: jobUpkeep,
  rules: jobRules,
  tallies: jobTallies,
};
