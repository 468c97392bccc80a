import { translation } from '../../../src/protocols/translation/kind.ts';
import { word } from '../../../src/protocols/word/kind.ts';
import { word2 } from '../../../src/protocols/word2/kind.ts';
import type { Protocol } from './fixture.ts';

const tokens = {
  UserTokenHeader: Buffer.alloc(16),
  UserTokenSid: Buffer.from([1]),
  UserTokenGroups: Buffer.from([2]),
};

export const translationProtocol: Protocol = {
  name: 'MS-TSSPROC',
  kind: translation,
  family: 'translation/2010/11',
  jobDefaults: { UserToken: Buffer.from('1234567890', 'hex'), Settings: '<settings/>', Name: 'testJob' },
};

export const wordProtocol: Protocol = {
  name: 'MS-WORDSSP',
  kind: word,
  family: 'word/2009/08',
  jobDefaults: { ...tokens, Settings: '<settings/>', Name: 'testJob' },
};

export const word2Protocol: Protocol = { ...wordProtocol, name: 'MS-WORDSSP2', kind: word2 };
