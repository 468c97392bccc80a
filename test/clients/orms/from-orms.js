import { createRequire } from 'node:module';
import { given } from '../tell.ts';

/** Loads a package out of the folder that `npm test` puts the mappers into; it finds tedious and mssql beside the project. */
export const fromOrms = createRequire(`${given('GRANARY_ORMS')}/package.json`);

/** A first connection as tedious wants it. */
export const server = {
  host: given('GRANARY_HOST'),
  port: Number(given('GRANARY_PORT')),
  password: given('GRANARY_PASSWORD'),
};

/** A database of the protocols with a table that clients see. */
export const protocolDatabase = 'Search_CrawlStore';
export const protocolTable = 'MSSColleagueLinks';

/** A procedure of a client with an output value, and one of the protocols with a return code, called by a batch. */
export const makeDouble = 'create or alter procedure dbo.orm_double @n int, @twice int output as set @twice = @n * 2';
export const callDouble = 'declare @twice int; exec dbo.orm_double 21, @twice output; select @twice as twice';
export const callProtocol =
  'declare @code int; exec @code = TranslationServices.dbo.proc_SubmitJob @JobId = 4711; select @code as code';
