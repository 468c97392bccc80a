import { ownText } from '../base/text/own-part.ts';
import type { Steps } from '../base/threads/steps.ts';
import { XmlScanner } from '../tds/convert/xml-scanner.ts';
import type { PathStep, XmlPath } from './xml-path.ts';

/** The text at a path in a document; undefined if the path finds nothing. In steps, since a document may be long. */
export function* xmlValueSteps(document: string, path: XmlPath): Steps<string | undefined> {
  const finder = new Finder(path);
  const walk = new XmlScanner(document, finder).steps();
  while (!finder.isDone && !walk.next().done) yield;
  const found = finder.end();
  return found && ownText(found);
}

/** An element that is open, and what may be found in it. */
interface Open {
  /** The steps of which the next may be taken from here. */
  readonly at: readonly number[];
  /** How many a predicate of a step has let pass here, by step and predicate. */
  readonly passed: Map<string, number>;
  /** Whether names without a prefix belong to a namespace here. */
  readonly isNamespaced: boolean;
}

/** Follows a path while the document is read: each element knows which steps it may start. */
class Finder {
  readonly #steps: readonly PathStep[];
  /** The position of the wanted result among all results. */
  #left: number;
  readonly #opened: Open[] = [{ at: [0], passed: new Map(), isNamespaced: false }];
  /** The number of open elements when the wanted one was found; its text is being collected. */
  #gathersAt: number | undefined;
  #gathered: string[] = [];
  #text = '';
  #found: string | undefined;
  isDone = false;

  constructor({ steps, place = 1 }: XmlPath) {
    this.#steps = steps;
    this.#left = place;
    if (steps.length === 0) this.#meet();
  }

  text(text: string): undefined {
    this.#text += text;
  }

  aside(): void {
    this.#settleText();
  }

  open(name: string, attributes: ReadonlyMap<string, string>): undefined {
    this.#settleText();
    const parent = this.#opened.at(-1);
    if (parent === undefined) return;
    const space = attributes.get('xmlns');
    const isNamespaced = space === undefined ? parent.isNamespaced : space !== '';
    const next = new Set<number>();
    for (const at of parent.at) {
      const step = this.#steps[at];
      if (step === undefined) continue;
      if (step.anywhere) next.add(at);
      if (step.kind !== 'element') continue;
      const isNamed = step.name === undefined || (step.name === name && !isNamespaced);
      if (isNamed && passes(step, at, parent, attributes)) next.add(at + 1);
    }
    this.#opened.push({ at: [...next], passed: new Map(), isNamespaced });
    if (next.has(this.#steps.length)) this.#meet();
    for (const at of next) this.#meetAttributes(at, attributes);
  }

  close(): void {
    this.#settleText();
    this.#opened.pop();
    if (this.#gathersAt !== undefined && this.#opened.length < this.#gathersAt) this.#finish();
  }

  #meetAttributes(at: number, attributes: ReadonlyMap<string, string>): void {
    const step = this.#steps[at];
    if (step?.kind !== 'attribute' || at !== this.#steps.length - 1) return;
    for (const [name, value] of attributes) {
      const isDeclaration = name === 'xmlns' || name.startsWith('xmlns:');
      if (!isDeclaration && (step.name === undefined || step.name === name)) this.#meet(value);
    }
  }

  #settleText(): void {
    const text = this.#text;
    this.#text = '';
    if (text === '' || this.isDone) return;
    if (this.#gathersAt !== undefined) this.#gathered.push(text);
    const parent = this.#opened.at(-1);
    for (const at of parent?.at ?? []) {
      const step = this.#steps[at];
      if (step?.kind === 'text' && at === this.#steps.length - 1 && parent && passes(step, at, parent))
        this.#meet(text);
    }
  }

  /** Something is found: an element whose text follows, or what has its text already. */
  #meet(text?: string): void {
    if (this.isDone || this.#gathersAt !== undefined || --this.#left > 0) return;
    if (text === undefined) this.#gathersAt = this.#opened.length;
    else {
      this.#found = text;
      this.isDone = true;
    }
  }

  #finish(): void {
    this.#found = this.#gathered.join('');
    this.#gathersAt = undefined;
    this.isDone = true;
  }

  /** What was found, when the document has ended. */
  end(): string | undefined {
    this.#settleText();
    if (this.#gathersAt !== undefined) this.#finish();
    return this.#found;
  }
}

/** Whether what a step finds passes its predicates, one after another: a place counts what those before it let pass. */
function passes(
  { predicates }: PathStep,
  step: number,
  { passed }: Open,
  attributes: ReadonlyMap<string, string> = new Map(),
): boolean {
  return predicates.every((predicate, index) => {
    if ('attribute' in predicate) return attributes.get(predicate.attribute) === predicate.value;
    const key = `${step} ${index}`;
    const count = (passed.get(key) ?? 0) + 1;
    passed.set(key, count);
    return count === predicate.place;
  });
}
