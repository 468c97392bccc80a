-- Configuration properties and their transactions (MS-SQLPGAT2 3.1.1.36). A value is a sql_variant as text, with its type.
create table configuration_properties (
  name_key text not null primary key,
  name text not null,
  value text
);

create table configuration_transactions (
  id bigint not null primary key
);

create table configuration_transaction_values (
  transaction_id bigint not null references configuration_transactions (id),
  name_key text not null,
  name text not null,
  value text,
  primary key (transaction_id, name_key)
);

-- The last identifier of a transaction: they go on rising when transactions are committed or removed.
create table configuration_last_transaction (
  one bigint not null primary key check (one = 1),
  last bigint not null
);
insert into configuration_last_transaction (one, last) values (1, 0);
