import type { RobotTags } from '../rules/robot-tags.ts';

/** What is known of a document from the previous visit, to ask whether it has changed. */
export interface Known {
  readonly etag?: string | undefined;
  /** The Last-Modified header as received. */
  readonly lastModified?: string | undefined;
}

/** A document as it was fetched. */
export interface Content extends Known {
  readonly what: 'content';
  readonly body: Uint8Array;
  /** The media type, in lower case and without parameters. */
  readonly mediaType: string;
  readonly charset: string | undefined;
  /** When it was last modified, in milliseconds, if known. */
  readonly modified: number | undefined;
  readonly tags: RobotTags;
}

/** An entry of a folder. */
export interface Entry {
  readonly url: string;
  readonly name: string;
  readonly isFolder: boolean;
  readonly modified: number;
}

/** The result of requesting a URL. */
export type Fetched =
  | Content
  | { readonly what: 'notModified' }
  | { readonly what: 'redirect'; readonly to: string }
  | { readonly what: 'folder'; readonly entries: readonly Entry[]; readonly modified: number };
