-- What a worker was about to put where the output of an item belongs: the SHA-256 of it. Only for outputs that may not
-- replace anything: a worker that was killed before it could report leaves one that the next attempt knows for its own.

alter table items add column output_digest text;
