import type { RobotTags } from '../rules/robot-tags.ts';

/** A link of a document. */
export interface FoundLink {
  /** The URL in its one spelling. */
  readonly url: string;
  /** What is written on it. */
  readonly text: string;
}

/** What a reader is asked to read. */
export interface ReadRequest {
  readonly url: string;
  readonly mediaType: string;
  readonly charset: string | undefined;
  readonly body: Uint8Array;
  /** The name of the robot, for pages that address it. */
  readonly robot: string;
}

/** The contents of a document; those of an unsupported type are empty. */
export interface Reading {
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly description: string;
  readonly keywords: string;
  /** The language as the document names it, or nothing. */
  readonly language: string;
  readonly links: readonly FoundLink[];
  readonly tags: RobotTags;
}

export const nothingRead: Reading = {
  title: '',
  text: '',
  author: '',
  description: '',
  keywords: '',
  language: '',
  links: [],
  tags: { noIndex: false, noFollow: false },
};

/** How much of a document is kept; links that are too long are reported and not followed. */
export const most = { text: 1_000_000, links: 250_000, tooLong: 100, words: 1500 } as const;

/** A text as databases keep it: without U+0000, which means nothing, and halves of surrogate pairs. */
const keepable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A text on one line, and no longer than the columns that hold such texts. */
export const oneLine = (text: string, length: number = most.words): string =>
  keepable(
    text
      .replace(/[\s\0]+/g, ' ')
      .trim()
      .slice(0, length),
  );

/** Gathers text up to the most that is kept. */
export class Gathered {
  readonly #pieces: string[] = [];
  #length = 0;

  add(piece: string): void {
    if (this.#length >= most.text) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  toString(): string {
    const text = keepable(this.#pieces.join('').slice(0, most.text));
    return text
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n[\n ]*/g, '\n')
      .trim();
  }
}
