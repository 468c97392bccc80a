import { int32, textOf } from './field.ts';
import { layout } from './layout.ts';

/** A term that a document defines, and the sentence that defines it. */
export const definitions = layout('Definitions Update Record', '2.2.3.17', 28, {
  DocId: int32,
  /** The position of the term in the sentence: the attribute Term Offset of 3.1.1.40. */
  TermInSentenceOffset: int32,
  IsAcronym: int32,
  Term: textOf(int32),
  Sentence: textOf(int32),
});
