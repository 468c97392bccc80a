import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { stalePages } from './docs.ts';
import { projectFiles, root } from './source-files.ts';

/** Paths that pages name: in backticks from the root of the project or by their last part alone, in links from the page. */
const inBackticks = /`((?:src|test|docs|scripts|bench|bin|examples|\.ci)\/[\w./*-]*|[A-Z]+\.md|package\.json)`/g;
const byLastPart = /`([\w./-]+\.(?:ts|js|sql))`/g;
const inLinks = /\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g;

/** What is there: paths from the root of the project, and what the path of a source ends with. */
interface Project {
  exists(path: string): boolean;
  hasSource(ending: string): boolean;
}

/** The paths that a page names and that are not there. */
export function missingPaths(page: string, text: string, { exists, hasSource }: Project): string[] {
  const named = [...text.matchAll(inBackticks)].map(([, path = '']) => path).filter((path) => !path.includes('*'));
  const linked = [...text.matchAll(inLinks)].map(([, path = '']) => posix.join(posix.dirname(page), path));
  const sources = [...text.matchAll(byLastPart)].map(([, path = '']) => path);
  const missing = [
    ...[...named, ...linked].filter((path) => !exists(path)),
    ...sources.filter((path) => !hasSource(path)),
  ];
  return [...new Set(missing)];
}

/** The project as it is in its folder. */
function projectHere(): Project {
  const sources = projectFiles('{bin,src,test,scripts,bench,examples}/**/*.{ts,js,sql}');
  return {
    exists: (path) => existsSync(`${root}/${path}`),
    hasSource: (ending) => sources.some((path) => `/${path}`.endsWith(`/${ending}`)),
  };
}

if (import.meta.main) {
  const pages = projectFiles('*.md', 'docs/**/*.md');
  const project = projectHere();
  const faults = pages.flatMap((page) =>
    missingPaths(page, readFileSync(`${root}/${page}`, 'utf8'), project).map(
      (path) => `${page} names ${path}, which is not there`,
    ),
  );
  const stale = stalePages().map((page) => `${page} is out of date: npm run docs makes it anew`);
  for (const line of [...faults, ...stale]) console.log(line);
  console.log(`${pages.length} pages, ${faults.length + stale.length} faults`);
  process.exitCode = faults.length + stale.length > 0 ? 1 : 0;
}
