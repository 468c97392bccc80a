/** The crawler: the roles of MS-SQLPGAT2 3.2.5 as services over the typed client. */
export { Administration, type CrawlKind, type CrawlState } from './administration.ts';
export { type ComponentOptions, CrawlComponent } from './component/crawl-component.ts';
export type { Fetcher } from './component/fetcher.ts';
export { Master, type MasterOptions } from './master/master.ts';
export type { Unvisited } from './master/unvisited.ts';
export { IndexMerger } from './merge/index-merger.ts';
export { defaultRules, type SourceRules, WrongRules } from './rules/source-rules.ts';
export { ScopeCompiler } from './scopes/scope-compiler.ts';
export { pauseLevel, pauseReason, StatusRequests } from './status-requests.ts';
export type { KeptDocument } from './store/property-records.ts';
export type { ContentSource } from './store/source-book.ts';
export type { TextIndex } from './store/text-index.ts';
