import { sqlError } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { areInts } from './are-ints.ts';

const count = (of: string) => nullable(int, `How many more ${of}.`);

const counters = {
  successes: int,
  warnings: int,
  errors: int,
  deletes: int,
  notModified: int,
  securityOnly: int,
  securityOnlyErrors: int,
  highErrors: int,
  retries: int,
};

/** The amount to add to a counter: 0 for NULL and for negative numbers. */
const more = (value: number | null): number => Math.max(0, value ?? 0);

export const updateCrawlStatistics = procedure({
  name: 'proc_MSS_UpdateCrawlStatistics',
  section: 'MS-SQLPGAT2 3.1.5.87',
  summary: 'Adds to the counters of a component in a crawl.',
  access: 'write',
  params: {
    ComponentID: nullable(int, 'The crawl component.'),
    CrawlID: nullable(int, 'The crawl.'),
    SuccessCount: count('successes'),
    WarningCount: count('warnings'),
    ErrorCount: count('errors'),
    DeleteCount: count('deletions'),
    NotModifiedCount: count('items that were not modified'),
    SecurityOnlyCount: count('items whose security alone was updated'),
    SecurityOnlyErrorCount: count('errors of such updates'),
    LevelHighErrorCount: count('errors of the most important items'),
    RetryCount: count('retries'),
  },
  outcomes: done,
  async handle({ db }, input) {
    const counted = await db.first(
      counters,
      sql`
      update crawl_component_status set
        success_count = success_count + ${more(input.SuccessCount)},
        warning_count = warning_count + ${more(input.WarningCount)},
        error_count = error_count + ${more(input.ErrorCount)},
        delete_count = delete_count + ${more(input.DeleteCount)},
        not_modified_count = not_modified_count + ${more(input.NotModifiedCount)},
        security_only_count = security_only_count + ${more(input.SecurityOnlyCount)},
        security_only_error_count = security_only_error_count + ${more(input.SecurityOnlyErrorCount)},
        level_high_error_count = level_high_error_count + ${more(input.LevelHighErrorCount)},
        retry_count = retry_count + ${more(input.RetryCount)}
      where crawl_id = ${input.CrawlID} and component_id = ${input.ComponentID}
      returning success_count as "successes", warning_count as "warnings", error_count as "errors",
        delete_count as "deletes", not_modified_count as "notModified", security_only_count as "securityOnly",
        security_only_error_count as "securityOnlyErrors", level_high_error_count as "highErrors",
        retry_count as "retries"`,
    );
    if (counted && !areInts(counted)) throw sqlError(8115, 'expression', 'int');
    return { outcome: 'done' };
  },
});
