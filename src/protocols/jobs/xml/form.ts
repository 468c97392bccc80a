/**
 * A form of document: how one that conforms to its schema is parsed, and how its content is transferred between
 * threads.
 */
export interface Form<Content, Packed extends object> {
  readonly name: 'jobAdd' | 'batchUpdate';
  /** The name of the parameter that takes documents of the form, for errors. */
  readonly param: string;
  read(document: string): Content;
  pack(content: Content): Packed;
  unpack(packed: Packed): Content;
}
