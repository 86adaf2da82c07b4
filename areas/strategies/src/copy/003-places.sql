-- Who wants to be told when a leader who is full has room again; told once.
ALTER TABLE copy_focus ADD COLUMN wants_place {{boolean}} NOT NULL DEFAULT FALSE;
