create table logins (
  login_key text not null primary key,
  name text not null,
  password_hash text not null,
  created bigint not null,
  password_set bigint not null
);

create table login_roles (
  login_key text not null references logins (login_key) on delete cascade,
  database_key text not null,
  database_name text not null,
  role text not null check (role in ('reader', 'writer', 'admin')),
  primary key (login_key, database_key)
);
