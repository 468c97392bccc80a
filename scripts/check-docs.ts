import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { stalePages } from './docs.ts';
import { projectFiles, root } from './source-files.ts';

/** Paths that pages name: in backticks from the root of the project, in links from the page. */
const inBackticks = /`((?:src|test|docs|scripts|bench|bin|examples|\.ci)\/[\w./*-]*|[A-Z]+\.md|package\.json)`/g;
const inLinks = /\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g;

/** The paths that a page names and that are not there. */
export function missingPaths(page: string, text: string, exists: (path: string) => boolean): string[] {
  const named = [...text.matchAll(inBackticks)].map(([, path = '']) => path).filter((path) => !path.includes('*'));
  const linked = [...text.matchAll(inLinks)].map(([, path = '']) => posix.join(posix.dirname(page), path));
  return [...new Set([...named, ...linked])].filter((path) => !exists(path));
}

if (import.meta.main) {
  const pages = projectFiles('*.md', 'docs/**/*.md');
  const faults = pages.flatMap((page) =>
    missingPaths(page, readFileSync(`${root}/${page}`, 'utf8'), (path) => existsSync(`${root}/${path}`)).map(
      (path) => `${page} names ${path}, which is not there`,
    ),
  );
  const stale = stalePages().map((page) => `${page} is out of date: npm run docs makes it anew`);
  for (const line of [...faults, ...stale]) console.log(line);
  console.log(`${pages.length} pages, ${faults.length + stale.length} faults`);
  process.exitCode = faults.length + stale.length > 0 ? 1 : 0;
}
