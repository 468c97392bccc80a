import { int32, int64 } from './field.ts';
import { layout } from './layout.ts';

/** The signatures of a document when it was crawled: they decide whether subscribers to changes are notified. */
export const alertHistory = layout('Alert History Update Record', '2.2.3.15', 32, {
  DocId: int32,
  SchemaSignature: int32,
  UrlSignature: int64,
  ContentSignature: int64,
  CrawlTime: int64,
});
