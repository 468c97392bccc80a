import type { Client } from '../../../client/client.ts';
import { Administration } from '../../../workers/crawl/administration.ts';
import { isOver, type Progress } from '../../../workers/crawl/progress.ts';
import type { ContentSource } from '../../../workers/crawl/store/source-book.ts';
import { crawlsUnderWay, heededBy, standsOf } from '../../../workers/crawl/under-way.ts';
import type { Crawl } from '../../api/search.ts';
import { notFound, refused } from '../../refusal.ts';
import { isoOf } from '../values.ts';

/** A crawl in the form of the interface. */
export function toldCrawl(progress: Progress, sources: readonly ContentSource[]): Crawl {
  const { crawl, source, status, subStatus: _subStatus, request, since, started, ended, ...rest } = progress;
  const name = sources.find(({ id }) => id === source)?.name ?? String(source);
  return {
    ...rest,
    id: crawl,
    source: { id: source, name },
    since: isoOf(since),
    started: isoOf(started),
    ended: isoOf(ended),
    asked: request === null || request === 'Start' ? null : request.toLowerCase(),
    heeds: heededBy(progress),
    isOver: isOver(status),
  };
}

/** The running crawl of a source, or the last one; that of its anchors only if no other is running. */
export function currentOf(crawls: readonly Progress[], source: number): Progress | undefined {
  const own = crawls.filter((crawl) => crawl.source === source);
  return (
    own.find(({ status, project }) => !isOver(status) && project !== 'Anchors') ??
    own.find(({ status }) => !isOver(status)) ??
    own.find(({ project }) => project !== 'Anchors')
  );
}

/** The content source of a number. */
export async function sourceOf(administration: Administration, id: number): Promise<ContentSource> {
  const found = (await administration.sources()).find((source) => source.id === id);
  if (found === undefined) throw notFound(`There is no content source ${id}.`);
  return found;
}

/** Sends a request to the running crawl of a source. */
export async function ask(
  admin: Client,
  source: number,
  what: 'pause' | 'resume' | 'stop' | 'delete unvisited',
): Promise<number> {
  const administration = new Administration(admin);
  const { name } = await sourceOf(administration, source);
  const crawls = await crawlsUnderWay(admin, source);
  const ongoing = crawls.find((crawl) => what === 'delete unvisited' || heededBy(crawl).includes(what)) ?? crawls[0];
  if (ongoing === undefined) throw refused(409, `No crawl of ${name} is going on.`);
  if (what !== 'delete unvisited') {
    if (!heededBy(ongoing).includes(what)) {
      throw refused(409, `Crawl ${ongoing.crawl} of ${name} (${standsOf(ongoing)}) cannot be told to ${what}.`);
    }
    await administration[what](source);
    return ongoing.crawl;
  }
  const unvisited = await administration.unvisited(ongoing.crawl);
  if (unvisited?.isHeld !== true) throw refused(409, `Crawl ${ongoing.crawl} does not wait to be allowed to delete.`);
  await administration.force(ongoing.crawl);
  return ongoing.crawl;
}
