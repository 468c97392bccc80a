/** Where a declaration differs from the specification's signature on purpose: the difference, and why. */
export const deliberate: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'MS-TSSPROC': {},
  'MS-WORDSSP': {},
  'MS-WORDSSP2': {},
  'MS-WSSCFGD2': {},
};
