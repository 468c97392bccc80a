import { sqlError } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { areInts } from './are-ints.ts';
import { crawlStatus, project } from './crawl-status.ts';

const counts = { SuccessCount: int, WarningCount: int, ErrorCount: int, DeleteCount: int, LevelHighErrorCount: int };

export const getContentSourceDocCount = procedure({
  name: 'proc_MSS_GetContentSourceDocCount',
  section: 'MS-SQLPGAT2 3.1.5.22',
  summary: 'Returns the statistics of the latest crawl of a content source, over all components.',
  access: 'read',
  params: {
    ContentSourceID: nullable(int, 'The content source.'),
    SuccessCount: output(int, 'How many items were crawled.'),
    WarningCount: output(int, 'How many with a warning.'),
    ErrorCount: output(int, 'How many with an error.'),
    DeleteCount: output(int, 'How many were deleted.'),
    LevelHighErrorCount: output(int, 'How many errors were of the most important items.'),
  },
  outcomes: done,
  async handle({ db }, { ContentSourceID }) {
    const row = await db.first(
      counts,
      sql`
        select coalesce(sum(success_count), 0) as "SuccessCount", coalesce(sum(warning_count), 0) as "WarningCount",
          coalesce(sum(error_count), 0) as "ErrorCount", coalesce(sum(delete_count), 0) as "DeleteCount",
          coalesce(sum(level_high_error_count), 0) as "LevelHighErrorCount"
        from crawl_component_status
        where crawl_id = (
          select max(crawl_id) from crawls
          where content_source_id = ${ContentSourceID} and project_id = ${project.portalContent}
            and status <> ${crawlStatus.forbid})`,
    );
    if (row && !areInts(row)) throw sqlError(8115, 'expression', 'int');
    return { outcome: 'done', ...(row && { output: row }) };
  },
});
