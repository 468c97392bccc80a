import type { Page } from './page.ts';

/** The pages in the order of the navigation; the first is the start page. */
export const pages: readonly Page[] = [
  { path: '/overview', title: 'Overview', load: () => import('./overview/overview-page.ts') },
  { path: '/jobs', title: 'Jobs', load: () => import('./jobs/jobs-page.ts') },
  { path: '/configuration', title: 'Configuration', load: () => import('./configuration/configuration-page.ts') },
  { path: '/search', title: 'Search', load: () => import('./search/search-page.ts') },
  { path: '/wire', title: 'Wire', load: () => import('./wire/wire-page.ts') },
  { path: '/sessions', title: 'Sessions and logins', load: () => import('./sessions/sessions-page.ts') },
  { path: '/query', title: 'Query', load: () => import('./query/query-page.ts') },
];
