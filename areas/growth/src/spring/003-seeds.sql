-- The journalled seed a draw was made with, and its place in the journal, as JSON.
ALTER TABLE spring_draw ADD COLUMN journal {{text}};
