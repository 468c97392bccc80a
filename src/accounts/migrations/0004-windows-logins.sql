alter table logins add column kind text not null default 'sql' check (kind in ('sql', 'user', 'group'));
alter table logins add column sid text;
alter table logins add column nt_hash text;
