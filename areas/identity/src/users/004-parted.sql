-- Forgotten passwords belong to the credentials now; a ticket lives a quarter of an hour, so none is carried over.
DROP TABLE users_reset;
