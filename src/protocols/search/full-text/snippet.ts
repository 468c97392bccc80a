import type { Query } from './query.ts';
import { ofProperty, placedWords } from './words.ts';

/** The approximate length of a snippet, in characters. */
const length = 200;
/** A longer text is not searched further: the words are most often near its beginning. */
const lookedThrough = 50_000;

interface Hit {
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

/** The part of a text with the most of the words searched for, marked with « and »; its beginning if none occurs. */
export function snippetOf(text: string, { all }: Query): string {
  const wanted = new Set<string>();
  const prefixes: string[] = [];
  for (const { words, isPrefix } of all) {
    for (const [at, word] of words.entries()) {
      const plain = word.slice(word.indexOf(ofProperty) + 1);
      if (isPrefix && at === words.length - 1) prefixes.push(plain);
      else wanted.add(plain);
    }
  }
  const looked = text.slice(0, lookedThrough);
  const hits: Hit[] = [];
  for (const { word, from, to } of placedWords(looked)) {
    const last = hits.at(-1);
    if (last?.from === from) continue;
    if (wanted.has(word) || prefixes.some((prefix) => word.startsWith(prefix))) hits.push({ word, from, to });
  }
  const begin = bestBeginning(hits);
  return shown(text, begin, hits);
}

/** The start of the window that contains the most different words. */
function bestBeginning(hits: readonly Hit[]): number {
  let best = { begin: 0, score: 0 };
  for (const [at, hit] of hits.entries()) {
    const within = hits.slice(at, at + 32).filter(({ to }) => to <= hit.from + length);
    const score = new Set(within.map(({ word }) => word)).size * 32 + within.length;
    if (score > best.score) best = { begin: hit.from, score };
  }
  return best.begin;
}

function shown(text: string, begin: number, hits: readonly Hit[]): string {
  const from = begin === 0 ? 0 : wordStart(text, Math.max(0, begin - 40));
  const end = wordStart(text, Math.min(text.length, from + length));
  let out = from > 0 ? '… ' : '';
  let at = from;
  for (const hit of hits) {
    if (hit.from < from || hit.to > end) continue;
    out += `${text.slice(at, hit.from)}«${text.slice(hit.from, hit.to)}»`;
    at = hit.to;
  }
  const whole = `${out}${text.slice(at, end)}${end < text.length ? ' …' : ''}`;
  return whole.replace(/\s+/g, ' ').replaceAll('» «', ' ').trim().toWellFormed();
}

/** The start of the word at a position, unless that is far. */
function wordStart(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const blank = text.lastIndexOf(' ', place);
  return blank >= 0 && place - blank < 30 ? blank + 1 : place;
}
