import type { Client } from '../../client/client.ts';
import { Administration } from '../../workers/crawl/administration.ts';
import type { Progress } from '../../workers/crawl/progress.ts';
import type { ContentSource } from '../../workers/crawl/store/source-book.ts';
import { crawlsUnderWay } from '../../workers/crawl/under-way.ts';
import { OperatorError } from '../errors.ts';
import { suggestion } from '../flags.ts';

/** The content source of that name or number. */
export async function sourceNamed(admin: Client, wanted: string): Promise<ContentSource> {
  const sources = await new Administration(admin).sources();
  const found =
    sources.find(({ name }) => name === wanted) ??
    sources.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    sources.find(({ id }) => String(id) === wanted);
  if (found !== undefined) return found;
  const names = sources.map(({ name }) => name);
  const known =
    names.length === 0
      ? 'There are none; add one with granary search source add.'
      : `The sources are ${names.join(', ')}.`;
  throw new OperatorError(`There is no content source '${wanted}'. ${known}${suggestion(wanted, names, '')}`);
}

/** The running crawls of a content source; there must be one. */
export async function ongoingCrawls(
  admin: Client,
  { id, name }: Pick<ContentSource, 'id' | 'name'>,
): Promise<readonly [Progress, ...Progress[]]> {
  const [last, ...others] = await crawlsUnderWay(admin, id);
  if (last !== undefined) return [last, ...others];
  throw new OperatorError(`No crawl of ${name} is running; start one with granary crawl start.`);
}
