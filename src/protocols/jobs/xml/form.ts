/** A form of document: how one that conforms to its schema is read, and how its content goes from thread to thread. */
export interface Form<Content, Packed extends object> {
  readonly name: 'jobAdd' | 'batchUpdate';
  /** The parameter that documents of the form come in, for errors. */
  readonly param: string;
  read(document: string): Content;
  pack(content: Content): Packed;
  unpack(packed: Packed): Content;
}
