create table users (id integer primary key, name text not null, mail text);
insert into users (name, mail) values ('Ada', 'ada@shop.example'), ('Bob', null);
