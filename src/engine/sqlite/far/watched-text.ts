/** The function that watched statements call for every row that they visit (watch.ts). */
export const tick = 'granary_tick';

/** A column that identifies the rows of a table; undefined for anything that is not a table. */
type KeyColumn = (table: string) => string | undefined;

const tokens = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|\bon\s+conflict\b|"(?:[^"]|"")*"|[a-z_][a-z0-9_$]*|[(),]/gi;

/** Words that end the conditions of a SELECT, UPDATE or DELETE. */
const endings = new Set([
  ...'group order limit union except intersect returning having window'.split(' '),
  'on conflict',
]);
/** Words that may follow a table in FROM and are not an alias. */
const noAlias = new Set('on using join left right full outer inner cross natural indexed not set from'.split(' '));

/** The text between two parentheses, as far as it has been read. */
class Level {
  /** True inside a SELECT, UPDATE or DELETE whose WHERE is still to come or has been found. */
  isOpen = false;
  /** True once it is known to iterate over rows. */
  looks = false;
  inFrom = false;
  inWhere = false;
  /** Set where the next word is the name of a table, or an alias of the preceding one. */
  expects: 'table' | 'alias' | undefined;
  /** The tables that it iterates over, with their aliases. */
  readonly tables: { readonly table: string; alias: string }[] = [];
  last = '';

  begin(looks: boolean): void {
    this.isOpen = true;
    this.looks = looks;
    this.inFrom = false;
    this.inWhere = false;
    this.expects = looks ? 'table' : undefined;
    this.tables.length = 0;
  }
}

/**
 * Adds a call of `tick` to every loop over rows of a statement: to each WHERE, which is added if there is none. A call
 * without arguments is evaluated in the outermost loop of a join; to be evaluated in another loop, it names a column of
 * that loop's table.
 */
export function watchedText(text: string, keyColumn: KeyColumn): string {
  const levels = [new Level()];
  let out = '';
  let copied = 0;
  const insert = (at: number, piece: string): void => {
    out += text.slice(copied, at) + piece;
    copied = at;
  };
  const end = (level: Level, at: number): void => {
    if (level.isOpen && level.inWhere) insert(at, '\n)');
    else if (level.isOpen && level.looks) insert(at, `\nwhere ${calls(level, keyColumn)} `);
    level.isOpen = false;
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const level = levels.at(-1) ?? new Level();
    if (token.startsWith("'") || token.startsWith('--') || token.startsWith('/*')) continue;
    if (token === '(') {
      if (level.expects === 'table') readName(level, '', '');
      levels.push(new Level());
    } else if (token === ')') {
      end(level, index);
      levels.pop();
    } else if (token.startsWith('"')) readName(level, unquoted(token), token);
    else {
      const word = token.toLowerCase().replaceAll(/\s+/g, ' ');
      if (endings.has(word)) end(level, index);
      else if (word === 'where' && level.isOpen && !level.inWhere) {
        insert(index + token.length, ` ${calls(level, keyColumn)} and (`);
        level.inWhere = true;
        level.inFrom = false;
      } else read(level, word, token, levels.length === 1);
      level.last = word;
    }
  }
  const [outermost] = levels;
  if (outermost !== undefined) end(outermost, text.length);
  return out + text.slice(copied);
}

function read(level: Level, word: string, token: string, isOutermost: boolean): void {
  if (word === 'select') level.begin(false);
  else if (isOutermost && word === 'delete') level.begin(false);
  else if (isOutermost && word === 'update' && level.last !== 'do') level.begin(true);
  else if (word === 'from' && level.isOpen && !level.inWhere && level.last !== 'distinct') {
    level.looks = true;
    level.inFrom = true;
    level.expects = 'table';
  } else if (level.inFrom && (word === 'join' || word === ',')) level.expects = 'table';
  else readName(level, word, token);
}

/** Records the tables of FROM and of UPDATE. */
function readName(level: Level, word: string, token: string): void {
  if (level.expects === 'table') {
    level.tables.push({ table: word, alias: token });
    level.expects = 'alias';
  } else if (level.expects === 'alias' && word !== 'as') {
    const table = level.tables.at(-1);
    if (table !== undefined && !noAlias.has(word)) table.alias = token;
    level.expects = undefined;
  }
}

function calls({ tables }: Level, keyColumn: KeyColumn): string {
  const inner = tables.length < 2 ? [] : tables;
  const own = inner.flatMap(({ table, alias }) => {
    const key = keyColumn(table);
    return key === undefined ? [] : [`${tick}(${alias}.${key})`];
  });
  return [`${tick}()`, ...own].join(' and ');
}

const unquoted = (name: string): string => name.slice(1, -1).replaceAll('""', '"').toLowerCase();
