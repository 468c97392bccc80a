import { Parser } from 'htmlparser2';
import { bothTags, parseRobotTags, type RobotTags } from '../rules/robot-tags.ts';
import { isTooLong, spelledUrl } from '../url/normal-url.ts';
import { decodeText } from './charset.ts';
import { type FoundLink, Gathered, most, oneLine, type Reading, type ReadRequest } from './reading.ts';

/** Elements whose text nobody reads. */
const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title', 'select', 'textarea']);

/** A refresh (HTML 4.2.5.3): its URL follows a number of seconds, with or without a name and quotation marks. */
const refreshUrl = /^\s*(?:[\d.]+\s*[;,\s]|(?=url))\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is;

/** Elements within a line; others begin a new one. */
const inline = new Set(
  'a abbr b bdi img script style noscript template bdo cite code data dfn em font i kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

function refreshOf(content: string): string | undefined {
  const [, double, single, bare] = refreshUrl.exec(content) ?? [];
  return double ?? single ?? bare;
}

type Attributes = Readonly<Record<string, string>>;

/** The contents of a page, collected while it is parsed. */
class Page {
  readonly #robot: string;
  readonly #text = new Gathered();
  readonly #meta = new Map<string, string>();
  readonly #links: FoundLink[] = [];
  readonly #url: string;
  #base: string | undefined;
  #title = '';
  #language = '';
  #tags: RobotTags = { noIndex: false, noFollow: false };
  #silent = 0;
  #tooLong = 0;
  #isInTitle = false;
  #anchor: { readonly url: string; text: string } | undefined;

  constructor({ url, robot }: ReadRequest) {
    this.#url = url;
    this.#robot = robot.toLowerCase();
  }

  open(name: string, attributes: Attributes): void {
    if (silent.has(name)) this.#silent++;
    // Pictures have titles too.
    if (name === 'title') this.#isInTitle = this.#title === '' && this.#silent === 1;
    if (name === 'html') this.#language = attributes['lang'] ?? attributes['xml:lang'] ?? '';
    if (name === 'base') this.#base ??= this.#baseOf(attributes['href']);
    if (name === 'meta') this.#readMeta(attributes);
    if (name === 'a' || name === 'area') this.#openLink(attributes);
    if (name === 'area') this.#closeLink(attributes['alt'] ?? '');
    if (name === 'frame' || name === 'iframe') this.#addLink(attributes['src'], attributes['title'] ?? '');
    if (name === 'img' && this.#anchor) this.#anchor.text += ` ${attributes['alt'] ?? ''} `;
    if (!inline.has(name)) this.#text.add('\n');
  }

  words(text: string): void {
    if (this.#isInTitle && this.#title.length < most.words) this.#title += text;
    if (this.#silent > 0) return;
    this.#text.add(text);
    if (this.#anchor && this.#anchor.text.length < most.words) this.#anchor.text += text;
  }

  close(name: string): void {
    if (silent.has(name)) this.#silent = Math.max(0, this.#silent - 1);
    if (name === 'title') this.#isInTitle = false;
    if (name === 'a') this.#closeLink('');
    if (!inline.has(name)) this.#text.add('\n');
  }

  /** The first base with a reference counts; one that cannot be a base is replaced by the page itself (HTML 4.2.3). */
  #baseOf(href: string | undefined): string | undefined {
    if (href === undefined) return undefined;
    const base = URL.parse(href, this.#url)?.href;
    return base !== undefined && URL.canParse('.', base) ? base : this.#url;
  }

  #readMeta(attributes: Attributes): void {
    const name = (attributes['name'] ?? attributes['property'] ?? '').toLowerCase();
    const content = attributes['content'] ?? '';
    if (name === 'robots' || name === this.#robot) this.#tags = bothTags(this.#tags, parseRobotTags(content));
    else if (name !== '') this.#meta.set(name, content);
    const equivalent = (attributes['http-equiv'] ?? '').toLowerCase();
    if (equivalent === 'refresh') this.#addLink(refreshOf(content), '');
    if (equivalent === 'content-language') this.#language ||= content;
  }

  #openLink(attributes: Attributes): void {
    this.#closeLink('');
    const { href } = attributes;
    if (href === undefined || /\bnofollow\b/i.test(attributes['rel'] ?? '')) return;
    const url = spelledUrl(href, this.#base ?? this.#url);
    if (url !== undefined) this.#anchor = { url, text: '' };
  }

  #closeLink(text: string): void {
    const anchor = this.#anchor;
    this.#anchor = undefined;
    if (anchor !== undefined) this.#add({ url: anchor.url, text: oneLine(anchor.text + text) });
  }

  #addLink(href: string | undefined, text: string): void {
    const url = href === undefined ? undefined : spelledUrl(href, this.#base ?? this.#url);
    if (url !== undefined) this.#add({ url, text: oneLine(text) });
  }

  #add(link: FoundLink): void {
    if (isTooLong(link.url) && this.#tooLong++ >= most.tooLong) return;
    if (this.#links.length < most.links) this.#links.push(link);
  }

  reading(): Reading {
    this.#closeLink('');
    const meta = (...names: readonly string[]) =>
      oneLine(names.map((name) => this.#meta.get(name)).find((each) => each) ?? '');
    return {
      title: oneLine(this.#title) || meta('og:title'),
      text: this.#text.toString(),
      author: meta('author', 'dc.creator'),
      description: meta('description', 'og:description', 'dc.description'),
      keywords: meta('keywords'),
      language: oneLine(this.#language, 35),
      links: this.#links,
      tags: this.#tags,
    };
  }
}

/** Reads a page of HTML. */
export function readHtml(request: ReadRequest): Reading {
  const page = new Page(request);
  const isXml = request.mediaType === 'application/xhtml+xml';
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      ontext: (text) => page.words(text),
      onclosetag: (name) => page.close(name),
    },
    // The named characters of HTML are needed in both, so XML is also read as HTML, with what XML adds.
    { recognizeSelfClosing: isXml, recognizeCDATA: isXml },
  );
  parser.end(decodeText(request.body, request.charset));
  return page.reading();
}
