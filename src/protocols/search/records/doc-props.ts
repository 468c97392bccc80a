import { int32, int64, textOf, uint8 } from './field.ts';
import { layout } from './layout.ts';

/** A value of a managed property of a document, to add or to update. */
export const docPropsAdd = layout('DocProps Add Record', '2.2.3.3', 32, {
  DocId: int32,
  Pid: int32,
  llVal: int64,
  strVal: textOf(int32),
  strVal2: textOf(int32),
});

/** A managed property of a document that loses the values with this llVal, or, for text, with its high half. */
export const docPropsDelete = layout('DocProps Delete Record', '2.2.3.5', 8, { DocId: int32, Pid: int32 });

/** A managed property of a document that loses the values with this llVal, or, for text, with its high half. */
export const docPropsDeleteWithHash = layout('DocProps Delete With Hash Record', '2.2.3.7', 17, {
  DocId: int32,
  Pid: int32,
  IsStringType: uint8,
  llVal: int64,
});
