import { longestUrl, shownOfUrl, spelledUrl } from '../../workers/crawl/url/normal-url.ts';
import { type Known, storyOf } from '../../workers/crawl/url-story.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';

export const why: Command = {
  name: 'crawl why',
  args: ['URL'],
  summary: 'Shows everything known about a URL: its history, links to it, errors, when it would be deleted.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const url = spelledUrl(invocation.args[0] ?? '');
      if (url === undefined) throw new UsageError(`'${invocation.args[0]}' is not a URL that can be crawled.`);
      const known = await storyOf(admin, url);
      const text = invocation.flags.has('json') ? `${JSON.stringify(known)}\n` : known.map(told).join('\n');
      invocation.world.stdout.write(
        known.length === 0 && !invocation.flags.has('json')
          ? `Nothing is known about ${url}, and no content source has its host.\n`
          : text,
      );
    }),
};

function told(known: Known): string {
  const { url, source, isInRules, title, visited, crawl, isFound, isBeingDeleted, error, deletedAfter } = known;
  const shown = known.isTooLong ? `${url.slice(0, shownOfUrl)}…` : url;
  const lines = [shown, `  content source ${source}${isInRules ? '' : ', whose rules now exclude it'}`];
  if (crawl === undefined) {
    lines.push(`  ${neverReached(known)}`, ...linkedFrom(known));
    return `${lines.join('\n')}\n`;
  }
  lines.push(
    `  ${title ? `“${title}”, ` : ''}${visited == null ? 'found' : `last visited ${visited.toISOString()}`} by crawl ${crawl}`,
  );
  const because = known.because === undefined ? '' : `: ${known.because}`;
  lines.push(
    `  ${isFound ? 'can be found' : `cannot be found${because}`}${isBeingDeleted ? ', is being deleted' : ''}`,
  );
  for (const queued of known.queuedIn ?? []) lines.push(`  waiting in the queue of crawl ${queued}`);
  if (error !== undefined) {
    const since = error.since === null ? '' : ` since ${error.since.toISOString()}`;
    lines.push(
      `  ${error.cause}, ${error.times} ${error.times === 1 ? 'time' : 'times'}${since}${error.description ? `: ${error.description}` : ''}`,
    );
  }
  const { warning } = known;
  if (warning !== undefined)
    lines.push(`  warning: ${warning.cause}${warning.description ? `: ${warning.description}` : ''}`);
  if (deletedAfter !== undefined) {
    const { moreErrors, notBefore } = deletedAfter;
    const when = notBefore === null ? '' : `, not before ${notBefore.toISOString()}`;
    lines.push(`  will be deleted after ${moreErrors} more such errors${when}`);
  }
  if (known.because !== undefined) for (const link of known.linksTo ?? []) lines.push(`  leads to ${link.url}`);
  lines.push(...linkedFrom(known));
  return `${lines.join('\n')}\n`;
}

function neverReached({ isTooLong, wasDeleted }: Known): string {
  if (isTooLong) return `is longer than the ${longestUrl} characters allowed for a URL, and is never crawled`;
  return wasDeleted
    ? 'was found but not kept: it did not exist, access was denied, a rule or robots.txt excluded it, or a crawl deleted it'
    : 'has never been reached';
}

const linkedFrom = ({ linkedFrom: links = [] }: Known): string[] =>
  links.map(({ url, text }) => `  linked from ${url}${text ? ` as “${text}”` : ''}`);
