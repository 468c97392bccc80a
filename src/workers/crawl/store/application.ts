import { createHash } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import { project } from '../../../protocols/search/crawls/crawl-status.ts';
import { nvarchar } from '../../../tds/types/index.ts';

/** The projects by their names (2.2.1.19); the Foundation role has no anchor crawls. */
export const projects = [
  { id: project.portalContent, name: 'Portal_Content' },
  { id: project.anchor, name: 'AnchorProject' },
] as const;

/**
 * The identifier of the search application, of which the names of its components begin: made of the name of its
 * database.
 */
export async function applicationOf(admin: Client): Promise<string> {
  const [row] = await admin.select({ name: nvarchar(128) }, 'select db_name() as name', {}, { idempotent: true });
  const digest = createHash('sha256').update(`granary search application ${row?.name}`).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The name of a crawl component (3.1.1.39). */
export const crawlComponentName = (application: string, number: number): string => `${application}-crawl-${number}`;

/** The name under which the full-text index catalog of a component is asked for something (3.2.5.8). */
export const indexerName = (component: string, projectName: string): string => `${component}/${projectName}/indexer`;

/** The command that asks an indexer for a master merge (3.2.5.8). */
export const mergeRequest = 'request master merge';
