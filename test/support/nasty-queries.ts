/** Texts that trip up readers of query languages: every operator of FTS5 and tsquery, unbalanced, empty and long. */
export function nastyTexts(): string[] {
  const pieces = [
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR(',
    '"',
    "'",
    '(',
    ')',
    '*',
    '-',
    '+',
    '^',
    ':',
    '::',
    '{a}',
    '&',
    '|',
  ];
  const more = [
    '!',
    '<->',
    '<2>',
    '\\',
    '\\\\',
    '%',
    '_',
    ';',
    '--',
    '/*',
    'a:b:c',
    'doc_words:',
    '\u0000',
    '\ud83d',
    '',
  ];
  const all = [...pieces, ...more];
  const pairs = all.flatMap((one, at) => [`${one}rye${all[(at + 5) % all.length]}`, `rye ${one}`, `${one} ${one}`]);
  return [
    ...all,
    ...pairs,
    'rye '.repeat(999),
    '"'.repeat(4000),
    '-'.repeat(4000),
    'é'.repeat(4000),
    '𠮷'.repeat(2000),
  ];
}
