import type { Kind } from './procedure/kind.ts';
import { config } from './protocols/config/kind.ts';
import { translation } from './protocols/translation/kind.ts';
import { word } from './protocols/word/kind.ts';
import { word2 } from './protocols/word2/kind.ts';

/** Every kind of database that Granary has, in the order that first start makes them. */
export const allKinds: readonly Kind[] = [translation, word2, word, config];
