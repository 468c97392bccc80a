import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wildcard } from './pattern.ts';
import { parseRobotHeaders, parseRobotTags } from './robot-tags.ts';
import { parseRobots } from './robots-txt.ts';
import { Scope } from './scope.ts';
import { defaultRules, parseRules } from './source-rules.ts';

const start = 'http://one.example/';
const source = { url: start, isStartAddress: true, hostDepth: 0, enumerationDepth: 0 };

test('a pattern matches a whole URL, whatever its case, and takes no long time', () => {
  assert.ok(wildcard('http://*.example/a?c*')('HTTP://one.example/aBc/d'));
  assert.ok(!wildcard('http://*.example/')('http://one.example/x'));
  assert.ok(!wildcard(`${'*a'.repeat(40)}b`)('a'.repeat(5000)));
});

test('MS-SQLPGAT2 3.1.1.5: host hops and enumeration depth count from the start address, and hosts of start addresses are no hop', () => {
  const scope = new Scope({ ...defaultRules, hostHops: 1, depth: 2 }, [start, 'http://two.example/']);
  assert.deepEqual(scope.decide('http://one.example/a', source, false), {
    follow: true,
    hostDepth: 0,
    enumerationDepth: 1,
  });
  assert.deepEqual(scope.decide('http://two.example/a', source, false), {
    follow: true,
    hostDepth: 0,
    enumerationDepth: 1,
  });
  const away = { url: 'http://far.example/', isStartAddress: false, hostDepth: 1, enumerationDepth: 1 };
  assert.deepEqual(scope.decide(away.url, source, false), { follow: true, hostDepth: 1, enumerationDepth: 1 });
  assert.deepEqual(scope.decide('http://further.example/', away, false), { follow: false, because: 'hops' });
  assert.deepEqual(scope.decide('http://far.example/x', { ...away, enumerationDepth: 2 }, false), {
    follow: false,
    because: 'depth',
  });
});

test('a redirect is no step further, and that of a start address no hop', () => {
  const scope = new Scope({ ...defaultRules, depth: 0 }, [start]);
  const to = 'https://www.one.example/';
  assert.deepEqual(scope.decide(to, source, true), { follow: true, hostDepth: 0, enumerationDepth: 0 });
  const reached = { url: 'https://one.example/', isStartAddress: false, hostDepth: 0, enumerationDepth: 0 };
  assert.deepEqual(
    scope.decide(to, reached, true),
    { follow: true, hostDepth: 0, enumerationDepth: 0 },
    'nor one that a start address has redirected to',
  );
  assert.deepEqual(scope.decide(to, { ...reached, enumerationDepth: 1 }, true), { follow: false, because: 'hops' });
  assert.deepEqual(scope.decide(to, reached, false), { follow: false, because: 'hops' });
});

test('include and exclude patterns decide, but never against a start address; traps and files are not followed', () => {
  const rules = { ...defaultRules, include: ['http://one.example/docs/*'], exclude: ['*secret*'] };
  const scope = new Scope(rules, [start]);
  const follows = (url: string) => scope.decide(url, source, false).follow;
  assert.deepEqual(
    ['http://one.example/docs/a', 'http://one.example/docs/secret', 'http://one.example/other', start].map(follows),
    [true, false, false, true],
  );
  assert.equal(
    new Scope(defaultRules, [start]).decide('http://one.example/a/b/a/b/a/b/a', source, false).follow,
    false,
  );
  assert.equal(new Scope(defaultRules, [start]).decide('file:///etc/passwd', source, false).follow, false);
});

test('rules that say what is no rule are refused', () => {
  assert.equal(parseRules('{"hostHops": 2}').hostHops, 2);
  for (const wrong of [
    '',
    '[]',
    '{"hops": 1}',
    '{"depth": -1}',
    '{"depth": "1"}',
    '{"include": "x"}',
    '{"robots": 1}',
  ]) {
    assert.throws(() => parseRules(wrong), { name: 'WrongRules' }, wrong);
  }
});

test('RFC 9309: the longest rule decides, the allowing one of two as long; groups of the robot, or else those for all', () => {
  const robots = parseRobots(
    `User-agent: *
Disallow: /
User-agent: granary
User-agent: other # comment
Disallow: /private/
Allow: /private/open
Disallow: /*.gif$
Disallow: /ä
Disallow:
Crawl-delay: 2
User-Agent: Granary
Disallow: /late`,
    'Granary',
  );
  const allowed = (path: string) => robots.allows(`http://one.example${path}`);
  assert.deepEqual(
    ['/', '/private/x', '/private/open.html', '/a.gif', '/a.gif?x', '/%C3%A4', '/late', '/robots.txt'].map(allowed),
    [true, false, true, false, true, false, false, true],
  );
  assert.equal(robots.crawlDelay, 2);
  assert.equal(parseRobots('User-agent: *\nDisallow: /', 'Granary').allows('http://one.example/x'), false);
  assert.equal(parseRobots('', 'Granary').allows('http://one.example/x'), true);
});

test('RFC 9309 2.2.2, 2.2.3: rules and paths compare in one spelling; a star or dollar that is escaped is meant as such', () => {
  const forbids = (rule: string, path: string) =>
    !parseRobots(`User-agent: Bot9\nDisallow: ${rule}`, 'Bot9').allows(`http://one.example${path}`);
  const matching = [
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar'],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/foo/bar/baz', '/foo/bar/%62%61%7A'],
    ['/foo/bar?%62%61%7A', '/foo/bar?baz'],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html'],
    ['/path/foo-%24', '/path/foo-$'],
    ['/a$b', '/a$b/c'],
    ['/a**$', '/a/b'],
    ['/*a*b*$', '/xaxbx'],
  ];
  for (const [rule = '', path = ''] of matching) assert.ok(forbids(rule, path), `${rule} forbids ${path}`);
  const others = [
    ['/a%2Fb', '/a/b'],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-b.html'],
    ['/path/foo-%24', '/path/foo-'],
    ['/a*b$', '/a/b/c'],
  ];
  for (const [rule = '', path = ''] of others) assert.ok(!forbids(rule, path), `${rule} does not forbid ${path}`);
});

test('robot tags are read from pages and from headers, also where they address one robot', () => {
  assert.deepEqual(parseRobotTags('NOINDEX, follow'), { noIndex: true, noFollow: false });
  assert.deepEqual(parseRobotTags('none'), { noIndex: true, noFollow: true });
  assert.deepEqual(parseRobotHeaders(['otherbot: noindex', 'granary: nofollow'], 'Granary'), {
    noIndex: false,
    noFollow: true,
  });
  assert.deepEqual(parseRobotHeaders(['unavailable_after: 25 Jun 2010, noindex'], 'Granary'), {
    noIndex: true,
    noFollow: false,
  });
});
