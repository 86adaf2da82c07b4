-- Which account of the core is which book of a user stands in the projection (engine_accounts), for every book there is.
DROP TABLE users_book;
