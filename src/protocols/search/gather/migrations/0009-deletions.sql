-- The identifier of a deleted document goes to the next one, which the same crawl may delete too: how often it did.
alter table changed_deleted add column times bigint not null default 1;
