import { nullable, required } from '../../../procedure/param.ts';
import { int, nvarchar, sqlVariant } from '../../../tds/types/index.ts';

/** The parameters that several procedures of configuration properties have. */
export const Name = nullable(nvarchar(300), 'The name of the property, whatever the case of its letters.');
export const NewName = required(nvarchar(300), 'The name of the property, whatever the case of its letters.');
export const Value = nullable(sqlVariant, 'Its value, kept with its type.');
export const TransactionID = nullable(int, 'The configuration transaction.');
export const Pattern = nullable(
  nvarchar(300),
  'The name, or a part of it with the wildcard % at the beginning, at the end or at both.',
);
