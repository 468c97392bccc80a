alter table logins add column must_change bigint not null default 0;
